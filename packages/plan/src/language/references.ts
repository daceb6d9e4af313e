/**
 * References from a step's arguments to other steps' outputs.
 *
 * `{"$ref": "s1.output.items[0].price"}` stands for a value; `{{s1.output.name}}` stands for its text inside a string (strings
 * unchanged, anything else as JSON). A reference implies the dependency.
 *
 * `{{secret.NAME}}` stands for a value that only the executor knows; it stays in place until the tool is called.
 *
 * A plan among the arguments keeps its references: they refer to its own steps.
 */
import type { StepId } from "../values/ids.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { isJsonObject } from "../values/json-guards.ts";

export type Reference = {
  readonly stepId: StepId;
  /** Keys and indexes below the step's output; empty means the whole output. */
  readonly path: readonly (string | number)[];
  /** The reference as written, for messages. */
  readonly text: string;
};

/** A reference found in arguments, with its path: `query`, `items[2].url`. */
export type PlacedReference = Reference & { readonly field: string };

export type MalformedReference = { readonly field: string; readonly text: string };

/**
 * `{{…}}` inside a string. The first group is the reference, without the spaces around it.
 *
 * The group begins and ends with a character other than a space, so that there is only one way to match spaces.
 * Arguments are untrusted, and a pattern with several ways takes hours on a long run of spaces.
 */
export const TEMPLATE = /\{\{\s*([^{}\s](?:[^{}]{0,498}[^{}\s])?)\s*\}\}/g;
const ITEM = "item";
/** In capitals, so that it cannot be confused with a reference to a step named `secret`. */
export const SECRET_NAME = /^[A-Z][A-Z0-9_]{0,63}$/;
const SECRET = "secret.";
const HEAD = /^([\w-]{1,64})\.output/;
const SEGMENT = /^(?:\.([\w-]+)|\[(\d{1,9})\]|\["((?:[^"\\]|\\.)*)"\])/;

/** Parses `s1.output.items[0].price`; undefined when it is not a reference. */
export function parseReference(text: string): Reference | undefined {
  const head = HEAD.exec(text);
  if (head === null) return undefined;
  const path = parsePath(text.slice(head[0].length));
  // The pattern matches exactly the valid ids.
  return path && { stepId: head[1] as StepId, path, text };
}

/** Parses `item.price`, which refers to a list item in a step that runs for each; undefined for any other text. */
export function parseItemReference(text: string): Pick<Reference, "path" | "text"> | undefined {
  if (!text.startsWith(ITEM)) return undefined;
  const path = parsePath(text.slice(ITEM.length));
  return path && { path, text };
}

/** The name in `secret.API_TOKEN`; undefined if the text is not a reference to a secret. */
export function parseSecret(text: string): string | undefined {
  const name = text.startsWith(SECRET) ? text.slice(SECRET.length) : "";
  return SECRET_NAME.test(name) ? name : undefined;
}

function parsePath(text: string): (string | number)[] | undefined {
  const path: (string | number)[] = [];
  let rest = text;
  while (rest !== "") {
    const segment = SEGMENT.exec(rest);
    if (segment === null) return undefined;
    const [whole, key, index, quoted] = segment;
    if (index !== undefined) path.push(Number(index));
    else path.push(key ?? unquote(quoted ?? ""));
    rest = rest.slice(whole.length);
  }
  return path;
}

/** True for `{"$ref": …}`, whatever it refers to. */
export function isReferenceObject(value: Json): value is { $ref: string } {
  return isJsonObject(value) && Object.keys(value).length === 1 && typeof value["$ref"] === "string";
}

/** Whether a value is a plan: a list of steps, each with an id and a tool. Its references are its own. */
export function isPlanValue(value: Json): boolean {
  if (!isJsonObject(value) || !Object.hasOwn(value, "steps")) return false;
  const { steps } = value;
  return Array.isArray(steps) && steps.length > 0 && steps.every(isStepValue);
}

function isStepValue(value: Json): boolean {
  return isJsonObject(value) && typeof value["id"] === "string" && typeof value["tool"] === "string";
}

/**
 * Returns every reference in a step's arguments, and every malformed one.
 *
 * @param options.forEach - The step's list: if present, `item` refers to one of its items.
 */
export function findReferences(
  args: JsonObject,
  { forEach }: { readonly forEach?: Json | undefined } = {},
): {
  references: PlacedReference[];
  malformed: MalformedReference[];
  items: Pick<Reference, "path" | "text">[];
  /** `{{secret.NAME}}` inside strings. */
  secrets: { readonly name: string; readonly field: string }[];
} {
  const references: PlacedReference[] = [];
  const malformed: MalformedReference[] = [];
  const items: Pick<Reference, "path" | "text">[] = [];
  const secrets: { name: string; field: string }[] = [];
  const note = (text: string, field: string): void => {
    const item = forEach === undefined ? undefined : parseItemReference(text);
    if (item !== undefined) {
      items.push(item);
      return;
    }
    const reference = parseReference(text);
    if (reference === undefined) malformed.push({ field, text });
    else references.push({ ...reference, field });
  };
  const pending: { value: Json; field: string }[] = [{ value: args, field: "" }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, field } = next;
    if (typeof value === "string") {
      for (const [, inside = ""] of value.matchAll(TEMPLATE)) {
        const name = parseSecret(inside);
        if (name === undefined) note(inside, field);
        else secrets.push({ name, field });
      }
    } else if (Array.isArray(value)) {
      for (const [index, entry] of value.entries()) {
        if (mayRefer(entry)) pending.push({ value: entry, field: `${field}[${index}]` });
      }
    } else if (isReferenceObject(value)) {
      note(value.$ref, field);
    } else if (isJsonObject(value) && !isPlanValue(value)) {
      for (const key of Object.keys(value)) {
        const entry = value[key] ?? null;
        if (mayRefer(entry)) pending.push({ value: entry, field: field === "" ? key : `${field}.${key}` });
      }
    }
  }
  return { references, malformed, items, secrets };
}

/** A quick check before matching: most values are plain, and a regular expression takes long to find nothing. */
function mayRefer(value: Json): boolean {
  return typeof value === "string" ? value.includes("{{") : typeof value === "object" && value !== null;
}

function unquote(quoted: string): string {
  return quoted.replaceAll(/\\(.)/g, "$1");
}
