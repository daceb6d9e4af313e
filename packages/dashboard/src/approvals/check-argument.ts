/**
 * Checks an argument against its JSON schema while a reviewer types, and reports at the field what the gateway would refuse.
 * Patterns and references are left to the gateway: a tool's pattern is untrusted and could hang the page.
 */
import type { Json, JsonObject } from "../api/api-types.ts";
import { isObject } from "../values/is-object.ts";
import { FAULTS } from "./approval-words.ts";

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** What is wrong with a value; undefined when it is valid. */
export function faultOf(schema: JsonObject, value: Json): string | undefined {
  return (
    typeFault(schema, value) ??
    choiceFault(schema, value) ??
    boundsFault(schema, value) ??
    combinedFault(schema, value)
  );
}

/** Whether a value has a type of JSON Schema. */
export function isOfType(type: Json | undefined, value: Json): boolean {
  switch (type) {
    case "string":
    case "boolean":
      return typeof value === type;
    case "number":
      return typeof value === "number";
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    default:
      return true;
  }
}

function typeFault({ type }: JsonObject, value: Json): string | undefined {
  const types = Array.isArray(type) ? type : [type];
  if (types.some((one) => isOfType(one, value))) return undefined;
  return FAULTS.type(types.map(String));
}

function choiceFault({ enum: choices, const: only }: JsonObject, value: Json): string | undefined {
  const wanted = Array.isArray(choices) ? choices : only === undefined ? undefined : [only];
  if (wanted === undefined || wanted.some((one) => isSame(one, value))) return undefined;
  return FAULTS.choice(wanted.map((one) => (typeof one === "string" ? one : JSON.stringify(one))));
}

function boundsFault(schema: JsonObject, value: Json): string | undefined {
  if (typeof value === "string") return textFault(schema, value);
  if (typeof value === "number") return numberFault(schema, value);
  if (Array.isArray(value)) return listFault(schema, value);
  return isObject(value) ? objectFault(schema, value) : undefined;
}

function textFault(schema: JsonObject, value: string): string | undefined {
  // JSON Schema counts characters this way.
  const chars = Array.from(value).length;
  const { minLength, maxLength, format } = schema;
  if (typeof minLength === "number" && chars < minLength) {
    return chars === 0 ? FAULTS.required : FAULTS.minChars(minLength, chars);
  }
  if (typeof maxLength === "number" && chars > maxLength) return FAULTS.maxChars(maxLength, chars);
  if (format === "date" && !(DATE.test(value) && !Number.isNaN(Date.parse(value)))) return FAULTS.date;
  if (format === "date-time" && (Number.isNaN(Date.parse(value)) || DATE.test(value))) return FAULTS.dateTime;
  if ((format === "uri" || format === "url") && !URL.canParse(value)) return FAULTS.url;
  return undefined;
}

function numberFault(schema: JsonObject, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below } = schema;
  if (typeof minimum === "number" && value < minimum) return FAULTS.min(minimum);
  if (typeof maximum === "number" && value > maximum) return FAULTS.max(maximum);
  if (typeof above === "number" && value <= above) return FAULTS.above(above);
  if (typeof below === "number" && value >= below) return FAULTS.below(below);
  return undefined;
}

function listFault({ minItems, maxItems, items }: JsonObject, value: readonly Json[]): string | undefined {
  if (typeof minItems === "number" && value.length < minItems) return FAULTS.minItems(minItems);
  if (typeof maxItems === "number" && value.length > maxItems) return FAULTS.maxItems(maxItems);
  if (!isObject(items)) return undefined;
  for (const [index, item] of value.entries()) {
    const fault = faultOf(items, item);
    if (fault !== undefined) return FAULTS.at(`[${index}]`, fault);
  }
  return undefined;
}

function objectFault(schema: JsonObject, value: JsonObject): string | undefined {
  const { required, properties, additionalProperties } = schema;
  const known = isObject(properties) ? properties : {};
  const wanted = Array.isArray(required) ? required : [];
  for (const name of wanted) {
    if (typeof name === "string" && !Object.hasOwn(value, name)) return FAULTS.at(name, FAULTS.required);
  }
  for (const [name, part] of Object.entries(value)) {
    const of = Object.hasOwn(known, name) ? known[name] : additionalProperties;
    if (of === false) return FAULTS.at(name, FAULTS.unknown);
    const fault = isObject(of) ? faultOf(of, part) : undefined;
    if (fault !== undefined) return FAULTS.at(name, fault);
  }
  return undefined;
}

/** The value must match one of several schemas, or all. If it matches none, the schema of its type provides the error. */
function combinedFault(schema: JsonObject, value: Json): string | undefined {
  for (const all of objectsIn(schema["allOf"])) {
    const fault = faultOf(all, value);
    if (fault !== undefined) return fault;
  }
  for (const alternatives of [objectsIn(schema["anyOf"]), objectsIn(schema["oneOf"])]) {
    if (alternatives.length === 0) continue;
    const faults = alternatives.map((one) => faultOf(one, value));
    if (faults.includes(undefined)) continue;
    const nearest = alternatives.findIndex((one) => typeFault(one, value) === undefined);
    return faults[Math.max(0, nearest)];
  }
  return undefined;
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Whether two values are equal, regardless of the order of their fields. */
export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((one, index) => isSame(one, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isSame(left[name], right[name]))
  );
}
