import type { z } from "zod";
import { describeValue, quoteAll } from "./describe-value.ts";

type ZodIssue = z.core.$ZodIssue;

/**
 * Describes the expected and the actual value in one sentence.
 *
 * @param value - The value at the issue's path.
 */
export function describeZodIssue(issue: ZodIssue, value: unknown): string {
  // Our own schemas describe the expected value in their messages.
  const wanted = issue.message.startsWith("wanted ") ? issue.message : `wanted ${wantedBy(issue)}`;
  return `${wanted}, got ${describeValue(value)}`;
}

function wantedBy(issue: ZodIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return typeName(issue.expected);
    case "too_small":
      return `${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}${unitOf(issue.origin)}`;
    case "too_big":
      return `${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}${unitOf(issue.origin)}`;
    case "invalid_format":
      return issue.pattern === undefined || issue.format !== "regex"
        ? `text that is a valid ${issue.format}`
        : `text that matches ${issue.pattern}`;
    case "not_multiple_of":
      return `a multiple of ${issue.divisor}`;
    case "invalid_value":
      return issue.values.length === 1
        ? quoteValue(issue.values[0])
        : `one of ${quoteAll(issue.values.map(String))}`;
    case "invalid_union":
      return "options" in issue && Array.isArray(issue.options) && issue.options.length > 0
        ? `one of ${quoteAll(issue.options.map(String))}`
        : wantedByUnion(issue.errors);
    case "unrecognized_keys":
      return `no field named ${quoteAll(issue.keys)}`;
    case "invalid_key":
    case "invalid_element":
      return `a valid ${issue.code === "invalid_key" ? "key" : "element"}`;
    case "custom":
      return `what the schema says (${issue.message})`;
    default:
      issue satisfies never;
      return "something else";
  }
}

/** The alternatives of a union, as far as they differ in the value itself. */
function wantedByUnion(alternatives: readonly (readonly ZodIssue[])[]): string {
  const wanted = new Set<string>();
  for (const [first] of alternatives) {
    if (first === undefined) continue;
    const inside = first.path.length === 0 ? "" : ` at ${JSON.stringify(first.path.map(String).join("."))}`;
    wanted.add(wantedBy(first) + inside);
  }
  return wanted.size === 0 ? "exactly one of its alternatives" : [...wanted].slice(0, 5).join(" or ");
}

function quoteValue(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value) : String(value);
}

function unitOf(origin: string): string {
  if (origin === "string") return " characters";
  if (origin === "array" || origin === "set") return " entries";
  return origin === "object" || origin === "map" ? " fields" : "";
}

function typeName(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    string: "text",
    int: "a whole number",
    array: "a list",
    object: "an object",
    record: "an object",
    null: "null",
    never: "nothing",
    boolean: "true or false",
    nonoptional: "a value",
    undefined: "nothing",
    nan: "NaN",
  };
  return names[expected] ?? `a ${expected}`;
}
