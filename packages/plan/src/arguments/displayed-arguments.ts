/**
 * Resolves a step's arguments for display, and lists where each value came from. Values that cannot be resolved yet, or that are
 * stored as artifacts, stay as planned.
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

/** A reference in an argument, and the value that it resolved to. */
export type Origin = {
  /** As written: `s1.output.rows`, `item.name`. */
  readonly text: string;
  /** Absent when it refers to a list item. */
  readonly stepId?: string;
  /** Absent while the value is unknown. */
  readonly value?: Json;
};

export type Resolved = { readonly resolved: Json; readonly origins: readonly Origin[] };

/** @param item - For a step that runs for each item of a list: the item of this run, if known. */
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
    // References of a plan in the arguments point to that plan's own steps.
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
