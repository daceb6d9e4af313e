import { expect, it } from "vitest";
import { after, failed, step, submitted, succeeded } from "../../../test/facts.ts";
import { tellResults } from "./partial-answer.ts";

const artifact = { name: "outputs/c-0-1.json", contentType: "application/json", bytes: 70_000 };

it("shows each result in the order of planning, the text of an answer, and where the whole output is", () => {
  const steps = [step("a", [], { description: "count" }), step("b"), step("c"), step("d"), step("e")];
  const plan = after(
    submitted(steps),
    succeeded("d", { text: "an answer", status: "success" }),
    succeeded("c", 1, 1, { output: { artifact, preview: "[1, 2" } }),
    succeeded("b", "words"),
    succeeded("a", { total: 3 }),
    failed("e"),
  );
  expect(tellResults(plan).split("\n")).toEqual([
    "- count (a): total: 3",
    "- flow.echo (b): words",
    "- flow.echo (c): [1, 2 (the whole is the file outputs/c-0-1.json)",
    "- flow.echo (d): an answer",
  ]);
});

it("limits the length of each result and the number of results", () => {
  const ids = Array.from({ length: 30 }, (_, index) => `s${index}`);
  const outcomes = ids.map((id) => succeeded(id, "x".repeat(2_000)));
  const lines = tellResults(after(submitted(ids.map((id) => step(id))), ...outcomes)).split("\n");
  expect(lines[0]).toBe(`- flow.echo (s0): ${"x".repeat(1_000)}…`);
  expect(lines.at(-1)).toBe(`- and ${30 - (lines.length - 1)} more results`);
  expect(lines.join("\n").length).toBeLessThan(21_000);
});
