import type { z } from "zod";
import { isJsonObject, type Json, type JsonObject } from "../values/json.ts";
import { findReferences, isReferenceObject } from "../language/references.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import { compileInput } from "./compile-input.ts";
import { pathText } from "./describe-value.ts";
import { describeZodIssue } from "./describe-zod-issue.ts";
import type { IssueList, StepPlace } from "./issue-list.ts";
import { didYouMean } from "./nearest-name.ts";

/**
 * Checks arguments against their tool's input schema, one issue per field.
 *
 * References are accepted where they stand, since only their step's output can tell: what the schema
 * says about a reference, about what is inside one, or about a union that contains one is left to the
 * tool. A template is always text, so where no text is allowed it is refused.
 */
export function checkArguments(args: JsonObject, spec: ToolSpec, place: StepPlace, issues: IssueList): void {
  const result = parseSafely(compileInput(spec), args);
  for (const issue of result?.issues ?? []) {
    if (issue.code === "unrecognized_keys") {
      if (!isLeftToTheTool(issue, args)) noteUnknown(issue, { args, spec, place, issues });
    } else if (isMistypedTemplate(issue, args)) {
      const value = valueAtPath(args, issue.path);
      issues.addToStep("invalid_arguments", place, () => ({
        field: pathText("args", issue.path),
        message: `${describeZodIssue(issue, value)}: {{…}} always gives text; {"$ref": "…"} gives the value itself`,
      }));
    } else if (!isLeftToTheTool(issue, args)) {
      const value = valueAtPath(args, issue.path);
      issues.addToStep("invalid_arguments", place, () => ({
        field: pathText("args", issue.path),
        message: describeZodIssue(issue, value),
      }));
    }
  }
}

/** A schema may be one that cannot be run; then there is nothing to say here. */
function parseSafely(schema: z.ZodType | undefined, args: JsonObject): z.ZodError | undefined {
  try {
    return schema?.safeParse(args).error;
  } catch {
    return undefined;
  }
}

type Checked = {
  readonly args: JsonObject;
  readonly spec: ToolSpec;
  readonly place: StepPlace;
  readonly issues: IssueList;
};

function noteUnknown(issue: z.core.$ZodIssueUnrecognizedKeys, { spec, place, issues }: Checked): void {
  const { properties } = spec.input;
  const known =
    issue.path.length === 0 && properties !== undefined && isJsonObject(properties) ? properties : {};
  for (const key of issue.keys) {
    issues.addToStep("invalid_arguments", place, () => ({
      field: pathText("args", [...issue.path, key]),
      message: `${spec.name} has no such argument${didYouMean(key, Object.keys(known))}`,
    }));
  }
}

function isMistypedTemplate(issue: z.core.$ZodIssue, args: JsonObject): boolean {
  if (issue.code !== "invalid_type") return false;
  const value = valueAtPath(args, issue.path);
  return typeof value === "string" && containsReference(value);
}

function isLeftToTheTool(issue: z.core.$ZodIssue, args: JsonObject): boolean {
  // A key is wrong whatever its value refers to.
  const path = issue.code === "invalid_key" ? issue.path.slice(0, -1) : issue.path;
  let value: Json | undefined = args;
  for (const part of path) {
    value = childOf(value, part);
    if (value === undefined) return false;
    if (isReferenceObject(value)) return true;
  }
  if (typeof value === "string") return containsReference(value);
  return (issue.code === "invalid_union" || issue.code === "custom") && containsReference(value);
}

function containsReference(value: Json): boolean {
  const { references, malformed, secrets } = findReferences({ value });
  return references.length + malformed.length + secrets.length > 0;
}

function valueAtPath(args: JsonObject, path: readonly PropertyKey[]): Json | undefined {
  let value: Json | undefined = args;
  for (const part of path) value = childOf(value, part);
  return value;
}

function childOf(value: Json | undefined, part: PropertyKey): Json | undefined {
  if (Array.isArray(value)) return value[Number(part)];
  return value !== undefined && isJsonObject(value) && Object.hasOwn(value, part)
    ? value[String(part)]
    : undefined;
}
