/** Reads what a list item says in brackets: its tool, the tool's arguments, and the items it waits for. */
import type { Json, JsonObject } from "../values/json.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import { ValueScanner } from "./value-scanner.ts";

export type ItemHints = {
  /** The item without its hints. */
  readonly text: string;
  readonly tool: ToolSpec | undefined;
  /** Only what the item says; empty when it names a tool alone. */
  readonly args: JsonObject;
  /** The numbers of the items to wait for, `all` for all before it; undefined when the item does not say. */
  readonly after: readonly string[] | "all" | undefined;
};

const AFTER = /^(?:after|depends on|depends upon|dependencies|needs|requires)\b:?/i;
const INDEPENDENT = /^(?:no dependencies|independent|in parallel)$/i;
const TOOL = /^tools?\s*:\s*([\w.-]+(?: [\w.-]+){0,4})\s*(?:[,;]|$)/i;
const KEY = /^[\s,;]*([A-Za-z_$][\w-]{0,63})\s*[:=]\s*/;
const NEXT_KEY = /[,;]\s*[A-Za-z_$][\w-]{0,63}\s*[:=]/;

/** A hint that names no known tool stays part of the text. */
export function readHints(item: string, tools: ReadonlyMap<string, ToolSpec>): ItemHints {
  let tool: ToolSpec | undefined;
  let args: JsonObject = {};
  let after: ItemHints["after"];
  let text = item;
  for (const { start, end } of bracketsOf(item).toReversed()) {
    const inner = item.slice(start + 1, end).trim();
    const [head, name] = TOOL.exec(inner) ?? [];
    const named = name === undefined ? undefined : findTool(name, tools);
    if (named !== undefined && head !== undefined) {
      tool = named;
      args = readArguments(inner.slice(head.length));
    } else if (AFTER.test(inner)) after = labelsOf(inner.replace(AFTER, ""));
    else if (INDEPENDENT.test(inner)) after = [];
    else continue;
    text = `${text.slice(0, start).trimEnd()} ${text.slice(end + 1).trimStart()}`;
  }
  return { text: text.trim(), tool, args, after };
}

/** Every pair of brackets that is not inside another, in order; quotes count only inside of brackets. */
function bracketsOf(text: string): { start: number; end: number }[] {
  const pairs: { start: number; end: number }[] = [];
  const open: number[] = [];
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text.charAt(index);
    if (inString) {
      if (char === "\\") index++;
      else if (char === '"') inString = false;
    } else if (char === "(" || char === "[") open.push(index);
    else if (char === '"') inString = open.length > 0;
    else if (char === ")" || char === "]") {
      const start = open.pop();
      if (start !== undefined) {
        while ((pairs.at(-1)?.start ?? -1) > start) pairs.pop();
        pairs.push({ start, end: index });
      }
    }
  }
  return pairs;
}

/** By its name, or by its name without regard to case and punctuation: `Docs Search` is `docs.search`. */
function findTool(name: string, tools: ReadonlyMap<string, ToolSpec>): ToolSpec | undefined {
  const exact = tools.get(name);
  if (exact !== undefined) return exact;
  const plain = plainName(name);
  for (const spec of tools.values()) if (plainName(spec.name) === plain) return spec;
  return undefined;
}

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

function labelsOf(text: string): string[] | "all" {
  if (/\b(?:all|every|everything)\b/i.test(text)) return "all";
  return Array.from(text.matchAll(/\d{1,4}[a-z]?/gi), ([label]) => label.toLowerCase());
}

/** `query: "price of A", limit: 5`, with JSON, quoted or bare values. */
function readArguments(text: string): JsonObject {
  const entries: [string, Json][] = [];
  let rest = text;
  for (let match = KEY.exec(rest); match !== null; match = KEY.exec(rest)) {
    const [whole, key = ""] = match;
    const { value, length } = readValue(rest.slice(whole.length));
    entries.push([key, value]);
    rest = rest.slice(whole.length + length);
  }
  return Object.fromEntries(entries);
}

function readValue(text: string): { value: Json; length: number } {
  if (/^["{[]/.test(text)) {
    const length = new ValueScanner().read(text, 0);
    const value = length === undefined ? undefined : parseJson(text.slice(0, length));
    if (length !== undefined && value !== undefined) return { value, length };
  }
  const quoted = /^'([^']*)'/.exec(text);
  if (quoted !== null) return { value: quoted[1] ?? "", length: quoted[0].length };
  const next = NEXT_KEY.exec(text);
  const bare = text.slice(0, next?.index).trim();
  return { value: parseJson(bare) ?? bare, length: next?.index ?? text.length };
}

function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse yields JSON and nothing else.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
