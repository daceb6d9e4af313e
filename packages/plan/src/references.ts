/**
 * References from a step's arguments to other steps' outputs.
 *
 * `{"$ref": "s1.output.items[0].price"}` stands for a value; `{{s1.output.name}}` stands for its text inside a
 * string (strings as they are, anything else as JSON). A reference implies the dependency.
 *
 * A plan that stands in arguments keeps its references: they are to its own steps.
 */
import { StepId } from "./ids.ts";
import { isJsonObject, type Json, type JsonObject } from "./json.ts";

export type Reference = {
  readonly stepId: StepId;
  /** Keys and indexes below the step's output; empty means the whole output. */
  readonly path: readonly (string | number)[];
  /** As written, for messages. */
  readonly text: string;
};

/** A reference found in arguments, with the place where it stands: `query`, `items[2].url`. */
export type PlacedReference = Reference & { readonly field: string };

export type MalformedReference = { readonly field: string; readonly text: string };

/**
 * `{{…}}` inside a string; the first group is what it refers to, without the spaces around it.
 *
 * The group begins and ends with what is no space, so that there is one way only to match spaces: arguments
 * come from strangers, and a pattern with several takes hours on a long run of spaces.
 */
export const TEMPLATE = /\{\{\s*([^{}\s](?:[^{}]{0,498}[^{}\s])?)\s*\}\}/g;
const HEAD = /^([\w-]{1,64})\.output/;
const SEGMENT = /^(?:\.([\w-]+)|\[(\d{1,9})\]|\["((?:[^"\\]|\\.)*)"\])/;

/** Parses `s1.output.items[0].price`; undefined when it is not a reference. */
export function parseReference(text: string): Reference | undefined {
  const head = HEAD.exec(text);
  const stepId = StepId.safeParse(head?.[1]);
  if (head === null || !stepId.success) return undefined;
  const path: (string | number)[] = [];
  let rest = text.slice(head[0].length);
  while (rest !== "") {
    const segment = SEGMENT.exec(rest);
    if (segment === null) return undefined;
    const [whole, key, index, quoted] = segment;
    if (index !== undefined) path.push(Number(index));
    else path.push(key ?? unquote(quoted ?? ""));
    rest = rest.slice(whole.length);
  }
  return { stepId: stepId.data, path, text };
}

/** True for `{"$ref": …}`, whatever it refers to. */
export function isReferenceObject(value: Json): value is { $ref: string } {
  return isJsonObject(value) && Object.keys(value).length === 1 && typeof value["$ref"] === "string";
}

/** Whether a value is a plan: a list of steps, each with an id and a tool. What it refers to is inside it. */
export function isPlanValue(value: Json): boolean {
  if (!isJsonObject(value) || !Object.hasOwn(value, "steps")) return false;
  const { steps } = value;
  return Array.isArray(steps) && steps.length > 0 && steps.every(isStepValue);
}

function isStepValue(value: Json): boolean {
  return isJsonObject(value) && typeof value["id"] === "string" && typeof value["tool"] === "string";
}

/** Every reference in a step's arguments, and everything that looks like one and is malformed. */
export function findReferences(args: JsonObject): {
  references: PlacedReference[];
  malformed: MalformedReference[];
} {
  const references: PlacedReference[] = [];
  const malformed: MalformedReference[] = [];
  const note = (text: string, field: string): void => {
    const reference = parseReference(text);
    if (reference === undefined) malformed.push({ field, text });
    else references.push({ ...reference, field });
  };
  const pending: { value: Json; field: string }[] = [{ value: args, field: "" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, field } = next;
    if (typeof value === "string") {
      for (const match of value.matchAll(TEMPLATE)) note(match[1] ?? "", field);
    } else if (Array.isArray(value)) {
      value.forEach((entry, index) => pending.push({ value: entry, field: `${field}[${index}]` }));
    } else if (isReferenceObject(value)) {
      note(value.$ref, field);
    } else if (isJsonObject(value) && !isPlanValue(value)) {
      for (const [key, entry] of Object.entries(value)) {
        pending.push({ value: entry, field: field === "" ? key : `${field}.${key}` });
      }
    }
  }
  return { references, malformed };
}

/** What a reference's step has to offer: its output, or where the output is kept. */
export type ResolvedOutput =
  /** There is none, and none is missing: any reference to it gives null, or no text. */
  | { readonly kind: "nothing" }
  | { readonly kind: "value"; readonly value: Json }
  | { readonly kind: "artifact"; readonly artifact: string };

/** Stands in resolved arguments for a part of an output that is kept as an artifact. */
export type ArtifactValue = { readonly $artifact: string; readonly path: readonly (string | number)[] };

/**
 * Stands in resolved arguments for an output that itself looks like a stand-in. Outputs come from strangers:
 * one that holds an `$artifact` must not make a worker load it.
 */
type LiteralValue = { readonly $literal: Json };

const STAND_INS = ["$artifact", "$template", "$literal"];

/** A reference that its step's output cannot satisfy. */
export class UnresolvedReferenceError extends Error {
  override readonly name = "UnresolvedReferenceError";
}

/**
 * Replaces every reference by what it stands for.
 *
 * A reference to an output that is an artifact becomes `{"$artifact", "path"}`, for {@link loadArtifactValues}
 * on the worker's side; inside a string that cannot be, so the whole string becomes `{"$template"}` parts.
 *
 * @throws {UnresolvedReferenceError} When a path leads nowhere; the message names what was there.
 */
export function resolveReferences(
  args: JsonObject,
  outputOf: (stepId: StepId) => ResolvedOutput | undefined,
): JsonObject {
  return mapObject(args, (value) => resolveValue(value, (text) => lookUp(text, outputOf)));
}

/** The step's output at a path of keys and indexes; own properties only. */
export function valueAt(root: Json, reference: Pick<Reference, "path" | "text">): Json {
  let value: Json = root;
  for (const part of reference.path) {
    const next: Json | undefined =
      Array.isArray(value) && typeof part === "number"
        ? value[part]
        : isJsonObject(value) && Object.hasOwn(value, String(part))
          ? value[String(part)]
          : undefined;
    if (next === undefined) {
      throw new UnresolvedReferenceError(
        `${reference.text} leads nowhere: no ${JSON.stringify(part)} in ${describeValue(value)}`,
      );
    }
    value = next;
  }
  return value;
}

type Found = { readonly value: Json; readonly isNothing?: true } | { readonly artifact: ArtifactValue };

function lookUp(text: string, outputOf: (stepId: StepId) => ResolvedOutput | undefined): Found {
  const reference = parseReference(text);
  if (reference === undefined) throw new UnresolvedReferenceError(`${text} is not a reference`);
  const output = outputOf(reference.stepId);
  if (output === undefined) throw new UnresolvedReferenceError(`${text}: ${reference.stepId} has no output`);
  if (output.kind === "nothing") return { value: null, isNothing: true };
  return output.kind === "value"
    ? { value: valueAt(output.value, reference) }
    : { artifact: { $artifact: output.artifact, path: reference.path } };
}

function resolveValue(value: Json, find: (text: string) => Found): Json {
  if (typeof value === "string") return resolveTemplate(value, find);
  if (Array.isArray(value)) return value.map((entry) => resolveValue(entry, find));
  if (isReferenceObject(value)) {
    const found = find(value.$ref);
    return "value" in found ? asLiteral(found.value) : artifactJson(found.artifact);
  }
  if (isPlanValue(value)) return value;
  if (isJsonObject(value)) return mapObject(value, (entry) => resolveValue(entry, find));
  return value;
}

function resolveTemplate(text: string, find: (text: string) => Found): Json {
  const parts: Json[] = [];
  let end = 0;
  let literal = "";
  for (const match of text.matchAll(TEMPLATE)) {
    const found = find(match[1] ?? "");
    literal += text.slice(end, match.index);
    end = match.index + match[0].length;
    if ("value" in found) literal += found.isNothing === true ? "" : textOf(found.value);
    else {
      parts.push(literal, artifactJson(found.artifact));
      literal = "";
    }
  }
  literal += text.slice(end);
  return parts.length === 0 ? literal : { $template: [...parts, literal] };
}

/** Loads what {@link resolveReferences} left as artifacts. */
export async function loadArtifactValues(
  args: JsonObject,
  load: (artifact: string) => Promise<Json>,
): Promise<JsonObject> {
  if (!holdsStandIn(args)) return args;
  const loaded = new Map<string, Json>();
  for (const name of artifactNames(args)) loaded.set(name, await load(name));
  const fill = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(fill);
    if (!isJsonObject(value)) return value;
    if (isLiteral(value)) return value.$literal;
    const artifact = asArtifactValue(value);
    if (artifact !== undefined) {
      const root = loaded.get(artifact.$artifact) ?? null;
      return valueAt(root, { path: artifact.path, text: artifact.$artifact });
    }
    const template = value["$template"];
    if (Array.isArray(template)) return template.map((part) => textOf(fill(part))).join("");
    return mapObject(value, fill);
  };
  return mapObject(args, fill);
}

function artifactNames(value: Json, names: Set<string> = new Set()): Set<string> {
  if (Array.isArray(value)) for (const entry of value) artifactNames(entry, names);
  else if (isJsonObject(value) && !isLiteral(value)) {
    const artifact = asArtifactValue(value);
    if (artifact !== undefined) names.add(artifact.$artifact);
    else for (const entry of Object.values(value)) artifactNames(entry, names);
  }
  return names;
}

function asLiteral(value: Json): Json {
  return holdsStandIn(value) ? ({ $literal: value } satisfies LiteralValue) : value;
}

function isLiteral(value: JsonObject): value is LiteralValue {
  return Object.hasOwn(value, "$literal") && Object.keys(value).length === 1;
}

/** Whether an artifact, or a text with one in it, stands somewhere in a value that was resolved. */
export function holdsStandIn(value: Json): boolean {
  if (Array.isArray(value)) return value.some(holdsStandIn);
  if (!isJsonObject(value)) return false;
  return STAND_INS.some((key) => Object.hasOwn(value, key)) || Object.values(value).some(holdsStandIn);
}

function asArtifactValue(value: JsonObject): ArtifactValue | undefined {
  const { $artifact, path } = value;
  if (typeof $artifact !== "string" || !Array.isArray(path)) return undefined;
  const parts = path.filter((part) => typeof part === "string" || typeof part === "number");
  return parts.length === path.length ? { $artifact, path: parts } : undefined;
}

function artifactJson(artifact: ArtifactValue): Json {
  return { $artifact: artifact.$artifact, path: [...artifact.path] };
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Maps an object's own entries; a key such as `__proto__` stays an ordinary key. */
function mapObject(value: JsonObject, map: (entry: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, map(entry)]));
}

function unquote(quoted: string): string {
  return quoted.replaceAll(/\\(.)/g, "$1");
}

function describeValue(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (!isJsonObject(value)) return value === null ? "null" : `a ${typeof value}`;
  const keys = Object.keys(value);
  return keys.length === 0 ? "an empty object" : `an object with ${keys.slice(0, 8).join(", ")}`;
}
