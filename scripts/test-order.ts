import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * How a test file asks for a system that no other file has used, and how for one with the demo model. The first that fits puts a
 * file in its place.
 */
const GROUPS = [/\bfresh: true\b/, /\b(?:offlineSystem|dashboardStage)\(/, /(?:)/];

/**
 * The projects whose tests wait the most come first, so that the end of a run is for many short files that need only the processor:
 * no core idles until the last of a few long files has ended.
 */
const PROJECTS = ["e2e", "integration", "page", "unit"];

/**
 * Vitest's own order, the longest files first, but within a project those first that ask for a fresh system: what they start is
 * used by the others of their process afterwards, while a fresh one later would be one more. Files with the demo model follow, so that
 * no process keeps a system of each kind.
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
