// Who writes what in the state of a plan: every field belongs to one folder of packages/plan/src/machine.
import { glob, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";

const MACHINE = path.resolve(import.meta.dirname, "../packages/plan/src/machine");
/** A transition builds the next state in place, and calls it `next` everywhere. */
const WRITES = /\bnext\.(\w+) (?:=|[-+?]+=)(?!=)|\bdelete next\.(\w+)/g;

const files = (await Array.fromAsync(glob("**/*.ts", { cwd: MACHINE }))).filter(
  (file) => !file.endsWith(".test.ts"),
);
const texts = new Map<string, string>();
for (const file of files) texts.set(file, await readFile(path.join(MACHINE, file), "utf8"));

it("every field of a plan's state is written by one folder", () => {
  const writers = new Map<string, Set<string>>();
  for (const [file, text] of texts) {
    for (const [, set, deleted] of text.matchAll(WRITES)) {
      const field = set ?? deleted ?? "";
      writers.set(field, (writers.get(field) ?? new Set()).add(path.dirname(file)));
    }
  }
  expect(writers.size).toBeGreaterThan(40);
  const shared = [...writers].filter(([, folders]) => folders.size > 1);
  expect(shared.map(([field, folders]) => `${field}: ${[...folders].join(", ")}`)).toEqual([]);
});

it("the next state is called `next` by every function that is given it", () => {
  const others = [...texts].flatMap(([file, text]) =>
    Array.from(text.matchAll(/\b(\w+): (?:Readonly<)?NextPlan\b/g), ([, name]) => ({ file, name })),
  );
  expect(others.length).toBeGreaterThan(100);
  expect(others.filter(({ name }) => name !== "next")).toEqual([]);
});

it("no field is written in a way that the first test does not see", () => {
  const hidden = /\bObject\.(?:assign|defineProperty)\(|\bReflect\.(?:set|deleteProperty)\(|\bnext\[/;
  expect([...texts].filter(([, text]) => hidden.test(text)).map(([file]) => file)).toEqual([]);
});
