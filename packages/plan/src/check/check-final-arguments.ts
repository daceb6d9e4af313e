import { isJsonObject, type Json, type JsonObject, nestsDeeper } from "../values/json.ts";
import { LIMITS } from "../values/limits.ts";
import { holdsStandIn } from "../arguments/placeholders.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import { compileInput } from "./check-arguments.ts";
import { pathText } from "./describe-value.ts";
import { describeZodIssue } from "./describe-zod-issue.ts";
import { jsonBytes } from "./json-bytes.ts";

const ISSUES_MAX = 20;

/**
 * Checks arguments that will run as they are, such as those that a person has edited: the tool's schema, and the
 * limits of resolved arguments. What stands for an artifact is left to the tool; a reference is no value here.
 *
 * @returns What is wrong, by field; nothing when they may run.
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
