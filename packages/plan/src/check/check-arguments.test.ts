import { expect, it } from "vitest";
import { z } from "zod";
import { ToolSpec } from "../language/tool-spec.ts";
import { compileInput } from "./check-final-arguments.ts";

const specOf = (input: z.ZodType) =>
  ToolSpec.parse({
    name: "a.b",
    description: "x",
    input: z.toJSONSchema(input),
    output: {},
    timeoutMs: 1,
  });

it("checks plain patterns, and leaves those that need the u flag to the tool", () => {
  const schema = compileInput(
    specOf(z.strictObject({ code: z.string().regex(/^[A-Z]+$/), name: z.string().regex(/^\p{L}+$/u) })),
  );
  expect(schema?.safeParse({ code: "AB", name: "Größe" }).success).toBe(true);
  expect(schema?.safeParse({ code: "ab", name: "Größe" }).success).toBe(false);
  expect(schema?.safeParse({ code: "AB", name: 5 }).success).toBe(false);
});

it("keeps an argument named pattern", () => {
  const schema = compileInput(specOf(z.strictObject({ pattern: z.string() })));
  expect(schema?.safeParse({ pattern: "\\p{L}" }).success).toBe(true);
  expect(schema?.safeParse({}).success).toBe(false);
});
