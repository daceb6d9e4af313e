/** What a step says of the one that it verifies, read from its output: fields of a schema, never words in a text. */
import type { StepOutput } from "../../events/values.ts";
import type { Json, JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json-guards.ts";

/** Any of them says it, when it is true or false. */
const VERDICT_FIELDS = ["ok", "passed", "valid", "approved", "value"] as const;
/** Where a verdict says why. */
const REASON_FIELDS = ["reason", "message", "error"] as const;
const ISSUES_MAX = 20;
const ISSUE_CHARS_MAX = 1_000;
/** A longer text is no verdict. */
const TEXT_CHARS_MAX = 65_536;
/** A model's JSON may stand in a fence. */
const FENCED = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/;

/**
 * Why an output refuses the step that it verifies; undefined when it does not.
 *
 * An output refuses if it is `false`, an object in which `ok`, `passed`, `valid`, `approved` or `value` is false, or a
 * text that consists only of such a value as JSON. An output that is kept as a file is not read: it refuses too, since
 * its result is unknown.
 */
export function refusalIn(output: StepOutput): readonly string[] | undefined {
  if ("artifact" in output)
    return [`its verdict is kept as the file ${output.artifact.name}, too large to be read`];
  return refusalOf(output.value) ?? refusalOf(valueInText(output.value));
}

function refusalOf(value: Json | undefined): readonly string[] | undefined {
  if (value === false) return [];
  if (value === undefined || !isJsonObject(value)) return undefined;
  const refuses = VERDICT_FIELDS.some((field) => Object.hasOwn(value, field) && value[field] === false);
  return refuses ? issuesOf(value) : undefined;
}

function issuesOf(value: JsonObject): string[] {
  const { issues } = value;
  const said = Array.isArray(issues) ? issues : REASON_FIELDS.map((field) => value[field]);
  return said
    .flatMap((issue) => (typeof issue === "string" && issue !== "" ? [issue.slice(0, ISSUE_CHARS_MAX)] : []))
    .slice(0, ISSUES_MAX);
}

/** What a text is as JSON: the output itself, or its `text`. */
function valueInText(value: Json): Json | undefined {
  const text = isJsonObject(value) ? value["text"] : value;
  if (typeof text !== "string" || text.length > TEXT_CHARS_MAX) return undefined;
  try {
    // JSON.parse yields JSON and nothing else.
    return JSON.parse(FENCED.exec(text)?.[1] ?? text) as Json;
  } catch {
    return undefined;
  }
}
