import { describeError, PermanentError } from "@planwright/shared/errors";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createToolbox } from "./create-toolbox.ts";
import { AnyJson, defineTool } from "./define-tool.ts";
import { testContext } from "./testing/test-context.ts";

const double = defineTool({
  name: "test.double",
  description: "Doubles a number.",
  input: z.strictObject({ n: z.number().max(10), label: z.string().default("none") }),
  output: z.object({ n: z.number() }),
  risk: "low",
  effect: "read",
  timeoutMs: 1_000,
  untrusted: false,
  run: async ({ n }) => ({ n: n * 2, secret: "not declared" }),
});

describe("a tool", () => {
  it("describes its arguments and output as JSON Schemas, with defaults not required", () => {
    expect(double.spec).toMatchObject({ name: "test.double", pool: "default", untrusted: false });
    expect(double.spec.input).toMatchObject({ required: ["n"], additionalProperties: false });
    expect(double.spec.input).not.toHaveProperty("$schema");
    expect(double.spec.output).toMatchObject({ properties: { n: { type: "number" } } });
  });

  it("returns only what its output schema declares", async () => {
    await expect(double.run({ n: 4 }, testContext())).resolves.toEqual({ n: 8 });
  });

  it("lists every invalid field in its arguments", async () => {
    const refused = await double
      .run({ n: 11, label: 5, m: 1 }, testContext())
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(PermanentError);
    expect(refused).toMatchObject({ code: "invalid_arguments" });
    expect(describeError(refused)).toMatch(/n: .*10.*label: .*string.*"m"/s);
    expect(describeError(refused)).not.toContain("[\n");
  });

  it.each([undefined, null, "text", []])("refuses %j as arguments", (args) => {
    expect(() => double.parseInput(args)).toThrow(/invalid arguments of test.double/);
  });

  it("fails permanently when its output violates its own schema", async () => {
    const broken = defineTool({
      name: "test.broken",
      description: "Breaks its word.",
      input: z.strictObject({}),
      output: z.object({ rows: z.array(z.object({ n: z.number().max(1) })) }),
      risk: "low",
      effect: "read",
      timeoutMs: 1_000,
      run: async () => ({ rows: [{ n: 0 }, { n: 2 }] }),
    });
    await expect(broken.run({}, testContext())).rejects.toMatchObject({
      code: "invalid_output",
      message: expect.stringContaining("rows[1].n"),
    });
  });

  it("counts as untrusted output unless declared otherwise", () => {
    const quiet = defineTool({
      name: "test.quiet",
      description: "Says nothing about trust.",
      input: z.strictObject({ value: AnyJson }),
      output: AnyJson,
      risk: "low",
      effect: "read",
      timeoutMs: 1_000,
      run: async ({ value }) => value,
    });
    expect(quiet.spec.untrusted).toBe(true);
    expect(quiet.spec.input).toMatchObject({ required: ["value"] });
    expect(() => quiet.parseInput({})).toThrow(/value: is required/);
  });
});

describe("a toolbox", () => {
  it("finds tools by name and lists their specs in order", () => {
    const toolbox = createToolbox([double]);
    expect(toolbox.get("test.double")).toBe(double);
    expect(toolbox.get("constructor")).toBeUndefined();
    expect(toolbox.specs()).toEqual([double.spec]);
  });

  it("refuses two tools of the same name", () => {
    expect(() => createToolbox([double, double])).toThrow("two tools are named test.double");
  });
});
