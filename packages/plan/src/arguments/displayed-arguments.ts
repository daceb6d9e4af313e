/**
 * A step's arguments with the values that its references stand for, and where each came from, for display: what
 * cannot be resolved yet (or is kept as an artifact) stays as it was planned.
 */
import {
  isPlanValue,
  isReferenceObject,
  parseItemReference,
  parseReference,
  type Reference,
  TEMPLATE,
} from "../language/references.ts";
import type { StepOutput } from "../events/values.ts";
import type { Json } from "../values/json.ts";

export type OutputOf = (stepId: string) => StepOutput | undefined;

/** What an argument refers to, and what it became. */
export type Origin = {
  /** As written: `s1.output.rows`, `item.name`. */
  readonly text: string;
  /** Absent when it refers to the item of a list. */
  readonly stepId?: string;
  /** Absent while nothing is known there. */
  readonly value?: Json;
};

export type Resolved = { readonly resolved: Json; readonly origins: readonly Origin[] };

/** @param item - Of a step that runs for each of a list: what one run is for, when that is known. */
export function displayedArguments(
  args: Json,
  outputOf: OutputOf,
  item?: { readonly value: Json },
): Resolved {
  const origins: Origin[] = [];
  const find = (text: string): Json | undefined => {
    const origin = originOf(text, outputOf, item);
    if (!origins.some((other) => other.text === text)) origins.push(origin);
    return origin.value;
  };
  const resolve = (value: Json): Json => {
    if (typeof value === "string") {
      return value.replaceAll(TEMPLATE, (whole, reference: string) => {
        const found = find(reference);
        return found === undefined ? whole : typeof found === "string" ? found : JSON.stringify(found);
      });
    }
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(resolve);
    if (isReferenceObject(value)) {
      const found = find(value.$ref);
      return found === undefined ? value : found;
    }
    // What a plan in the arguments refers to is its own.
    if (isPlanValue(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolve(entry)]));
  };
  const resolved = resolve(args);
  return { resolved, origins };
}

function originOf(text: string, outputOf: OutputOf, item: { readonly value: Json } | undefined): Origin {
  const ofItem = item === undefined ? undefined : parseItemReference(text);
  if (item !== undefined && ofItem !== undefined) return originAt({ text }, item.value, ofItem);
  const reference = parseReference(text);
  if (reference === undefined) return { text };
  const { stepId } = reference;
  const output = outputOf(stepId);
  if (output === undefined || !("value" in output)) return { text, stepId };
  return originAt({ text, stepId }, output.value, reference);
}

function originAt(origin: Origin, root: Json, { path }: Pick<Reference, "path">): Origin {
  const value = path.reduce<Json | undefined>(entryOf, root);
  return value === undefined ? origin : { ...origin, value };
}

function entryOf(value: Json | undefined, key: string | number): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Array.isArray(value) ? value[Number(key)] : value[key];
}
