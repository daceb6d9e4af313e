import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { JsonObject } from "../values/json.ts";
import { JsonSchema } from "../language/tool-spec.ts";
import { checkFinalArguments } from "./check-final-arguments.ts";

const input = JsonSchema.parse(
  z.toJSONSchema(z.strictObject({ to: z.string().min(1), copies: z.int().optional() })),
);
const fieldsOf = (args: JsonObject) => checkFinalArguments(args, { input }).map(({ field }) => field);

describe("final arguments", () => {
  it("pass when they fit the tool's schema", () => {
    expect(fieldsOf({ to: "ann", copies: 2 })).toEqual([]);
  });

  it.each<[JsonObject, string]>([
    [{ to: "" }, "args.to"],
    [{}, "args.to"],
    [{ to: "ann", copies: "2" }, "args.copies"],
    [{ to: { $ref: "s1.output" } }, "args.to"],
    [{ to: "ann", bcc: "bob" }, "args"],
    [{ to: "x".repeat(300_000) }, "args"],
  ])("are refused with the invalid field", (args, field) => {
    expect(fieldsOf(args)).toEqual([field]);
  });

  it("are refused when they are nested too deep to be walked", () => {
    let deep: JsonObject = {};
    for (let level = 0; level < 600; level++) deep = { deep };
    expect(fieldsOf(deep)).toEqual(["args"]);
  });

  it("can contain an artifact placeholder wherever a value is allowed", () => {
    const artifact = { $artifact: "outputs/s1-0-1.json", path: [] };
    expect(fieldsOf({ to: artifact })).toEqual([]);
    expect(fieldsOf({ to: { $template: ["to ", artifact] } })).toEqual([]);
  });
});
