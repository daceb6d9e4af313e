/**
 * Turns a step as a model writes it under `draftSchema` into a step of the plan language.
 *
 * Models without strict output write steps directly in the plan language, or in a mixture of the two. Parts that are
 * already correct stay unchanged, so the caller need not know which form the model used.
 */
import { isJsonObject, type Json, type JsonObject, parseJson } from "../values/json.ts";
import { Step } from "../language/plan-language.ts";
import { isReferenceObject, parseItemReference, parseReference, TEMPLATE } from "../language/references.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import { argumentShape, type Shape, typeOf } from "./argument-shape.ts";
import { mendStep } from "./mend-step.ts";
import type { NoteMend } from "./mend-values.ts";
import { fromWire, WIRE_JSON } from "./wire-references.ts";

const NEEDED: ReadonlySet<string> = new Set(["id", "tool"]);

/**
 * Removes nulls that mean "left out", decodes JSON text, and gives ids their type. Never throws; leaves values that it
 * does not understand for `checkStep` to refuse.
 *
 * @param note - Called with a description of each mistake that was corrected.
 */
export function normalizeDraftStep(
  written: Json,
  tools: ReadonlyMap<string, ToolSpec>,
  note: NoteMend = () => undefined,
): Json {
  const translated = fromWire(written);
  if (!isJsonObject(translated)) return translated;
  const input = mendStep(withFlow(withCall(translated)), { tools, isDraft: true, note });
  const isLeftOut = ([key, value]: [string, Json]): boolean =>
    value === null && key in Step.shape && !NEEDED.has(key);
  const step: JsonObject = Object.fromEntries(Object.entries(input).filter((entry) => !isLeftOut(entry)));
  if (step["forEach"] !== undefined) step["forEach"] = listOf(step["forEach"]);
  const { compensate } = step;
  if (compensate !== undefined && isJsonObject(compensate)) step["compensate"] = withArgs(compensate, tools);
  return withArgs(withoutNeedlessUndoing(step, tools, note), tools);
}

/** The schema of a draft has one `compensate` for all tools, including read-only ones. */
function withoutNeedlessUndoing(
  { compensate, ...step }: JsonObject,
  tools: ReadonlyMap<string, ToolSpec>,
  note: NoteMend,
): JsonObject {
  if (compensate === undefined) return step;
  const { tool } = step;
  if (typeof tool !== "string" || tools.get(tool)?.effect !== "read") return { ...step, compensate };
  note(`dropped "compensate" of a step whose tool ${tool} changes nothing`);
  return step;
}

/** Moves the fields under `call` in a draft to the step. */
function withCall(input: JsonObject): JsonObject {
  const { call, ...step } = input;
  return call !== undefined && isJsonObject(call) && "tool" in call ? { ...step, ...call } : input;
}

/** Moves the fields under `flow` in a draft to the step. */
function withFlow(input: JsonObject): JsonObject {
  const { flow, ...step } = input;
  if (flow === undefined || flow === null) return step;
  if (typeof flow === "string") return { when: flow, ...step };
  return isJsonObject(flow) ? { ...flow, ...step } : input;
}

/** A list can be referred to by its path alone, or by a template. */
function listOf(forEach: Json): Json {
  if (typeof forEach !== "string") return forEach;
  const [template] = forEach.matchAll(TEMPLATE);
  return { $ref: template?.[0] === forEach.trim() ? (template[1] ?? forEach) : forEach.trim() };
}

/** A call of a tool, with its arguments decoded. */
function withArgs(call: JsonObject, tools: ReadonlyMap<string, ToolSpec>): JsonObject {
  const { tool, args } = call;
  const spec = typeof tool === "string" ? tools.get(tool) : undefined;
  if (spec === undefined || args === undefined) return call;
  return { ...call, args: decode(args, argumentShape(spec.input)) };
}

function decode(value: Json, shape: Shape): Json {
  if (isReferenceObject(value)) return value;
  if (isJsonText(value)) {
    const decoded = parseJson(value[WIRE_JSON] ?? value["$json"] ?? "");
    return decoded === undefined ? value : fromWire(decoded);
  }
  if (typeof value === "string") return decodeText(value, shape);
  switch (shape.kind) {
    case "scalar":
    case "free":
      return value;
    case "list":
      return Array.isArray(value) ? value.map((entry) => decode(entry, shape.items)) : value;
    case "object":
      return isJsonObject(value) ? decodeFields(value, shape) : value;
    case "union": {
      const alternative = shape.alternatives.find((one) => fits(value, one));
      return alternative === undefined ? value : decode(value, alternative);
    }
    default:
      shape satisfies never;
      return value;
  }
}

function decodeFields(value: JsonObject, { fields }: Shape & { kind: "object" }): JsonObject {
  const decoded: [string, Json][] = [];
  for (const [name, entry] of Object.entries(value)) {
    const field = fields.get(name);
    if (field === undefined) decoded.push([name, entry]);
    else if (entry !== null || !field.optional) decoded.push([name, decode(entry, field.shape)]);
  }
  return Object.fromEntries(decoded);
}

/** Where text is not allowed, a lone template stands for the value, and JSON text for its content. */
function decodeText(text: string, shape: Shape): Json {
  if (takesText(shape)) return text;
  const [template, another] = text.matchAll(TEMPLATE);
  const inner = template?.[1];
  if (inner !== undefined && another === undefined && template?.[0] === text.trim()) {
    return (parseReference(inner) ?? parseItemReference(inner)) === undefined ? text : { $ref: inner };
  }
  const parsed = parseJson(text);
  return parsed !== undefined && typeof parsed === "object" && parsed !== null
    ? decode(fromWire(parsed), shape)
    : text;
}

function takesText(shape: Shape): boolean {
  if (shape.kind === "scalar") return shape.types.includes("string");
  if (shape.kind === "free") return shape.scalars.includes("string");
  return shape.kind === "union" && shape.alternatives.some(takesText);
}

/** Whether a value looks like an alternative; discriminating values decide between objects. */
function fits(value: Json, shape: Shape): boolean {
  switch (shape.kind) {
    case "scalar":
      return shape.values?.includes(value) ?? shape.types.some((type) => isOfType(value, type));
    case "free":
      return typeof value === "object" && value !== null;
    case "list":
      return Array.isArray(value);
    case "object":
      return isJsonObject(value) && fitsFields(value, shape);
    case "union":
      return shape.alternatives.some((one) => fits(value, one));
    default:
      shape satisfies never;
      return false;
  }
}

function fitsFields(value: JsonObject, { fields }: Shape & { kind: "object" }): boolean {
  for (const name of Object.keys(value)) if (!fields.has(name)) return false;
  for (const [name, { shape, optional }] of fields) {
    const entry = value[name];
    if (entry === undefined || entry === null) {
      if (!optional && entry === undefined) return false;
    } else if (!isReferenceObject(entry) && !isJsonText(entry) && !fits(entry, shape)) return false;
  }
  return true;
}

function isOfType(value: Json, type: string): boolean {
  return typeOf(value) === type || (type === "integer" && Number.isInteger(value));
}

/** `$json` is the key's earlier name; models that were shown old plans still write it. */
function isJsonText(value: Json): value is { [WIRE_JSON]?: string; $json?: string } {
  if (!isJsonObject(value) || Object.keys(value).length !== 1) return false;
  return typeof value[WIRE_JSON] === "string" || typeof value["$json"] === "string";
}
