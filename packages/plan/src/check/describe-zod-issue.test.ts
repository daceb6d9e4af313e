import { expect, it } from "vitest";
import { z } from "zod";
import { describeZodIssue } from "./describe-zod-issue.ts";

const described = (schema: z.ZodType, value: unknown): string | undefined => {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  return issue === undefined ? undefined : describeZodIssue(issue, value);
};

it.each<[string, z.ZodType, unknown, string]>([
  ["a bound that is excluded", z.number().gt(1), 1, "wanted more than 1, got"],
  ["an upper bound that is excluded", z.number().lt(1), 1, "wanted less than 1, got"],
  ["too many fields", z.map(z.string(), z.string()).max(0), new Map([["a", "b"]]), "wanted at most 0 fields"],
  ["a format", z.email(), "x", "wanted text that is a valid email, got"],
  ["a pattern", z.string().regex(/^a$/), "x", "wanted text that matches /^a$/, got"],
  ["a multiple", z.number().multipleOf(5), 3, "wanted a multiple of 5, got"],
  ["one value", z.literal("a"), "x", 'wanted "a", got'],
  ["one number", z.literal(2), "x", "wanted 2, got"],
  ["a key", z.record(z.string().max(1), z.number()), { long: 1 }, "wanted a valid key, got"],
  ["an element", z.map(z.object({}), z.number()), new Map([[{}, "x"]]), "wanted a valid element, got"],
  ["a type without a name of its own", z.bigint(), "x", "wanted a bigint, got"],
  [
    "a rule of its own",
    z.string().refine(() => false, "no such word"),
    "x",
    "what the schema says (no such word)",
  ],
  ["its own words", z.string().refine(() => false, "wanted a known word"), "x", "wanted a known word, got"],
  [
    "a tag that is not known",
    z.discriminatedUnion("kind", [z.object({ kind: z.literal("a") }), z.object({ kind: z.literal("b") })]),
    { kind: "c" },
    'wanted one of "a", "b", got',
  ],
  ["any value", z.json().optional().nonoptional(), undefined, "wanted a value, got"],
  [
    "alternatives that differ inside",
    z.union([z.object({ a: z.string() }), z.number()]),
    {},
    'wanted text at "a" or a number',
  ],
])("describes the expected value: %s", (_what, schema, value, text) => {
  expect(described(schema, value)).toContain(text);
});
