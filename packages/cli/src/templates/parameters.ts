/** Parameters of templates: `[[name]]` in a submission's text stands for a value. */
import { didYouMean } from "@planwright/plan/nearest-name";
import type { Json, JsonObject } from "@planwright/client";
import { InvalidArgumentError } from "commander";
import { CliError, EXIT } from "../exit-codes.ts";
import type { Template } from "./template-store.ts";

const ASSIGNMENT = /^([A-Za-z][\w-]{0,31})=([\s\S]*)$/;
const PLACEHOLDER = /\[\[([A-Za-z][\w-]{0,31})\]\]/g;

type Assignment = readonly [name: string, value: string];

/** Parses `name=value`. @throws {InvalidArgumentError} */
export function assignmentOf(text: string): Assignment {
  const [, name, value] = ASSIGNMENT.exec(text) ?? [];
  if (name !== undefined && value !== undefined) return [name, value];
  throw new InvalidArgumentError("It must be name=value, such as quarter=Q4.");
}

/**
 * Replaces each text by the placeholder of its parameter, wherever it occurs in a value of the submission.
 *
 * @throws {CliError} `usage` for a text that is empty or does not occur.
 */
export function withPlaceholders(submission: JsonObject, parameters: readonly Assignment[]): JsonObject {
  if (parameters.length === 0) return submission;
  const nameOf = new Map(parameters.map(([name, text]) => [text, name]));
  const found = new Set<string>();
  // Longest first: a text can be part of another one.
  const texts = [...nameOf.keys()].toSorted((one, other) => other.length - one.length);
  const all = new RegExp(texts.map((text) => RegExp.escape(text)).join("|"), "g");
  const replaced = mapTexts(submission, (value) =>
    value.replaceAll(all, (text) => {
      found.add(text);
      return `[[${nameOf.get(text) ?? ""}]]`;
    }),
  );
  const missing = parameters.find(([, text]) => text === "" || !found.has(text));
  if (missing === undefined) return replaced;
  const [name, text] = missing;
  throw new CliError(
    EXIT.usage,
    `parameter ${name}: the submission does not contain ${JSON.stringify(text)}`,
  );
}

/** Inserts the given values, and the defaults of the other parameters. @throws {CliError} `usage` for an unknown parameter. */
export function withValues(
  { name, parameters, submission }: Pick<Template, "name" | "parameters" | "submission">,
  given: readonly Assignment[],
): JsonObject {
  const names = Object.keys(parameters);
  const unknown = given.find(([parameter]) => !names.includes(parameter));
  if (unknown !== undefined) {
    const known = names.length === 0 ? "It has none." : `Parameters: ${names.join(", ")}`;
    const message = `template ${name} has no parameter ${JSON.stringify(unknown[0])}${didYouMean(unknown[0], names)}`;
    throw new CliError(EXIT.usage, message, { hint: known });
  }
  const values = new Map([...Object.entries(parameters), ...given]);
  return mapTexts(submission, (text) =>
    text.replaceAll(PLACEHOLDER, (placeholder, parameter: string) => values.get(parameter) ?? placeholder),
  );
}

function mapTexts(object: JsonObject, change: (text: string) => string): JsonObject {
  const mapped = (value: Json): Json => {
    if (typeof value === "string") return change(value);
    if (Array.isArray(value)) return value.map(mapped);
    return typeof value === "object" && value !== null ? mapTexts(value, change) : value;
  };
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, mapped(value)]));
}
