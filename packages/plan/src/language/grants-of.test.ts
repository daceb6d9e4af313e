import { grantOf, grantsOf } from "./grants-of.ts";
import { expect, it } from "vitest";
import { PlanDocument } from "./plan-language.ts";
import { ToolSpec } from "./tool-spec.ts";

const spec = (name: string, more: object = {}) =>
  ToolSpec.parse({ name, description: name, input: {}, output: {}, timeoutMs: 1_000, ...more });
const specs = [
  spec("files.write", { effect: "idempotent", risk: "medium" }),
  spec("files.remove"),
  spec("model.write", { modelTokens: 500 }),
  spec("flow.echo"),
];
const tools = new Map(specs.map((one) => [one.name, one]));

it("includes the tools of the steps and of their compensations, and no others", () => {
  const plan = PlanDocument.parse({
    steps: [
      { id: "a", tool: "files.write", compensate: { tool: "files.remove", args: {} } },
      { id: "b", tool: "model.write" },
      { id: "c", tool: "never.heard" },
    ],
  });
  const grants = grantsOf(plan, tools);
  expect(Object.keys(grants)).toEqual(["files.write", "files.remove", "model.write"]);
  expect(grants).toMatchObject({
    "files.write": { effect: "idempotent", risk: "medium", timeoutMs: 1_000 },
    "model.write": { modelTokens: 500 },
  });
});

it("includes the properties of a tool that determine how its steps are sent and reviewed", () => {
  expect(grantOf(spec("flow.echo", { light: true, effect: "read", risk: "low" }))).toMatchObject({
    light: true,
  });
  expect(grantOf(spec("flow.echo"))).not.toHaveProperty("light");
  const writes = (effect: string) => grantOf({ ...spec("model.write"), revises: true, effect } as ToolSpec);
  expect(writes("read")).toMatchObject({ revises: true });
  expect(writes("idempotent")).not.toHaveProperty("revises");
});
