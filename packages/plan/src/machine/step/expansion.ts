/** The items of a repeated step, read from the plan alone. */
import type { Json } from "../../values/json.ts";
import { LIMITS } from "../../values/limits.ts";
import type { Step } from "../../language/plan-language.ts";
import { parseReference } from "../../language/references.ts";
import { entriesAt, type ItemValue, UnresolvedReferenceError } from "../../arguments/resolve-references.ts";
import type { ArgumentsFault } from "../../arguments/resolve-arguments.ts";
import type { KnownPlan } from "../plan-state.ts";
import { deliveredBy } from "../links/standing.ts";

export type Expansion = { readonly items: readonly ItemValue[] } | { readonly fault: ArgumentsFault };

/** @returns Why the step cannot run, if its list is not a list or is too long. */
export function expansionOf(plan: KnownPlan, forEach: NonNullable<Step["forEach"]>): Expansion {
  const found = listOf(plan, forEach);
  if ("fault" in found) return found;
  const { length } = found.items;
  const { itemsMax, stepsMax } = LIMITS;
  if (length > itemsMax) {
    return faultOf("too_many_items", `wanted a list of at most ${itemsMax} items, got ${length}`);
  }
  if (plan.items.size + length > stepsMax) {
    return faultOf("too_many_items", `wanted at most ${stepsMax} items in the whole plan, got more`);
  }
  return found;
}

function listOf(plan: KnownPlan, forEach: NonNullable<Step["forEach"]>): Expansion {
  if (Array.isArray(forEach)) return { items: forEach.map((value: Json) => ({ value })) };
  const reference = parseReference(forEach.$ref);
  if (reference === undefined) {
    return faultOf("unresolved_reference", `${forEach.$ref} is not a reference`);
  }
  const output = deliveredBy(plan, reference.stepId);
  if (output === undefined) {
    return faultOf("unresolved_reference", `${forEach.$ref}: ${reference.stepId} has no output`);
  }
  try {
    const items = entriesAt(output, reference);
    if (typeof items !== "string") return { items };
    return faultOf("not_a_list", `wanted a list at ${forEach.$ref} to run for each of, got ${items}`);
  } catch (error) {
    if (!(error instanceof UnresolvedReferenceError)) throw error;
    return faultOf("unresolved_reference", error.message);
  }
}

function faultOf(code: string, message: string): { readonly fault: ArgumentsFault } {
  return { fault: { code, message } };
}
