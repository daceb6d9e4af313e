// Strategies are told apart in one place of the core and one of the planner: nothing else asks which one a plan has.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const SOURCES = ["packages/plan/src", "services/planner/src", "services/reflector/src"];
const CONDITIONS = [
  /\b\w*[sS]trategy\)? (?:===|!==) "(?:code|direct|summarize|tree-search)"/,
  /(?:===|!==) "tree-search"|\bcase "tree-search"/,
  /\bsearch(?:\?\.\w+)? (?:===|!==) (?:undefined|"\w)/,
];
/** Each with what it decides by the name of a strategy, or by whether there is a search. */
const ALLOWED = new Map([
  ["packages/plan/src/machine/drafting/strategies.ts", "which strategy a plan has"],
  ["packages/plan/src/machine/drafting/search.ts", "how a search continues"],
  ["packages/plan/src/tree-search/expansion.ts", "what a search tries next"],
  ["packages/plan/src/language/submission-of.ts", "whether a plan was submitted or follows from the goal"],
  ["services/planner/src/drafting/request-for.ts", "what `auto` means for a goal"],
]);

it("no condition names a strategy outside of the tables of strategies", async () => {
  const files = (
    await Array.fromAsync(
      glob(
        SOURCES.map((folder) => `${folder}/**/*.ts`),
        { cwd: ROOT },
      ),
    )
  ).filter((file) => !file.endsWith(".test.ts"));
  expect(files.length).toBeGreaterThan(300);
  const found = new Set<string>();
  for (const file of files) {
    const text = await readFile(path.join(ROOT, file), "utf8");
    if (CONDITIONS.some((condition) => condition.test(text))) found.add(file);
  }
  expect([...found].toSorted()).toEqual([...ALLOWED.keys()].toSorted());
});
