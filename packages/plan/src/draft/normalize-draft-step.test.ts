import { expect, it } from "vitest";
import type { Json } from "../json.ts";
import { normalizeDraftStep } from "./normalize-draft-step.ts";

const normalized = (step: Json) => normalizeDraftStep(step, new Map());

it.each<[Json, Json]>([
  ["s1.output.rows", { $ref: "s1.output.rows" }],
  ["{{s1.output.rows}}", { $ref: "s1.output.rows" }],
  [" {{ s1.output.rows }} ", { $ref: "s1.output.rows" }],
  ["rows of {{s1.output}}", { $ref: "rows of {{s1.output}}" }],
  [{ $ref: "s1.output" }, { $ref: "s1.output" }],
  [
    ["a", "b"],
    ["a", "b"],
  ],
])("the list %j is %j", (written, list) => {
  expect(normalized({ id: "s2", tool: "flow.echo", forEach: written })).toMatchObject({ forEach: list });
});

it("what stands under `flow` is the step's own, unless the step says it itself", () => {
  expect(normalized({ id: 2, tool: "flow.echo", dependsOn: [1, "x"], flow: { when: "a", id: "b" } })).toEqual(
    {
      id: "2",
      tool: "flow.echo",
      dependsOn: ["1", "x"],
      when: "a",
    },
  );
  expect(normalized({ id: "s2", flow: null, description: null })).toEqual({ id: "s2" });
  expect(normalized({ id: "s2", flow: "later" })).toEqual({ id: "s2", when: "later" });
});

it("undoing it is a call like another", () => {
  const step = { id: "s2", tool: "flow.echo", compensate: { tool: "flow.echo", args: { value: 1 } } };
  expect(normalized(step)).toEqual(step);
  expect(normalized({ id: "s2", compensate: "undo" })).toEqual({ id: "s2", compensate: "undo" });
});

it("what is no step stays as it is", () => {
  expect(normalized("step 1: search")).toBe("step 1: search");
});
