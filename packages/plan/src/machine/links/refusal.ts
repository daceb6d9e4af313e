/** Reads a verification's result from its output: from fields of a schema, never from words in a text. */
import type { StepOutput } from "../../events/values.ts";
import type { Json, JsonObject } from "../../values/json.ts";
import { isJsonObject } from "../../values/json-guards.ts";

/** Each of these fields gives the result if it is true or false. */
const VERDICT_FIELDS = ["ok", "passed", "valid", "approved", "value"] as const;
/** The fields that may give the reason. */
const REASON_FIELDS = ["reason", "message", "error"] as const;
const ISSUES_MAX = 20;
const ISSUE_CHARS_MAX = 1_000;
/** A longer text is not read as a result. */
const TEXT_CHARS_MAX = 65_536;
/** A model's JSON may be wrapped in a code fence. */
const FENCED = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?```\s*$/;

/**
 * Returns why an output refuses the step that it verifies; undefined if it does not.
 *
 * An output refuses if it is `false`, an object in which `ok`, `passed`, `valid`, `approved` or `value` is false, or a
 * text that consists only of such a value as JSON. An output that is kept as a file is not read. It counts as a refusal
 * too, because its result is unknown.
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

/** Parses a text as JSON: the output itself, or its `text`. */
function valueInText(value: Json): Json | undefined {
  const text = isJsonObject(value) ? value["text"] : value;
  if (typeof text !== "string" || text.length > TEXT_CHARS_MAX) return undefined;
  try {
    // JSON.parse returns only JSON values.
    return JSON.parse(FENCED.exec(text)?.[1] ?? text) as Json;
  } catch {
    return undefined;
  }
}
