/**
 * A step's arguments with the values that its references stand for, for display: what cannot be
 * resolved yet (or is kept as an artifact) stays as it was planned.
 */
import type { Json, StepOutput } from "../api/api-types.ts";

const TEMPLATE = /\{\{\s*([^{}]{1,500}?)\s*\}\}/g;
const HEAD = /^([\w-]{1,64})\.output/;
const SEGMENT = /^(?:\.([\w-]+)|\[(\d{1,9})\]|\["((?:[^"\\]|\\.)*)"\])/;

type OutputOf = (stepId: string) => StepOutput | undefined;

/** @returns `references`: how many references the arguments hold, resolved or not. */
export function resolveArguments(args: Json, outputOf: OutputOf): { resolved: Json; references: number } {
  let references = 0;
  const find = (reference: string): Json | undefined => {
    references += 1;
    return lookUp(reference, outputOf);
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
    if (typeof reference === "string" && Object.keys(value).length === 1) return find(reference) ?? value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolve(entry)]));
  };
  const resolved = resolve(args);
  return { resolved, references };
}

function lookUp(reference: string, outputOf: OutputOf): Json | undefined {
  const head = HEAD.exec(reference);
  const output = head?.[1] === undefined ? undefined : outputOf(head[1]);
  if (head === null || output === undefined || !("value" in output)) return undefined;
  let value: Json | undefined = output.value;
  let rest = reference.slice(head[0].length);
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
