import { resolveReferences } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import type { JsonObject, StepOutput } from "../api/api-types.ts";
import { resolveArguments } from "./resolve-arguments.ts";

const OUTPUTS: Readonly<Record<string, StepOutput>> = {
  s1: { value: { rows: [{ region: "South", "odd key": 1 }], n: 3 } },
  s2: { artifact: { name: "big.json", contentType: "application/json", bytes: 9 }, preview: "[1" },
};
const outputOf = (id: string) => (Object.hasOwn(OUTPUTS, id) ? OUTPUTS[id] : undefined);

describe("arguments as they are shown", () => {
  it.each<JsonObject>([
    { a: { $ref: "s1.output.rows[0].region" }, b: ["{{s1.output.n}} of {{ s1.output.rows }}"] },
    { a: { $ref: 's1.output.rows[0]["odd key"]' }, b: "plain", c: null, d: [1, true] },
  ])("are what runs: %j", (args) => {
    const runs = resolveReferences(args, (id) => {
      const output = outputOf(id);
      return output !== undefined && "value" in output ? { kind: "value", value: output.value } : undefined;
    });
    expect(resolveArguments(args, outputOf).resolved).toEqual(runs);
  });

  it.each<JsonObject>([
    { a: { $ref: "s9.output" } },
    { a: { $ref: "s1.output.rows[7].region" } },
    { a: { $ref: "s1.output.constructor" } },
    { a: { $ref: "s2.output" } },
    { a: "{{s2.output.x}} and {{s9.output}}" },
  ])("stay as planned where nothing is known: %j", (args) => {
    expect(resolveArguments(args, outputOf).resolved).toEqual(args);
  });
});
