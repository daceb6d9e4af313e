import { isJsonObject, type Json, type JsonObject, nestsDeeper } from "../values/json.ts";
import { LIMITS } from "../values/limits.ts";
import { holdsStandIn } from "../arguments/placeholders.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import { pathText } from "./describe-value.ts";
import { describeZodIssue } from "./describe-zod-issue.ts";
import { jsonBytes } from "./json-bytes.ts";
import { z } from "zod";
import { findReferences, isReferenceObject } from "../language/references.ts";
import type { IssueList, StepPlace } from "./issue-list.ts";
import { didYouMean } from "./nearest-name.ts";

const ISSUES_MAX = 20;

/**
 * Checks arguments that run unchanged, such as those that a reviewer edited, against the tool's schema and the limits of resolved
 * arguments. Artifact placeholders are left to the tool; a reference is not a valid value here.
 *
 * @returns The faults by field; empty if the arguments can run.
 */
export function checkFinalArguments(
  args: JsonObject,
  spec: Pick<ToolSpec, "input">,
): { readonly field: string; readonly message: string }[] {
  if (nestsDeeper(args, LIMITS.levelsMax)) {
    return [{ field: "args", message: `wanted at most ${LIMITS.levelsMax} levels, got more` }];
  }
  const bytes = jsonBytes(args);
  if (bytes > LIMITS.argsBytesMax) {
    return [{ field: "args", message: `wanted at most ${LIMITS.argsBytesMax} bytes, got ${bytes}` }];
  }
  const issues = compileInput(spec)?.safeParse(args).error?.issues ?? [];
  return issues.slice(0, ISSUES_MAX).flatMap((issue) => {
    const { value, isStandIn } = at(args, issue.path);
    if (isStandIn && issue.code !== "unrecognized_keys") return [];
    return [{ field: pathText("args", issue.path), message: describeZodIssue(issue, value) }];
  });
}

function at(args: JsonObject, path: readonly PropertyKey[]): { value: Json | undefined; isStandIn: boolean } {
  let value: Json | undefined = args;
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else if (value !== undefined && isJsonObject(value)) {
      value = Object.hasOwn(value, part) ? value[String(part)] : undefined;
    } else value = undefined;
    if (value !== undefined && holdsStandIn(value)) return { value, isStandIn: true };
  }
  return { value, isStandIn: false };
}

/**
 * Checks arguments against their tool's input schema, one issue per field.
 *
 * A reference is accepted in place of any value, since only the step's output can tell its type: the schema's rules for a
 * reference, for its parts, or for a union that contains one are left to the tool. A template is always text, so it is refused
 * where text is not allowed.
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

/** A schema that cannot be applied reports no issues. */
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
  // An invalid key is invalid whatever its value refers to.
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

const compiled = new WeakMap<ToolSpec["input"], z.ZodType | undefined>();

/** Parts of a pattern that only have a meaning in a regular expression with the `u` flag. */
const UNICODE_ONLY = /\\[pPu]\{/;

/**
 * Compiles a tool's input schema for checking arguments; cached per spec.
 *
 * Undefined for a schema with keywords that cannot be checked here (`if`, `dependentRequired`, remote references): the tool
 * checks its own input when it runs. The same applies to patterns that need the `u` flag.
 */
export function compileInput(spec: Pick<ToolSpec, "input">): z.ZodType | undefined {
  if (!compiled.has(spec.input)) compiled.set(spec.input, compile(spec.input));
  return compiled.get(spec.input);
}

function compile(schema: ToolSpec["input"]): z.ZodType | undefined {
  try {
    const checked = withoutUnicodePatterns(schema);
    return isJsonObject(checked) ? z.fromJSONSchema(checked) : undefined;
  } catch {
    return undefined;
  }
}

/** Schemas are compiled without the flag, so such a pattern would refuse the values that it is meant to accept. */
function withoutUnicodePatterns(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutUnicodePatterns);
  if (!isJsonObject(schema)) return schema;
  const isKept = ([key, value]: [string, Json]): boolean =>
    !(key === "pattern" && typeof value === "string" && UNICODE_ONLY.test(value));
  return Object.fromEntries(
    Object.entries(schema)
      .filter(isKept)
      .map(([key, value]) => [key, withoutUnicodePatterns(value)]),
  );
}
