/**
 * Finds content that our schemas do not describe and no plan may contain: text that cannot be stored, keys that could reach a
 * prototype or collide with our own markers, numbers that JSON cannot represent, excessive nesting.
 *
 * Iterative: an argument nested 10,000 deep is refused and does not overflow the stack.
 */
import { describeValue, pathText, quote } from "./describe-value.ts";
import type { IssueCode, Saying } from "./issue-list.ts";
import { WIRE_JSON, WIRE_REFERENCE } from "../draft/wire-references.ts";

export const DEPTH_MAX = 64;

/**
 * Keys that a plan must not contain. Resolved references leave `$artifact`, `$template` and `$literal` in arguments. `$json` and
 * `__json` mark text in a draft that should have been JSON and is not; `__ref` marks an invalid reference from a model.
 */
const REFUSED_KEYS: ReadonlySet<string> = new Set([
  "__proto__",
  "constructor",
  "prototype",
  "$artifact",
  "$template",
  "$literal",
  "$json",
  WIRE_JSON,
  WIRE_REFERENCE,
]);

export type NoteFault = (code: IssueCode, say: Saying) => void;

/** Reports a fault; its location is built only if the fault is listed. */
type NoteHere = (code: IssueCode, message: () => string) => void;

type Frame = {
  readonly value: object;
  readonly parent: Frame | undefined;
  readonly key: string | number;
  readonly depth: number;
};

/**
 * Reports every such fault of a decoded JSON value, in document order.
 *
 * @param depth - The depth of the root in its plan, counted so that {@link DEPTH_MAX} is the last allowed level.
 * @returns False if the value must not be walked recursively or written as JSON.
 */
export function scanValue(root: unknown, depth: number, note: NoteFault): boolean {
  const seen = new WeakSet<object>();
  const stack: Frame[] = [];
  let walkable = true;

  const noterAt =
    (parent: Frame | undefined, key: string | number): NoteHere =>
    (code, message) =>
      note(code, () => ({ field: fieldOf(parent, key), message: message() }));
  const visit = (value: unknown, parent: Frame | undefined, key: string | number): Frame | undefined => {
    if (isSound(value)) return undefined;
    const noteHere = noterAt(parent, key);
    if (typeof value === "string") noteText(value, noteHere);
    else if (typeof value === "number") noteNumber(value, noteHere);
    else if (isContainer(value)) {
      const level = parent === undefined ? depth : parent.depth + 1;
      if (level <= DEPTH_MAX) return { value, parent, key, depth: level };
      walkable = false;
      noteHere("depth_exceeded", () => `wanted at most ${DEPTH_MAX} levels of nesting, got more`);
    } else {
      walkable = false;
      noteHere("not_json", () => `wanted a JSON value, got ${describeValue(value)}`);
    }
    return undefined;
  };

  const first = visit(root, undefined, "");
  if (first !== undefined) stack.push(first);
  for (let frame = stack.pop(); frame !== undefined; frame = stack.pop()) {
    const { value, parent, key } = frame;
    // Shared values are scanned only once. Only a caller in the same process can pass a value that contains itself.
    if (seen.has(value)) {
      if (!isInside(value, parent)) continue;
      walkable = false;
      noterAt(parent, key)("not_json", () => "wanted a JSON value, got one that contains itself");
      continue;
    }
    seen.add(value);
    if (Object.hasOwn(value, "$ref")) noteMisusedReference(value, noterAt(parent, key));
    const children: Frame[] = [];
    eachPart(value, (childKey, part) => {
      if (typeof childKey === "string" && (REFUSED_KEYS.has(childKey) || !isSound(childKey))) {
        noteKey(childKey, noterAt(frame, childKey));
      }
      const child = visit(part, frame, childKey);
      if (child !== undefined) children.push(child);
    });
    for (const child of children.toReversed()) stack.push(child);
  }
  return walkable;
}

/** Whether a value is a valid scalar, as most values are. */
function isSound(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed() && !value.includes("\0");
  return typeof value === "number" ? Number.isFinite(value) : value === null || typeof value === "boolean";
}

function noteText(text: string, noteHere: NoteHere): void {
  if (text.includes("\0")) noteHere("unsafe_text", () => "wanted text without NUL characters, got one");
  if (!text.isWellFormed()) noteHere("unsafe_text", () => "wanted well-formed Unicode, got a lone surrogate");
}

function noteNumber(value: number, noteHere: NoteHere): void {
  if (!Number.isFinite(value)) noteHere("not_finite", () => `wanted a finite number, got ${value}`);
}

function noteKey(key: string, noteHere: NoteHere): void {
  noteText(key, noteHere);
  if (!REFUSED_KEYS.has(key)) return;
  noteHere("unsafe_key", () => `wanted no key named ${quote(key)}: it is reserved${HINTS.get(key) ?? ""}`);
}

const JSON_HINT = " for whole values, and must hold valid JSON text";

/** How a reserved key should have been used. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ["$json", JSON_HINT],
  [WIRE_JSON, JSON_HINT],
  [WIRE_REFERENCE, '; a reference is {"$ref": "stepId.output…"}'],
]);

/** An object with other keys beside `$ref` would silently not be a reference. */
function noteMisusedReference(value: object, noteHere: NoteHere): void {
  const entries = Object.entries(value);
  if (entries.length === 1 && typeof entries[0]?.[1] === "string") return;
  noteHere(
    "malformed_reference",
    () => `wanted {"$ref": "stepId.output…"} and nothing beside it, got ${describeValue(value)}`,
  );
}

/** Visits the elements of a list by index, or the fields of an object by name. */
function eachPart(value: object, see: (key: string | number, part: unknown) => void): void {
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) see(index, value[index]);
    return;
  }
  for (const [key, part] of Object.entries(value)) {
    // A caller in the same process may set an absent optional field to `undefined`; JSON omits it.
    if (part !== undefined) see(key, part);
  }
}

function isContainer(value: unknown): value is object {
  return Array.isArray(value) || Object.prototype.toString.call(value) === "[object Object]";
}

function isInside(value: object, parent: Frame | undefined): boolean {
  for (let frame = parent; frame !== undefined; frame = frame.parent) if (frame.value === value) return true;
  return false;
}

function fieldOf(parent: Frame | undefined, key: string | number): string {
  const path: (string | number)[] = parent === undefined ? [] : [key];
  for (let frame = parent; frame?.parent !== undefined; frame = frame.parent) path.push(frame.key);
  return pathText("", path.toReversed());
}
