/**
 * Parses plans written as lists, by models without structured output.
 *
 * Two kinds are supported. Lists as our prompt asks for them state tool, arguments and dependencies in brackets: `1. Look up A
 * (tool: docs.search, query: "price of A") [after 2, 3]`. Plain lists, as LangChain's plan-and-execute planner writes them, are
 * run one after another by a model.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from "../values/json.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import { listItems } from "./list-items.ts";
import { withoutTemplates } from "../language/without-templates.ts";
import { ValueScanner } from "./value-scanner.ts";

const DESCRIPTION_CHARS_MAX = 2_000;
/** LangChain's planner ends its lists with this step, whose result is the answer. */
const CLOSING = /^given the above steps/i;

export type ListRules = {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** Runs steps that name no tool; takes `prompt` and `context`. Default: `model.write`. */
  readonly fallbackTool?: string;
  /** Passed to the steps that the fallback tool runs, which otherwise do not know the goal. */
  readonly goal?: string;
};

/** A step of the plan language, not yet checked. */
export type ListedStep = {
  readonly id: string;
  readonly description: string;
  readonly tool: string;
  readonly args: JsonObject;
  readonly dependsOn: string[];
};

export type ListedPlan = { readonly steps: readonly ListedStep[]; readonly answerFrom: string | undefined };

/**
 * Parses a list as a plan; the steps are `s1`, `s2`, … in the list's order.
 *
 * A step waits for the items in its `[after …]`. Without one it waits for the step before, unless it names its tool in a list
 * that uses `[after …]`. The fallback tool gets the item's text as its prompt and the outputs of its dependencies as its context.
 * Never throws; text without a list returns no steps.
 */
export function parseNumberedList(text: string, rules: ListRules): ListedPlan {
  const items = listItems(text).map(({ label, text: item }) => ({
    label,
    hints: readHints(item, rules.tools),
  }));
  const usesAfter = items.some(({ hints }) => hints.after !== undefined);
  const ids = new Map<string, string>();
  const steps: ListedStep[] = [];
  const byId = new Map<string, ListedStep>();
  for (const { label, hints } of items) {
    const dependsOn = dependenciesOf(hints, { usesAfter, steps, ids });
    const id = `s${steps.length + 1}`;
    const needed = dependsOn.flatMap((other) => byId.get(other) ?? []);
    const { tool, args } = callOf(hints, { rules, needed });
    const step = { id, description: hints.text.slice(0, DESCRIPTION_CHARS_MAX), tool, args, dependsOn };
    steps.push(step);
    byId.set(id, step);
    ids.set(label, id);
  }
  const last = steps.at(-1);
  return { steps, answerFrom: last !== undefined && CLOSING.test(last.description) ? last.id : undefined };
}

type SoFar = {
  readonly usesAfter: boolean;
  readonly steps: readonly ListedStep[];
  readonly ids: ReadonlyMap<string, string>;
};

function dependenciesOf({ text, tool, after }: ItemHints, { usesAfter, steps, ids }: SoFar): string[] {
  if (after === "all" || (after === undefined && CLOSING.test(text))) return steps.map((step) => step.id);
  // A reference to a missing item is kept, for the check to refuse.
  if (after !== undefined) return [...new Set(after.map((label) => ids.get(label) ?? `s${label}`))];
  if (usesAfter && tool !== undefined) return [];
  return steps.slice(-1).map((step) => step.id);
}

type Call = { readonly tool: string; readonly args: JsonObject };

function callOf(
  { text, tool, args }: ItemHints,
  { rules, needed }: { rules: ListRules; needed: readonly ListedStep[] },
): Call {
  const fallback = rules.fallbackTool ?? "model.write";
  if (tool !== undefined && Object.keys(args).length > 0) return { tool: tool.name, args };
  if (tool !== undefined && tool.name !== fallback)
    return { tool: tool.name, args: onlyTextArgument(tool, text) };
  const goal =
    rules.goal === undefined ? "" : `\n\nThis is one step towards the goal: ${withoutTemplates(rules.goal)}`;
  const context = contextOf(needed, rules.tools);
  return { tool: fallback, args: { prompt: text + goal, ...(context === undefined ? {} : { context }) } };
}

/** A tool that needs one text, such as a query, gets the item's text; otherwise the check reports the missing arguments. */
function onlyTextArgument(tool: ToolSpec, text: string): JsonObject {
  const { required, properties } = tool.input;
  const [name, another] = Array.isArray(required) ? required : [];
  const property = typeof name === "string" ? memberOf(properties, name) : undefined;
  return typeof name === "string" && another === undefined && memberOf(property, "type") === "string"
    ? { [name]: text }
    : {};
}

/** The output of a step's dependency, or several by step id. */
function contextOf(needed: readonly ListedStep[], tools: ReadonlyMap<string, ToolSpec>): Json | undefined {
  const outputs = needed.map(({ id, tool }): [string, Json] => {
    const text = memberOf(memberOf(tools.get(tool)?.output, "properties"), "text");
    return [id, { $ref: text === undefined ? `${id}.output` : `${id}.output.text` }];
  });
  return outputs.length === 1
    ? outputs[0]?.[1]
    : outputs.length === 0
      ? undefined
      : Object.fromEntries(outputs);
}

function memberOf(value: Json | undefined, key: string): Json | undefined {
  return value !== undefined && isJsonObject(value) ? value[key] : undefined;
}

/** The hints of a list item in brackets: its tool, the tool's arguments, and the items it waits for. */
type ItemHints = {
  /** The item without its hints. */
  readonly text: string;
  readonly tool: ToolSpec | undefined;
  /** Only the item's arguments; empty if it names only a tool. */
  readonly args: JsonObject;
  /** The numbers of the items to wait for, `all` for all items before it; undefined if the item does not say. */
  readonly after: readonly string[] | "all" | undefined;
};

const AFTER = /^(?:after|depends on|depends upon|dependencies|needs|requires)\b:?/i;
const INDEPENDENT = /^(?:no dependencies|independent|in parallel)$/i;
const TOOL = /^tools?\s*:\s*([\w.-]+(?: [\w.-]+){0,4})\s*(?:[,;]|$)/i;
const KEY = /^[\s,;]*([A-Za-z_$][\w-]{0,63})\s*[:=]\s*/;
const NEXT_KEY = /[,;]\s*[A-Za-z_$][\w-]{0,63}\s*[:=]/;

/** A hint that names no known tool stays part of the text. */
function readHints(item: string, tools: ReadonlyMap<string, ToolSpec>): ItemHints {
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

/** Every pair of brackets that is not inside another, in order; quotes only count inside brackets. */
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

/** Finds a tool by its exact name, or ignoring case and punctuation: `Docs Search` is `docs.search`. */
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
