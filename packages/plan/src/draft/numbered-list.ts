/**
 * Plans as lists: what a model writes when it has no structured output.
 *
 * Two kinds are read. Lists as our prompt asks for them say tool, arguments and dependencies in brackets:
 * `1. Look up A (tool: docs.search, query: "price of A") [after 2, 3]`. Plain lists, as LangChain's
 * plan-and-execute planner writes them, are run one after another by a model.
 */
import { isJsonObject, type Json, type JsonObject } from "../values/json.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import { type ItemHints, readHints } from "./item-hints.ts";
import { listItems } from "./list-items.ts";
import { withoutTemplates } from "../language/without-templates.ts";

const DESCRIPTION_CHARS_MAX = 2_000;
/** LangChain's planner ends its lists with this step, whose result is the answer. */
const CLOSING = /^given the above steps/i;

export type ListRules = {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** Runs the steps that name no tool; takes `prompt` and `context`. Default: `model.write`. */
  readonly fallbackTool?: string;
  /** Told to the steps that the fallback tool runs, which know nothing else of it. */
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
 * Reads a list as a plan; the steps are `s1`, `s2`, … in the list's order.
 *
 * A step waits for what its `[after …]` says. Without one it waits for the step before, except where it names
 * its tool in a list that uses `[after …]`. The fallback tool gets the item's text as its prompt and
 * the outputs that it waits for as its context. Never throws; text without a list gives no steps.
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
  // An item that is not in the list stays visible, for the check to refuse.
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

/** A tool that needs one text, such as a query, is given the item's; otherwise the check says what is missing. */
function onlyTextArgument(tool: ToolSpec, text: string): JsonObject {
  const { required, properties } = tool.input;
  const [name, another] = Array.isArray(required) ? required : [];
  const property = typeof name === "string" ? memberOf(properties, name) : undefined;
  return typeof name === "string" && another === undefined && memberOf(property, "type") === "string"
    ? { [name]: text }
    : {};
}

/** The output that a step waits for, or several by their step's id. */
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
