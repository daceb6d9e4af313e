/** Resolves references: to values that replace them, or to artifacts that a worker loads. */
import type { StepId } from "../values/ids.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { isJsonObject } from "../values/json-guards.ts";
import { listName } from "../values/lists-in.ts";
import {
  isPlanValue,
  isReferenceObject,
  parseItemReference,
  parseReference,
  parseSecret,
  type Reference,
  TEMPLATE,
} from "../language/references.ts";
import {
  type ArtifactValue,
  artifactJson,
  asArtifactValue,
  holdsStandIn,
  isLiteral,
  type LiteralValue,
  textOf,
} from "./placeholders.ts";
import { fillSecrets, secretsIn } from "./secret-references.ts";

/** The output of a reference's step, or where it is stored. */
export type ResolvedOutput =
  /** The step has no output and needs none: any reference to it resolves to null, or to an empty text. */
  | { readonly kind: "nothing" }
  | { readonly kind: "value"; readonly value: Json }
  | {
      readonly kind: "artifact";
      readonly artifact: string;
      /** The lengths of its lists, by name. */
      readonly lists?: Readonly<Record<string, number>> | undefined;
      /** The preview used where the whole output cannot be shown. */
      readonly shown?: Json;
    }
  /** A list of outputs, some of which are artifacts; `value` is the list without these. */
  | { readonly kind: "list"; readonly entries: readonly ResolvedOutput[]; readonly value: Json };

/** An item of a step that runs for each item of a list: the value, or where it is stored. */
export type ItemValue = { readonly value: Json } | { readonly artifact: ArtifactValue };

/** A reference that its step's output cannot satisfy. */
export class UnresolvedReferenceError extends Error {
  override readonly name = "UnresolvedReferenceError";
}

/**
 * Replaces every reference with its value.
 *
 * A reference to an output that is an artifact becomes `{"$artifact", "path"}`, for {@link loadArtifactValues} on the worker's
 * side. Inside a string that is impossible, so the whole string becomes `{"$template"}` parts.
 *
 * @throws {UnresolvedReferenceError} If a path cannot be resolved; the message describes the actual value.
 */
export function resolveReferences(
  args: JsonObject,
  outputOf: (stepId: StepId) => ResolvedOutput | undefined,
  item?: ItemValue,
): JsonObject {
  const find = (text: string): Found => {
    const reference = item === undefined ? undefined : parseItemReference(text);
    return item !== undefined && reference !== undefined
      ? lookUpItem(item, reference)
      : lookUp(text, outputOf);
  };
  return mapObject(args, (value) => resolveValue(value, find));
}

/** Returns the items of a step whose `forEach` refers to this output; a short description of the value if it is not a list. */
export function entriesAt(
  output: ResolvedOutput,
  reference: Pick<Reference, "path" | "text">,
): ItemValue[] | string {
  if (output.kind === "nothing") return [];
  const found = foundAt(output, reference);
  if ("artifact" in found) {
    const length = lengthAt(output, reference.path);
    if (length === undefined) return "an output that is kept as a file, in which no such list is known";
    const { $artifact, path } = found.artifact;
    return Array.from({ length }, (_, index) => ({ artifact: { $artifact, path: [...path, index] } }));
  }
  if (found.entries !== undefined) return found.entries.map(itemValueOf);
  return Array.isArray(found.value) ? found.value.map((value) => ({ value })) : describeValue(found.value);
}

/** The length of a list in an output that is stored as a file. */
function lengthAt(output: ResolvedOutput, path: Reference["path"]): number | undefined {
  const [index, ...rest] = path;
  if (output.kind === "list" && typeof index === "number") {
    const entry = output.entries[index];
    return entry === undefined ? undefined : lengthAt(entry, rest);
  }
  const name = listName(path);
  const { lists } = output.kind === "artifact" ? output : {};
  return name !== undefined && lists !== undefined && Object.hasOwn(lists, name) ? lists[name] : undefined;
}

function itemValueOf(output: ResolvedOutput): ItemValue {
  const found = foundAt(output, { path: [], text: "" });
  return "artifact" in found ? found : { value: found.value };
}

/** The step's output at a path of keys and indexes; follows own properties only. */
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

type Found =
  | {
      readonly value: Json;
      readonly isNothing?: true;
      /** Set when the value is a list with some entries that are artifacts. */
      readonly entries?: readonly ResolvedOutput[];
    }
  | { readonly artifact: ArtifactValue };

function lookUp(text: string, outputOf: (stepId: StepId) => ResolvedOutput | undefined): Found {
  const reference = parseReference(text);
  if (reference === undefined) throw new UnresolvedReferenceError(`${text} is not a reference`);
  const output = outputOf(reference.stepId);
  if (output === undefined) throw new UnresolvedReferenceError(`${text}: ${reference.stepId} has no output`);
  return foundAt(output, reference);
}

function lookUpItem(item: ItemValue, reference: Pick<Reference, "path" | "text">): Found {
  if ("value" in item) return { value: valueAt(item.value, reference) };
  const { $artifact, path } = item.artifact;
  return { artifact: { $artifact, path: [...path, ...reference.path] } };
}

function foundAt(output: ResolvedOutput, reference: Pick<Reference, "path" | "text">): Found {
  const { path, text } = reference;
  switch (output.kind) {
    case "nothing":
      return { value: null, isNothing: true };
    case "value":
      return { value: valueAt(output.value, reference) };
    case "artifact":
      return { artifact: { $artifact: output.artifact, path } };
    case "list": {
      const [index, ...rest] = path;
      if (index === undefined) return { value: output.value, entries: output.entries };
      const entry = typeof index === "number" ? output.entries[index] : undefined;
      // Throws an error that describes what is wrong with the path.
      return entry === undefined
        ? { value: valueAt(output.value, reference) }
        : foundAt(entry, { path: rest, text });
    }
    default:
      return output satisfies never;
  }
}

function resolveValue(value: Json, find: (text: string) => Found): Json {
  if (typeof value === "string") return resolveTemplate(value, find);
  if (Array.isArray(value)) return value.map((entry) => resolveValue(entry, find));
  if (isReferenceObject(value)) {
    const found = find(value.$ref);
    return asArgument(found);
  }
  if (isPlanValue(value)) return value;
  if (isJsonObject(value)) return mapObject(value, (entry) => resolveValue(entry, find));
  return value;
}

function asArgument(found: Found): Json {
  if ("artifact" in found) return artifactJson(found.artifact);
  if (found.entries === undefined) return asLiteral(found.value);
  return found.entries.map((entry) => asArgument(foundAt(entry, { path: [], text: "" })));
}

/** A part of a text: written in the plan, or taken from an output. */
type Piece = { readonly text: string; readonly isOutput: boolean };

function resolveTemplate(text: string, find: (text: string) => Found): Json {
  const parts: Json[] = [];
  let pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(TEMPLATE)) {
    const inside = match[1] ?? "";
    if (parseSecret(inside) !== undefined) continue;
    const found = find(inside);
    pieces.push({ text: text.slice(end, match.index), isOutput: false });
    end = match.index + match[0].length;
    if ("value" in found) {
      if (found.isNothing !== true) pieces.push({ text: textOf(found.value), isOutput: true });
    } else {
      parts.push(...joined(pieces), artifactJson(found.artifact));
      pieces = [];
    }
  }
  pieces.push({ text: text.slice(end), isOutput: false });
  const rest = joined(pieces);
  const [only] = rest;
  return parts.length === 0 && rest.length === 1 && only !== undefined
    ? only
    : { $template: [...parts, ...rest] };
}

/** Joins the parts into one text, unless an output contains a reference to a secret: then outputs stay separate, as literals. */
function joined(pieces: readonly Piece[]): Json[] {
  const text = pieces.map((piece) => piece.text).join("");
  const written = pieces.reduce((sum, piece) => sum + (piece.isOutput ? 0 : secretsIn(piece.text).length), 0);
  if (secretsIn(text).length === written) return [text];
  return pieces.map((piece) =>
    piece.isOutput ? ({ $literal: piece.text } satisfies LiteralValue) : piece.text,
  );
}

/**
 * Loads the values that {@link resolveReferences} left as artifacts.
 *
 * @param secretOf - Inserts the values of secrets into texts that the plan wrote, and into nothing else.
 */
export async function loadArtifactValues(
  args: JsonObject,
  load: (artifact: string) => Promise<Json>,
  secretOf?: (name: string) => string,
): Promise<JsonObject> {
  if (secretOf === undefined && !holdsStandIn(args)) return args;
  const loaded = new Map<string, Json>();
  for (const name of artifactNames(args)) loaded.set(name, await load(name));
  const fill = (value: Json): Json => {
    if (typeof value === "string") return secretOf === undefined ? value : fillSecrets(value, secretOf);
    if (Array.isArray(value)) return value.map(fill);
    if (!isJsonObject(value) || (secretOf !== undefined && isPlanValue(value))) return value;
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
  return holdsStandIn(value) || holdsSecret(value) ? ({ $literal: value } satisfies LiteralValue) : value;
}

/** Whether it contains text that looks like a reference to a secret. */
function holdsSecret(value: Json): boolean {
  if (typeof value === "string") return secretsIn(value).length > 0;
  if (Array.isArray(value)) return value.some(holdsSecret);
  return isJsonObject(value) && Object.values(value).some(holdsSecret);
}

/** Maps an object's own entries; a key such as `__proto__` remains an ordinary key. */
function mapObject(value: JsonObject, map: (entry: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, map(entry)]));
}

function describeValue(value: Json): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (!isJsonObject(value)) return value === null ? "null" : `a ${typeof value}`;
  const keys = Object.keys(value);
  return keys.length === 0 ? "an empty object" : `an object with ${keys.slice(0, 8).join(", ")}`;
}
