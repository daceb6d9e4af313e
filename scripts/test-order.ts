import { readFileSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** How a test file asks for a system that no other file has used. */
const ASKS_FOR_FRESH = /\bfresh: true\b/;

/**
 * Vitest's own order, the longest files first, but within a project those first that ask for a fresh system: what they start is
 * used by the others of their process afterwards, while a fresh one later would be one more.
 */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => {
      const own = sorted.filter(({ project }) => project.name === name);
      const fresh = own.filter(({ moduleId }) => ASKS_FOR_FRESH.test(readFileSync(moduleId, "utf8")));
      return [...fresh, ...own.filter((file) => !fresh.includes(file))];
    });
  }
}
