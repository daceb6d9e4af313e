// How sources are laid out: folders of a size that one can survey, and modules that do not import in circles.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = path.resolve(import.meta.dirname, "..");
const PLAN = path.join(ROOT, "packages/plan/src");
const PACKAGES = [
  "packages/plan",
  "packages/api",
  "packages/shared",
  "services/planner",
  "services/executor",
  "services/reflector",
  "services/gateway",
];
const FILES_MIN = 3;
const FILES_MAX = 25;
/** Two modules of one idea may name each other's types. */
const CYCLE_MAX = 2;

/** The text of each source file, by its path in the repository. */
const texts = new Map<string, string>();
for (const name of PACKAGES) {
  for await (const file of glob(`${name}/src/**/*.ts`, { cwd: ROOT }))
    if (!file.endsWith(".test.ts")) texts.set(file, await readFile(path.join(ROOT, file), "utf8"));
}

describe.each(PACKAGES)("%s", (name) => {
  const files = [...texts.keys()].filter((file) => file.startsWith(`${name}/`));

  it(`has ${FILES_MIN} to ${FILES_MAX} source files in every folder`, () => {
    const sizes = new Map<string, number>();
    for (const file of files) sizes.set(path.dirname(file), (sizes.get(path.dirname(file)) ?? 0) + 1);
    expect([...sizes].filter(([, size]) => size > FILES_MAX)).toEqual([]);
    // The face of the package, one handler for each kind of message, and what only tests use.
    const small = [...sizes].filter(
      ([folder, size]) => size < FILES_MIN && !/\/(?:src|handlers|testing)$/.test(folder),
    );
    expect(small).toEqual([]);
  });

  it("has no modules that import each other in a large circle, types included", () => {
    const circles = circlesIn(new Map(files.map((file) => [file, importsOf(file)])));
    expect(circles.filter((circle) => circle.length > CYCLE_MAX)).toEqual([]);
  });
});

it("no modules of any package or service import each other in a circle of more than three, types included", async () => {
  const all = new Map<string, readonly string[]>();
  for await (const file of glob("{packages,services}/*/src/**/*.{ts,tsx}", { cwd: ROOT }))
    if (!/\.test\.tsx?$/.test(file))
      all.set(file, importsIn(file, await readFile(path.join(ROOT, file), "utf8")));
  expect(circlesIn(all).filter((circle) => circle.length > 3)).toEqual([]);
});

it("finds a circle of three modules", () => {
  const graph = { a: ["b"], b: ["c"], c: ["a", "d"], d: [] };
  expect(circlesIn(new Map(Object.entries(graph)))).toEqual([["a", "b", "c"]]);
});

it("ARCHITECTURE.md leads from one outcome to the next work message through at most 12 files, each of which exists", async () => {
  const text = await readFile(path.join(ROOT, "ARCHITECTURE.md"), "utf8");
  const [, section = ""] = /^## From one outcome[^\n]*\n(.*?)^## /ms.exec(text) ?? [];
  const listed = Array.from(section.matchAll(/^\| `([^`]+)` \|/gm), ([, file = ""]) => file);
  expect(listed.length).toBeGreaterThan(8);
  expect(listed.length).toBeLessThanOrEqual(12);
  for (const file of listed)
    await expect(readFile(path.join(ROOT, file), "utf8"), file).resolves.toBeTruthy();
  // Within the machine, each calls the next.
  const machine = listed.filter((file) => path.join(ROOT, file).startsWith(`${PLAN}/machine/`));
  const called = machine.slice(1).filter((file, index) => importsOf(machine[index] ?? "").includes(file));
  expect(called).toEqual(machine.slice(1));
});

const importsOf = (file: string): string[] => importsIn(file, texts.get(file) ?? "");

function importsIn(file: string, text: string): string[] {
  const specifiers = text.matchAll(/\bfrom "(\.[^"]+)"/g);
  return Array.from(specifiers, ([, specifier = ""]) => path.join(path.dirname(file), specifier));
}

/** The strongly connected components of more than one node (Tarjan, 1972). */
function circlesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.get(node) ?? 0);
    stack.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      if (stack.includes(next)) lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(node) !== order.get(node)) return;
    const circle = stack.splice(stack.indexOf(node));
    if (circle.length > 1) circles.push(circle);
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}
