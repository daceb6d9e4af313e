import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * Patterns for test files that request a fresh system, for those with the demo model, and for all others. The first
 * match determines a file's group.
 */
const GROUPS = [/\bfresh: true\b/, /\b(?:offlineSystem|dashboardStage)\(/, /(?:)/];

/**
 * The projects with the most waiting come first, so that a run ends with many short files that only need the processor: no
 * core idles while a few long files finish.
 */
const PROJECTS = ["e2e", "integration", "page", "unit"];

/**
 * Vitest's own order (longest files first), but within a project, files that request a fresh system come first: the others of
 * their process reuse it afterwards, while a fresh one later would be an additional start. Files with the demo model follow, so
 * that no process keeps a system of each kind.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set([...PROJECTS, ...sorted.map(({ project }) => project.name)])];
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      const grouped = Map.groupBy(own, groupOf);
      return GROUPS.keys()
        .flatMap((group) => grouped.get(group) ?? [])
        .toArray();
    });
  }
}

function groupOf({ moduleId }: TestSpecification): number {
  const source = readFileSync(moduleId, "utf8");
  return GROUPS.findIndex((group) => group.test(source));
}
