import { type Json, type StepEntry, Step, ToolSpec } from "@planwright/plan";
import { expect, it } from "vitest";
import { z } from "zod";
import { type ActionBasis, ActionBuilder } from "./action-builder.ts";
import type { PlannedStep } from "./draft-builder.ts";

const ECHO = ToolSpec.parse({
  name: "flow.echo",
  description: "echo",
  input: z.toJSONSchema(z.strictObject({ value: z.unknown() })),
  output: {},
  risk: "low",
  effect: "read",
  timeoutMs: 5_000,
  pool: "quick",
});
const echo = (id: string, value: Json): Json => ({ id, tool: "flow.echo", args: { value } });
// Of an earlier action only its content matters here.
const entry = (id: string) => ({ step: Step.parse(echo(id, id)), state: {} }) as unknown as StepEntry;
const PATH = { path: [entry("s1")], width: 2, tried: [] };

function build(proposed: readonly Json[], basis: Partial<ActionBasis> = {}) {
  const planned: PlannedStep[] = [];
  const tools = new Map([[ECHO.name, ECHO]]);
  const whole = { tools, draft: 2, earlier: [entry("s1"), entry("s2")], expansion: PATH, ...basis };
  const builder = new ActionBuilder(whole, (step) => planned.push(step));
  for (const [index, step] of proposed.entries()) builder.take(step, index);
  return { planned, codes: builder.issues.map(({ code }) => code) };
}

it("has each action follow the last one of the path, under an id of its own", () => {
  const { planned } = build([echo("s1", { $ref: "s1.output" }), echo("s2", "x")]);
  expect(planned).toMatchObject([
    { index: 0, step: { id: "s1-d2", args: { value: { $ref: "s1.output" } }, dependsOn: ["s1"] } },
    { index: 1, step: { id: "s2-d2", dependsOn: ["s1"] } },
  ]);
});

it("tries again what was tried elsewhere: here it is another action", () => {
  expect(build([echo("s3", "s2")]).planned.map(({ step }) => step.id)).toEqual(["s3"]);
});

it("tries what is proposed twice once, and no more than was asked for", () => {
  const proposed = [echo("a", 1), echo("b", 1), echo("c", 2), echo("d", 3)];
  expect(build(proposed).planned.map(({ step }) => step.id)).toEqual(["a", "c"]);
});

it("refuses an action that needs another of its round, or one of another branch, and plans nothing after", () => {
  expect(build([echo("a", 1), echo("b", { $ref: "a.output" }), echo("c", 3)])).toMatchObject({
    planned: [{ step: { id: "a" } }],
    codes: ["dangling_reference"],
  });
  expect(build([echo("a", { $ref: "s2.output" })]).codes).toEqual(["dangling_reference"]);
});
