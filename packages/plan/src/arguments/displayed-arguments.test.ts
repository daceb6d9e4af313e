import { describe, expect, it } from "vitest";
import { displayedArguments } from "./displayed-arguments.ts";
import type { StepOutput } from "../events/values.ts";
import type { JsonObject } from "../values/json.ts";
import { resolveReferences } from "./resolve-references.ts";

const OUTPUTS: Readonly<Record<string, StepOutput>> = {
  s1: { value: { rows: [{ region: "South", "odd key": 1 }], n: 3 } },
  s2: { artifact: { name: "big.json", contentType: "application/json", bytes: 9 }, preview: "[1" },
};
const outputOf = (id: string) => (Object.hasOwn(OUTPUTS, id) ? OUTPUTS[id] : undefined);

describe("displayed arguments", () => {
  it.each<JsonObject>([
    { a: { $ref: "s1.output.rows[0].region" }, b: ["{{s1.output.n}} of {{ s1.output.rows }}"] },
    { a: { $ref: 's1.output.rows[0]["odd key"]' }, b: "plain", c: null, d: [1, true] },
    {
      plan: {
        steps: [
          { id: "s1", tool: "flow.echo" },
          { id: "x", tool: "flow.echo", args: "{{s1.output.n}}" },
        ],
      },
    },
  ])("are the arguments that run: %j", (args) => {
    const runs = resolveReferences(args, (id) => {
      const output = outputOf(id);
      return output !== undefined && "value" in output ? { kind: "value", value: output.value } : undefined;
    });
    expect(displayedArguments(args, outputOf).resolved).toEqual(runs);
  });

  it.each<JsonObject>([
    { a: { $ref: "s9.output" } },
    { a: { $ref: "s1.output.rows[7].region" } },
    { a: { $ref: "s1.output.constructor" } },
    { a: { $ref: "s2.output" } },
    { a: "{{s2.output.x}} and {{s9.output}}" },
  ])("stay as planned while a value is unknown: %j", (args) => {
    expect(displayedArguments(args, outputOf).resolved).toEqual(args);
  });

  it("are resolved in a single pass, whatever the values contain", () => {
    const args = { a: `{{${" ".repeat(50_000)}`.repeat(4) };
    expect(displayedArguments(args, outputOf)).toEqual({ resolved: args, origins: [] });
  });

  it("list each value's origin once, with the resolved value", () => {
    const args = { a: "{{s1.output.n}}, {{s1.output.n}}", b: [{ $ref: "s2.output" }, { $ref: "item.name" }] };
    const item = { value: { name: "Ann" } };
    expect(displayedArguments(args, outputOf, item)).toEqual({
      resolved: { a: "3, 3", b: [{ $ref: "s2.output" }, "Ann"] },
      origins: [
        { text: "s1.output.n", stepId: "s1", value: 3 },
        { text: "s2.output", stepId: "s2" },
        { text: "item.name", value: "Ann" },
      ],
    });
    expect(displayedArguments({ a: { $ref: "item" } }, outputOf).origins).toEqual([{ text: "item" }]);
  });
});
