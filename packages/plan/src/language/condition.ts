/**
 * Conditions: the expressions over results in a step's `when`, such as `s1.output.total > 100 and not s2.output.done`.
 *
 * Conditions have their own language, without calls, assignments, loops or patterns: the cost of evaluating one is
 * linear in its length, even when its text is untrusted. See docs/steps.md for the grammar.
 */
import type { Json } from "../values/json.ts";
import { isJsonObject, isObject, nestsDeeper } from "../values/json-guards.ts";
import { LIMITS } from "../values/limits.ts";
import type { Reference } from "./references.ts";

export const COMPARISONS = ["==", "!=", "<", "<=", ">", ">=", "contains"] as const;
export type Comparison = (typeof COMPARISONS)[number];

export type Condition =
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "reference"; readonly reference: Reference }
  | { readonly kind: "not"; readonly inner: Condition }
  | { readonly kind: "and" | "or"; readonly left: Condition; readonly right: Condition }
  | {
      readonly kind: "comparison";
      readonly operator: Comparison;
      readonly left: Condition;
      readonly right: Condition;
    };

/** A condition that cannot be evaluated with the available values. */
export class UnjudgedConditionError extends Error {
  override readonly name = "UnjudgedConditionError";
}

/** @throws {UnjudgedConditionError} If two values cannot be compared, or `valueOf` throws it. */
export function holds(condition: Condition, valueOf: (reference: Reference) => Json): boolean {
  return isTrue(valueIn(condition, valueOf));
}

/** The references of a condition, in order. */
export function referencesIn(condition: Condition): Reference[] {
  switch (condition.kind) {
    case "literal":
      return [];
    case "reference":
      return [condition.reference];
    case "not":
      return referencesIn(condition.inner);
    case "and":
    case "or":
    case "comparison":
      return [...referencesIn(condition.left), ...referencesIn(condition.right)];
    default:
      condition satisfies never;
      return [];
  }
}

function valueIn(condition: Condition, valueOf: (reference: Reference) => Json): Json {
  const isSo = (part: Condition): boolean => isTrue(valueIn(part, valueOf));
  switch (condition.kind) {
    case "literal":
      return condition.value;
    case "reference":
      return valueOf(condition.reference);
    case "not":
      return !isSo(condition.inner);
    case "and":
      return isSo(condition.left) && isSo(condition.right);
    case "or":
      return isSo(condition.left) || isSo(condition.right);
    case "comparison":
      return compare(condition.operator, valueIn(condition.left, valueOf), valueIn(condition.right, valueOf));
    default:
      condition satisfies never;
      return null;
  }
}

/** As in Python: false, null, 0, "" and empty values are false; everything else is true. */
function isTrue(value: Json): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

function compare(operator: Comparison, left: Json, right: Json): boolean {
  if ([left, right].some((value) => nestsDeeper(value, LIMITS.levelsMax))) {
    throw new UnjudgedConditionError(
      `wanted values nested at most ${LIMITS.levelsMax} levels deep around ${operator}`,
    );
  }
  switch (operator) {
    case "==":
      return isEqual(left, right);
    case "!=":
      return !isEqual(left, right);
    case "contains":
      return contains(left, right);
    case "<":
    case "<=":
    case ">":
    case ">=":
      return isOrdered(operator, left, right);
    default:
      operator satisfies never;
      return false;
  }
}

/** A missing value is neither less nor greater than any other. */
function isOrdered(operator: "<" | "<=" | ">" | ">=", left: Json, right: Json): boolean {
  if (left === null || right === null) return false;
  const areNumbers = typeof left === "number" && typeof right === "number";
  const areTexts = typeof left === "string" && typeof right === "string";
  if (!areNumbers && !areTexts) {
    throw new UnjudgedConditionError(
      `wanted two numbers or two texts around ${operator}, got ${kindOf(left)} and ${kindOf(right)}`,
    );
  }
  if (operator === "<") return left < right;
  if (operator === "<=") return left <= right;
  return operator === ">" ? left > right : left >= right;
}

function contains(whole: Json, part: Json): boolean {
  if (whole === null) return false;
  if (Array.isArray(whole)) return whole.some((entry) => isEqual(entry, part));
  if (typeof whole === "string" && typeof part === "string") return whole.includes(part);
  throw new UnjudgedConditionError(
    `wanted a list, or two texts, around contains, got ${kindOf(whole)} and ${kindOf(part)}`,
  );
}

/** Deep comparison that ignores the order of an object's keys. */
function isEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false;
    return left.every((entry, index) => isEqual(entry, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return left === right;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(left[key], right[key]))
  );
}

function kindOf(value: Json): string {
  if (Array.isArray(value)) return "a list";
  if (value === null) return "null";
  return isJsonObject(value) ? "an object" : `a ${typeof value === "string" ? "text" : typeof value}`;
}
