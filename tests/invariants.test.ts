// Invariants stand in the head comments of source files, as " * EVOLVE-1. …". Each has a unique id, and a test that cites it.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const OWN = path.relative(ROOT, import.meta.filename);
const DEFINITION = /^ \*\s+([A-Z]+-\d+)\. /gm;
/** Test files, and the helpers that check every simulated world. */
const IS_TEST = /\.test\.tsx?$|^(packages|services)\/[^/]+\/test\//;
const RANGE = /\b([A-Z]+)-(\d+) to \1-(\d+)\b/g;
const CITATION = /\b[A-Z]+-\d+\b/g;

const texts = new Map<string, string>();
for (const pattern of [
  "{packages,services}/*/{src,test}/**/*.{ts,tsx}",
  "tests/**/*.ts",
  "{*.md,docs/**/*.md}",
]) {
  for await (const file of glob(pattern, { cwd: ROOT })) {
    if (file !== OWN && !file.includes("node_modules"))
      texts.set(file, await readFile(path.join(ROOT, file), "utf8"));
  }
}

const defined = [...texts].flatMap(([file, text]) =>
  IS_TEST.test(file) ? [] : Array.from(text.matchAll(DEFINITION), ([, id = ""]) => id),
);
const known = new Set(defined);
const prefixes = new Set(defined.map(prefixOf));
const cited = new Map([...texts].map(([file, text]) => [file, citationsIn(text)]));

it("every invariant has a unique id", () => {
  expect(defined.length).toBeGreaterThan(150);
  expect(defined.filter((id, index) => defined.indexOf(id) !== index)).toEqual([]);
});

it("every invariant is cited by a test", () => {
  const byTests = new Set([...cited].flatMap(([file, ids]) => (IS_TEST.test(file) ? ids : [])));
  expect(defined.filter((id) => !byTests.has(id))).toEqual([]);
});

it("no citation names an invariant that does not exist", () => {
  const unknown = [...cited].flatMap(([file, ids]) =>
    ids.filter((id) => prefixes.has(prefixOf(id)) && !known.has(id)).map((id) => `${file}: ${id}`),
  );
  expect(unknown).toEqual([]);
});

function prefixOf(id: string): string {
  return id.slice(0, id.lastIndexOf("-"));
}

/** The ids in a text; "EVOLVE-1 to EVOLVE-3" cites all three. */
function citationsIn(text: string): string[] {
  const ranges = Array.from(text.matchAll(RANGE), ([, prefix, first, last]) =>
    Array.from(
      { length: Number(last) - Number(first) + 1 },
      (_, index) => `${prefix}-${Number(first) + index}`,
    ),
  );
  return [...ranges.flat(), ...Array.from(text.matchAll(CITATION), ([id]) => id)];
}
