/** Matches the rules of a policy with a call of a tool: as far as its arguments are known, and strictly where they are not. */
import { type Condition, holds, UnjudgedConditionError } from "../language/condition.ts";
import { parseArgumentCondition } from "../language/parse-condition.ts";
import type { ComposedUrl } from "../egress/egress-rule.ts";
import type { Json, JsonObject } from "../values/json.ts";
import type { Reference } from "../language/references.ts";
import { UnresolvedReferenceError, valueAt } from "../arguments/resolve-references.ts";
import { holdsStandIn } from "../arguments/placeholders.ts";
import type { GatePolicy, GateRule, Provenance } from "./gate-policy.ts";

/** A planned call; without `args`, its arguments are not known yet. */
export type PolicyCall = {
  readonly tool: string;
  readonly args?: JsonObject | undefined;
  /** The origin of the arguments; absent while it is unknown. */
  readonly from?: Provenance | undefined;
  /** Its URLs that a model composed after it had read content. */
  readonly composed?: readonly ComposedUrl[] | undefined;
};

/** A rule, and whether it certainly matches; `unclear` if the arguments are not enough to evaluate its condition. */
export type Match = { readonly rule: GateRule; readonly isUnclear: boolean };

/** The rules that match a call, or may match it, in the policy's order. */
export function matchesOf({ rules }: GatePolicy, { tool, args, from }: PolicyCall): Match[] {
  const matches: Match[] = [];
  for (const rule of rules) {
    if (!rule.tools.some((pattern) => fitsPattern(tool, pattern))) continue;
    const parts = [
      rule.when === undefined ? true : judge(rule.when, args),
      rule.from === undefined ? true : comesFrom(rule.from, from),
    ];
    if (!parts.includes(false)) matches.push({ rule, isUnclear: parts.includes(undefined) });
  }
  return matches;
}

/** Undefined if the origin is unknown. */
function comesFrom(patterns: readonly string[], from: Provenance | undefined): boolean | undefined {
  if (from === undefined) return undefined;
  if (from.tools.some((tool) => patterns.some((pattern) => fitsPattern(tool, pattern)))) return true;
  return from.isOpen ? undefined : false;
}

/**
 * Whether a name matches a pattern, in which `*` stands for any characters. Takes at most the product of their lengths in time.
 */
export function fitsPattern(name: string, pattern: string): boolean {
  const [first = "", ...parts] = pattern.split("*");
  const last = parts.pop();
  if (last === undefined) return name === first;
  if (!name.startsWith(first) || name.length < first.length + last.length) return false;
  const end = name.length - last.length;
  let from = first.length;
  for (const part of parts) {
    const at = name.indexOf(part, from);
    if (at === -1 || at + part.length > end) return false;
    from = at + part.length;
  }
  return name.endsWith(last);
}

/** Undefined if the condition cannot be evaluated. */
function judge(when: string, args: JsonObject | undefined): boolean | undefined {
  const parsed = parseArgumentCondition(when);
  if (args === undefined || "fault" in parsed) return undefined;
  const valueOf = (reference: Reference): Json => argumentAt(args, reference) ?? null;
  try {
    if (ordersNothing(parsed.condition, args)) return undefined;
    return holds(parsed.condition, valueOf);
  } catch (error) {
    if (error instanceof UnjudgedConditionError) return undefined;
    throw error;
  }
}

/**
 * Undefined if there is no such argument; a list or a text has a `length`.
 *
 * @throws {UnjudgedConditionError} If the argument contains a file, which only a worker can read.
 */
function argumentAt(args: JsonObject, { path, text }: Reference): Json | undefined {
  const [name = "", ...below] = path;
  const argument = reach(args, { path: [name], text });
  if (argument === undefined) return undefined;
  if (holdsStandIn(argument)) throw new UnjudgedConditionError(`${text} is not known before the call`);
  const whole = reach(argument, { path: below.slice(0, -1), text });
  const measured = Array.isArray(whole) || typeof whole === "string";
  if (below.at(-1) === "length" && measured) return whole.length;
  return reach(argument, { path: below, text });
}

function reach(value: Json, reference: Pick<Reference, "path" | "text">): Json | undefined {
  try {
    return valueAt(value, reference);
  } catch (error) {
    if (error instanceof UnresolvedReferenceError) return undefined;
    throw error;
  }
}

/** Whether a missing argument is compared by size: `not amount > 100` must not be true without an amount. */
function ordersNothing(condition: Condition, args: JsonObject): boolean {
  switch (condition.kind) {
    case "literal":
    case "reference":
      return false;
    case "not":
      return ordersNothing(condition.inner, args);
    case "and":
    case "or":
      return ordersNothing(condition.left, args) || ordersNothing(condition.right, args);
    case "comparison": {
      const { operator, left, right } = condition;
      const inside = ordersNothing(left, args) || ordersNothing(right, args);
      if (inside || operator === "==" || operator === "!=" || operator === "contains") return inside;
      return [left, right].some(
        (side) => side.kind === "reference" && (argumentAt(args, side.reference) ?? null) === null,
      );
    }
    default:
      condition satisfies never;
      return false;
  }
}
