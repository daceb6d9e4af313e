/**
 * A step's arguments with the values that its references stand for, and where each came from, for display: what
 * cannot be resolved yet (or is kept as an artifact) stays as it was planned.
 */
import type { Json, StepOutput } from "../api/api-types.ts";

const TEMPLATE = /\{\{\s*([^{}]{1,500}?)\s*\}\}/g;
const HEAD = /^([\w-]{1,64})\.output/;
const ITEM_HEAD = /^item(?=[.[]|$)/;
const SEGMENT = /^(?:\.([\w-]+)|\[(\d{1,9})\]|\["((?:[^"\\]|\\.)*)"\])/;

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
export function resolveArguments(args: Json, outputOf: OutputOf, item?: { readonly value: Json }): Resolved {
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
    const reference = value["$ref"];
    if (typeof reference === "string" && Object.keys(value).length === 1) {
      const found = find(reference);
      return found === undefined ? value : found;
    }
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolve(entry)]));
  };
  const resolved = resolve(args);
  return { resolved, origins };
}

function originOf(text: string, outputOf: OutputOf, item: { readonly value: Json } | undefined): Origin {
  const head = HEAD.exec(text);
  const stepId = head?.[1];
  if (head === null || stepId === undefined) {
    if (item === undefined || !ITEM_HEAD.test(text)) return { text };
    return originAt({ text }, item.value, text.slice("item".length));
  }
  const output = outputOf(stepId);
  if (output === undefined || !("value" in output)) return { text, stepId };
  return originAt({ text, stepId }, output.value, text.slice(head[0].length));
}

function originAt(origin: Origin, root: Json, path: string): Origin {
  const value = valueAt(root, path);
  return value === undefined ? origin : { ...origin, value };
}

function valueAt(root: Json, path: string): Json | undefined {
  let value: Json | undefined = root;
  let rest = path;
  while (rest !== "" && value !== undefined) {
    const segment = SEGMENT.exec(rest);
    if (segment === null) return undefined;
    const [whole, key, index, quoted] = segment;
    value = entryOf(value, index ?? key ?? (quoted ?? "").replaceAll(/\\(.)/g, "$1"));
    rest = rest.slice(whole.length);
  }
  return value;
}

function entryOf(value: Json, key: string): Json | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return Array.isArray(value) ? value[Number(key)] : value[key];
}
