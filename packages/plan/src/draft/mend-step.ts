/**
 * Mends steps and plans of models and users who do not know the plan language by heart.
 *
 * Only unambiguous slips are mended; everything else is left for the check, which refuses it and names the correct field. Mends
 * are recorded as text for the log.
 */
import { StepId } from "../values/ids.ts";
import { isJsonObject, type Json, type JsonObject } from "../values/json.ts";
import { Compensation, PlanDocument, Step } from "../language/plan-language.ts";
import { parseReference, TEMPLATE } from "../language/references.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import { planFieldFor, stepFieldFor, toolNameFor } from "./field-names.ts";
import { parseLenientJson } from "./mend-json.ts";
import { mendArguments, type NoteMend } from "./mend-values.ts";
import { fromWire } from "./wire-references.ts";

export type MendRules = {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** A model's unknown fields are dropped, and its ids are made valid; a user gets an issue for both. */
  readonly isDraft: boolean;
  readonly note: NoteMend;
};

const STEP_FIELDS: ReadonlySet<string> = new Set(Object.keys(Step.shape));
const PLAN_FIELDS: ReadonlySet<string> = new Set(Object.keys(PlanDocument.shape));
const CALL_FIELDS: ReadonlySet<string> = new Set(Object.keys(Compensation.shape));
const NUMBERS = ["timeoutMs", "confidence"];
/** Limits the search for references in a step; the check refuses deeper ones. */
const DEPTH_MAX = 64;

/** A plan with its steps mended: a bare list of steps, `{"plan": …}`, `{"tasks": […]}` and `answer_from` are accepted too. */
export function mendPlan(input: unknown, rules: MendRules): unknown {
  // Treated as JSON without inspection: the check refuses anything else.
  const plan = unwrapped(input as Json, rules.note);
  if (!isObject(plan)) return plan;
  const named = renamed(plan, planFieldFor, PLAN_FIELDS, rules);
  const { steps, answerFrom } = named;
  return {
    ...named,
    // Read by index: a list from a caller in the same process may be sparse.
    ...(Array.isArray(steps)
      ? { steps: Array.from(steps, (step) => (isObject(step) ? mendStep(step, rules) : step)) }
      : {}),
    ...(typeof answerFrom === "number" ? { answerFrom: String(answerFrom) } : {}),
  };
}

/** Mends one step. */
export function mendStep(input: JsonObject, rules: MendRules): JsonObject {
  const step = renamed(withCall(input, rules), stepFieldFor, STEP_FIELDS, rules);
  const mended: JsonObject = { ...step };
  mendTool(mended, rules);
  const { id, args, dependsOn } = step;
  if (typeof id === "number" || typeof id === "string") mended["id"] = idOf(id, rules);
  if (dependsOn !== undefined) mended["dependsOn"] = idsOf(dependsOn, rules);
  if (args === null) mended["args"] = {};
  else if (typeof args === "string") mended["args"] = parsedArgs(args, rules);
  for (const name of NUMBERS) {
    const value = step[name];
    if (typeof value === "string" && /^\d{1,12}(?:\.\d{1,12})?$/.test(value)) mended[name] = Number(value);
  }
  for (const name of rules.isDraft ? ["args", "forEach", "compensate"] : []) {
    const value = mended[name];
    if (value !== undefined) mended[name] = withIds(value, rules, 0);
  }
  mendArgs(mended, rules);
  const { compensate } = mended;
  if (compensate !== undefined && isObject(compensate)) {
    const call = { ...renamed(compensate, stepFieldFor, CALL_FIELDS, rules) };
    mendTool(call, rules);
    mendArgs(call, rules);
    mended["compensate"] = call;
  }
  return mended;
}

function mendArgs(call: JsonObject, { tools, note }: MendRules): void {
  const { tool, args } = call;
  const spec = typeof tool === "string" ? tools.get(tool) : undefined;
  if (spec !== undefined && args !== undefined && isObject(args))
    call["args"] = mendArguments(args, spec.input, note);
}

function unwrapped(input: Json, note: NoteMend): Json {
  if (Array.isArray(input)) {
    note("read a list as the steps of the plan");
    return { steps: input };
  }
  if (!isObject(input) || Object.hasOwn(input, "steps")) return input;
  const inner = input["plan"];
  if (inner === undefined || !isObject(inner) || !Object.hasOwn(inner, "steps")) return input;
  note('read the plan inside "plan"');
  const { plan: _plan, ...beside } = input;
  return { ...beside, ...inner };
}

/** Renames misspelt fields; a field whose correct name is also present stays, to be refused or dropped. */
function renamed(
  object: JsonObject,
  fieldFor: typeof stepFieldFor,
  known: ReadonlySet<string>,
  { isDraft, note }: MendRules,
): JsonObject {
  // A caller in the same process may set an absent field to `undefined`.
  const names = Object.keys(object).filter((name) => object[name] !== undefined);
  if (names.every((name) => known.has(name))) return object;
  const entries: [string, Json][] = [];
  const taken = new Set(names.filter((name) => known.has(name)));
  for (const name of names) {
    const value = object[name];
    if (value === undefined) continue;
    const field = known.has(name) ? undefined : fieldFor(name, known);
    if (field !== undefined && !taken.has(field)) {
      taken.add(field);
      note(`read the field ${JSON.stringify(name)} as ${JSON.stringify(field)}`);
      entries.push([field, value]);
    } else if (known.has(name) || !isDraft) entries.push([name, value]);
    else if (value !== null) note(`dropped the unknown field ${JSON.stringify(name.slice(0, 64))}`);
  }
  return Object.fromEntries(entries);
}

/** A call as an object in one field: `{"action": {"tool": "docs.search", "args": {}}}`, `{"function": {"name": …}}`. */
function withCall(step: JsonObject, { note, tools }: MendRules): JsonObject {
  for (const name of ["tool", "action", "function", "tool_call", "call"]) {
    const call = step[name];
    if (call === undefined || !isObject(call)) continue;
    const { [name]: _call, ...rest } = step;
    const { name: called, ...inner } = call;
    note(`read the call in ${JSON.stringify(name)} as the step's own`);
    return { ...inner, ...(called === undefined || "tool" in inner ? {} : { tool: called }), ...rest };
  }
  const { name } = step;
  const names = ["tool", "action", "tools", "tool_name", "toolName", "function"];
  // As written by models trained for function calling: {"name": "docs.search", "arguments": {}}.
  const isCall = typeof name === "string" && !names.some((other) => Object.hasOwn(step, other));
  if (!isCall || !tools.has(toolNameFor(name, tools))) return step;
  const { name: _name, ...rest } = step;
  return { ...rest, tool: name };
}

function mendTool(step: JsonObject, { tools, note }: MendRules): void {
  const { tool } = step;
  const named = Array.isArray(tool) && tool.length === 1 ? tool[0] : tool;
  if (typeof named !== "string") return;
  const meant = toolNameFor(named, tools);
  if (meant !== tool) note(`read the tool ${JSON.stringify(tool).slice(0, 100)} as ${meant}`);
  step["tool"] = meant;
}

/** An id in the form of the plan language: 1 becomes `1`, and in a draft `Step 1` becomes `Step-1`, everywhere. */
function idOf(id: string | number, { isDraft, note }: MendRules): string {
  const text = String(id);
  if (!isDraft || StepId.safeParse(text).success) return text;
  const plain = text
    .trim()
    .replaceAll(/[^\w-]+/g, "-")
    .replaceAll(/^-+|-+$/g, "");
  if (!StepId.safeParse(plain).success || /[.[\]{}]/.test(text)) return text;
  note(`read the id ${JSON.stringify(text.slice(0, 100))} as ${plain}`);
  return plain;
}

/** Reads `"s1, s2"`, `[1, 2]`, `[{"id": "s1"}]`, `["s1.output.text"]` and null as a list of ids. */
function idsOf(value: Json, rules: MendRules): Json {
  if (value === null) return [];
  if (typeof value === "number") return [String(value)];
  if (typeof value === "string") {
    const ids = StepId.safeParse(value).success
      ? [value]
      : value.split(/\s*[,;]\s*/).filter((id) => id !== "");
    rules.note(`read ${JSON.stringify(value.slice(0, 100))} in "dependsOn" as a list`);
    return /^(?:none|null|n\/a|-)?$/i.test(value.trim()) ? [] : idsOf(ids, rules);
  }
  if (!Array.isArray(value)) return value;
  return value.map((entry) => {
    const id = isObject(entry) ? (entry["id"] ?? entry["step_id"] ?? entry) : entry;
    if (typeof id !== "string" && typeof id !== "number") return entry;
    const meant = parseReference(String(id))?.stepId ?? idOf(id, rules);
    if (meant !== entry && typeof entry !== "number")
      rules.note(`read an entry of "dependsOn" as ${JSON.stringify(meant)}`);
    return meant;
  });
}

function parsedArgs(text: string, { isDraft, note }: MendRules): Json {
  const parsed = parseLenientJson(text.trim() === "" ? "{}" : text);
  if (parsed === undefined || !isJsonObject(parsed.value)) return text;
  note('read the text in "args" as JSON');
  return isDraft ? fromWire(parsed.value) : parsed.value;
}

/** Renames references to ids that the plan language does not allow, as `idOf` renames those steps. */
function withIds(value: Json, rules: MendRules, depth: number): Json {
  if (depth > DEPTH_MAX) return value;
  if (typeof value === "string") {
    if (!value.includes("{{")) return value;
    return value.replaceAll(TEMPLATE, (whole, inner: string) =>
      whole.replace(inner, () => referenceWithId(inner, rules)),
    );
  }
  if (Array.isArray(value)) return value.map((entry) => withIds(entry, rules, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      key === "$ref" && typeof entry === "string"
        ? referenceWithId(entry, rules)
        : withIds(entry, rules, depth + 1),
    ]),
  );
}

function referenceWithId(text: string, rules: MendRules): string {
  if (parseReference(text) !== undefined) return text;
  const [whole, id] = /^([^.[\]{}]{1,64})\.output(?=[.[]|$)/.exec(text.trim()) ?? [];
  if (whole === undefined || id === undefined) return text;
  return `${idOf(id, rules)}.output${text.trim().slice(whole.length)}`;
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && isJsonObject(value);
}
