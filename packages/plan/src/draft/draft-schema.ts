/**
 * The planner's output schema, built from the tools that a plan may use: structured output cannot name a tool or an argument that
 * does not exist.
 *
 * It uses only features that every strict implementation accepts: an object at the root, every field required, null for omitted
 * fields, no additional properties, six objects deep, no constraint keywords, property names of letters, digits, `_`, `.` and
 * `-`. The objects of an `anyOf` differ in their first property, or in its values: OpenAI refuses others. `normalizeDraftStep`
 * reverses these conventions.
 */
import type { Agents } from "../language/agent-type.ts";
import { isJsonObject, type Json } from "../values/json.ts";
import type { JsonSchema, ToolSpec } from "../language/tool-spec.ts";
import { argumentShape, type Field, type ScalarType, type Shape } from "./argument-shape.ts";
import { shareSchemas } from "./share-schemas.ts";
import { WIRE_JSON, WIRE_REFERENCE } from "./wire-references.ts";

const REFERENCE: JsonSchema = closed({ [WIRE_REFERENCE]: { type: "string" } });
const JSON_TEXT: JsonSchema = closed({ [WIRE_JSON]: { type: "string" } });

/** How often a text can be revised for its reviewer. */
const REVIEW: JsonSchema = {
  anyOf: [closed({ maxIterations: { type: "integer", enum: [1, 2, 3, 4, 5] } }), { type: "null" }],
};

/** With more tools, the check of the step has to refuse invalid ones. */
const UNDOING_TOOLS_MAX = 16;
/** The names that Anthropic's API accepts, the strictest that we know of. */
const PROPERTY_NAME = /^[a-zA-Z0-9_.-]{1,64}$/;

const CONFIDENCE: JsonSchema = { type: "number" };

export type DraftSchemaOptions = {
  readonly confidence?: boolean | undefined;
  readonly review?: boolean | undefined;
  readonly lists?: boolean;
  readonly ties?: boolean;
  readonly agents?: Agents["types"];
};

/**
 * The schema of a draft: `reasoning`, then `steps`, then `answerFrom`.
 *
 * A step's call is under `call`, with one variant per tool. Settings that few steps need are under `flow`, or null: a condition,
 * a list, and a compensation. Each argument is its value or `{"__ref": "s1.output…"}`; a value without a fixed shape is
 * `{"__json": "…"}`. The prompt explains the arguments, since servers that compile the schema to a grammar do not show it to the
 * model. Repeated parts are defined once, under `$defs`.
 *
 * @param options.agents - The agent types that a step can name, if its tool is one of theirs.
 * @param options.lists - Whether a step can run for each item of a list.
 * @param options.confidence - Whether to ask for the model's confidence in each step and, at the end, in the plan.
 * @param options.review - Whether a step whose tool can revise its output can ask for a review.
 * @param options.ties - Whether a step can name the step that it verifies, and its fallback.
 * @throws {RangeError} If there is no tool, since then no step can be written.
 */
export function draftSchema(
  tools: Iterable<ToolSpec>,
  { confidence = false, review = false, lists = false, ties = false, agents }: DraftSchemaOptions = {},
): JsonSchema {
  const specs = [...tools];
  const sure = confidence ? { confidence: CONFIDENCE } : {};
  const changing = specs.filter(({ effect }) => effect !== "read").map(({ name }) => name);
  const variants = specs.map((spec) =>
    callSchema(spec, {
      ...agentField(spec, agents),
      ...(review && spec.revises === true ? { review: REVIEW } : {}),
    }),
  );
  const [only] = variants;
  if (only === undefined) throw new RangeError("wanted at least one tool to plan with, got none");
  const step = closed({
    id: { type: "string" },
    description: { type: "string" },
    call: variants.length === 1 ? only : { anyOf: variants },
    dependsOn: { type: "array", items: { type: "string" } },
    flow: flowSchema(
      ["when", ...(lists ? ["forEach"] : []), ...(ties ? ["verifies", "fallback"] : [])],
      changing,
    ),
    successCriteria: { type: ["string", "null"] },
    expectedOutput: { type: ["string", "null"] },
    ...sure,
  });
  return shareSchemas(
    closed({
      reasoning: { type: "string" },
      steps: { type: "array", items: step },
      answerFrom: { type: ["string", "null"] },
      ...sure,
    }),
  );
}

/**
 * Settings that few steps need, in one object, so that other steps write null only once.
 *
 * @param names - Fields that are texts.
 * @param changing - The tools that change something: only their steps can have a compensation, and only they can be one.
 */
function flowSchema(names: readonly string[], changing: readonly string[]): JsonSchema {
  const fields: JsonSchema = {};
  for (const name of names) fields[name] = { type: ["string", "null"] };
  fields["compensate"] = changing.length > 0 ? compensationSchema(changing) : { type: "null" };
  return { anyOf: [closed(fields), { type: "null" }] };
}

function callSchema(tool: ToolSpec, more: JsonSchema): JsonSchema {
  return closed({
    tool: { type: "string", enum: [tool.name] },
    args: argsSchema(argumentShape(tool.input)),
    ...more,
  });
}

/** Null selects the tool's own workers. */
function agentField({ name }: ToolSpec, agents: Agents["types"] = new Map()): JsonSchema {
  const able = [...agents].flatMap(([agent, { tools }]) => (tools.includes(name) ? [agent] : []));
  return able.length === 0 ? {} : { agent: { type: ["string", "null"], enum: [...able, null] } };
}

/** Its arguments are JSON text, whatever the tool: their schemas would double the schema's size and make it too deep. */
function compensationSchema(changing: readonly string[]): JsonSchema {
  const named = changing.length <= UNDOING_TOOLS_MAX ? { enum: [...changing] } : {};
  const undoing = closed({ tool: { type: "string", ...named }, args: JSON_TEXT });
  return { anyOf: [undoing, { type: "null" }] };
}

/** The arguments as a whole are never a reference. */
function argsSchema(shape: Shape): JsonSchema {
  const objects = distinct(variantsOf(shape).filter((variant) => variant["type"] === "object"));
  const [only, another] = objects.length === 0 ? [JSON_TEXT] : objects;
  return only !== undefined && another === undefined ? only : { anyOf: objects };
}

function valueSchema(shape: Shape, optional: boolean): JsonSchema {
  const [only] = variantsOf(shape);
  // A constant is never a reference; it distinguishes objects.
  if (only !== undefined && isConstant(shape) && !optional) return only;
  const variants = variantsOf(optional ? orNull(shape) : shape);
  const scalars = new Set<string>();
  const others: JsonSchema[] = [];
  for (const variant of variants) {
    if ("enum" in variant || typeof variant["type"] !== "string" || variant["type"] === "object")
      others.push(variant);
    else if (variant["type"] === "array") others.push(variant);
    else scalars.add(variant["type"]);
  }
  if (scalars.has("number")) scalars.delete("integer");
  const plain: JsonSchema[] =
    scalars.size === 0 ? [] : [{ type: scalars.size === 1 ? ([...scalars][0] ?? "string") : [...scalars] }];
  return { anyOf: [...plain, ...distinct(others), REFERENCE] };
}

function orNull(shape: Shape): Shape {
  const nothing: Shape = { kind: "scalar", types: ["null"], note: "" };
  return { kind: "union", alternatives: [shape, nothing], note: shape.note };
}

function variantsOf(shape: Shape): JsonSchema[] {
  switch (shape.kind) {
    case "scalar":
      return shape.values === undefined
        ? shape.types.map(plainType)
        : [{ type: typeNames(shape.types), enum: [...shape.values] }];
    case "list":
      return [{ type: "array", items: valueSchema(shape.items, false) }];
    case "object":
      return [objectSchema(shape)];
    case "union":
      return shape.alternatives.flatMap(variantsOf);
    case "free":
      return [...shape.scalars.map(plainType), JSON_TEXT];
    default:
      shape satisfies never;
      return [];
  }
}

/**
 * Names that a server may refuse, or mistake for a keyword of JSON Schema, turn the whole object into JSON text. Constants come
 * first.
 */
function objectSchema({ fields }: Shape & { kind: "object" }): JsonSchema {
  if ([...fields.keys()].some((name) => !PROPERTY_NAME.test(name) || name === WIRE_REFERENCE))
    return JSON_TEXT;
  const rank = ({ shape, optional }: Field): number => (isConstant(shape) && !optional ? 0 : 1);
  const ordered = [...fields].toSorted(([, left], [, right]) => rank(left) - rank(right));
  return closed(
    Object.fromEntries(ordered.map(([name, field]) => [name, valueSchema(field.shape, field.optional)])),
  );
}

function isConstant(shape: Shape): boolean {
  return shape.kind === "scalar" && shape.values?.length === 1;
}

function plainType(type: ScalarType): JsonSchema {
  return { type };
}

function typeNames(types: readonly ScalarType[]): Json {
  const [only, another] = types;
  return only !== undefined && another === undefined ? only : [...types];
}

/** An object with exactly these properties. */
function closed(properties: JsonSchema): JsonSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

/** Merges objects that no first property distinguishes into one: JSON text. */
function distinct(schemas: readonly JsonSchema[]): JsonSchema[] {
  const all = unique(schemas);
  const clashing = new Set(
    all.filter((one, index) => all.some((other, place) => place !== index && shareFirst(one, other))),
  );
  if (clashing.size === 0) return all;
  return unique([...all.filter((one) => !clashing.has(one)), JSON_TEXT]);
}

/** Whether two objects start with the same property, and its values do not distinguish them. */
function shareFirst(left: JsonSchema, right: JsonSchema): boolean {
  const [one, other] = [firstProperty(left), firstProperty(right)];
  if (one === undefined || other === undefined || one.name !== other.name) return false;
  const values = new Set(other.values);
  return one.values.length === 0 || values.size === 0 || one.values.some((value) => values.has(value));
}

function firstProperty(schema: JsonSchema): { name: string; values: readonly Json[] } | undefined {
  const { properties } = schema;
  const [first] = properties !== undefined && isJsonObject(properties) ? Object.entries(properties) : [];
  if (first === undefined) return undefined;
  const [name, value] = first;
  const values = isJsonObject(value) ? value["enum"] : undefined;
  return { name, values: Array.isArray(values) ? values : [] };
}

function unique(schemas: readonly JsonSchema[]): JsonSchema[] {
  return [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
}
