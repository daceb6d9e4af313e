import { describeZodIssue } from "@planwright/plan";
import { z } from "zod";
import type { FieldIssue } from "@planwright/api";
import { Problem } from "./problem.ts";

/**
 * Parses one part of a request.
 *
 * @param part - Its name in the refusal: `body`, `query`, `path`, `message`.
 * @throws {Problem} `invalid_request` with an issue for every invalid field.
 */
export function parsePart<Schema extends z.ZodType>(
  Schema: Schema,
  value: unknown,
  part: string,
): z.output<Schema> {
  const parsed = Schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map((issue) => fieldIssue(issue, value, part));
  const [first] = issues;
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : "";
  throw new Problem("invalid_request", `${first?.field}: ${first?.message}${more}`, { issues });
}

function fieldIssue(issue: z.core.$ZodIssue, value: unknown, part: string): FieldIssue {
  const path = z.core.toDotPath(issue.path);
  // The value as sent; the parsed one if nothing was sent under this path.
  const sent = valueAt(value, issue.path) ?? issue.input;
  return { field: path === "" ? part : path, message: describeZodIssue(issue, sent) };
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Readonly<Record<PropertyKey, unknown>>)[part];
  }
  return value;
}
