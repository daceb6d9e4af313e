/** A step's arguments as its tool gets them: every reference replaced, within the limit of their size. */
import { jsonBytes } from "./check/json-bytes.ts";
import type { StepId } from "./ids.ts";
import { type Json, type JsonObject, nestsDeeper } from "./json.ts";
import { LIMITS } from "./limits.ts";
import type { Step } from "./plan-language.ts";
import {
  findReferences,
  type PlacedReference,
  type ResolvedOutput,
  resolveReferences,
  UnresolvedReferenceError,
  valueAt,
} from "./references.ts";
import type { KnownPlan } from "./state/plan-state.ts";
import { type Delivered, deliveredBy } from "./state/standing.ts";

export type ArgumentsFault = { readonly code: string; readonly message: string };

const TOO_DEEP: ArgumentsFault = {
  code: "args_too_deep",
  message: `resolved arguments are nested more than ${LIMITS.levelsMax} levels deep; refer to less`,
};

export type ResolvedArguments = { readonly args: JsonObject } | { readonly fault: ArgumentsFault };

/** @returns Why the step cannot run, when a reference leads nowhere or the arguments become too large. */
export function resolveArguments(plan: KnownPlan, { args }: Pick<Step, "args">): ResolvedArguments {
  return resolveWithOutputs(args, (stepId) => deliveredBy(plan, stepId));
}

/** The same for outputs from anywhere; `outputOf` answers undefined for a step that has none. */
export function resolveWithOutputs(
  args: JsonObject,
  outputOf: (stepId: StepId) => Delivered,
): ResolvedArguments {
  const { references } = findReferences(args);
  if (references.length === 0) return { args };
  const resolvedOf = (stepId: StepId): ResolvedOutput | undefined => resolvedOutput(outputOf(stepId));
  try {
    // Before anything is put together: a few thousand references to one output may stand for gigabytes.
    const charsMin = referredChars(references, resolvedOf);
    if (charsMin === undefined) return { fault: TOO_DEEP };
    if (charsMin > LIMITS.argsBytesMax) return tooLarge(`more than ${charsMin}`);
    const resolved = resolveReferences(args, resolvedOf);
    const bytes = jsonBytes(resolved);
    return bytes > LIMITS.argsBytesMax ? tooLarge(String(bytes)) : { args: resolved };
  } catch (error) {
    if (!(error instanceof UnresolvedReferenceError)) throw error;
    return { fault: { code: "unresolved_reference", message: error.message } };
  }
}

function resolvedOutput(output: Delivered): ResolvedOutput | undefined {
  if (output === undefined) return undefined;
  if (output === "nothing") return { kind: "nothing" };
  return "value" in output
    ? { kind: "value", value: output.value }
    : { kind: "artifact", artifact: output.artifact.name };
}

/**
 * How many characters the values that are referred to take at least, each as often as it is referred to;
 * undefined when one is nested so deep that walking it might overflow the stack.
 */
function referredChars(
  references: readonly PlacedReference[],
  outputOf: (stepId: StepId) => ResolvedOutput | undefined,
): number | undefined {
  const charsOf = new Map<string, number>();
  let chars = 0;
  for (const reference of references) {
    const output = outputOf(reference.stepId);
    if (output?.kind !== "value") continue;
    let known = charsOf.get(reference.text);
    if (known === undefined) {
      const value = valueAt(output.value, reference);
      if (nestsDeeper(value, LIMITS.levelsMax)) return undefined;
      known = textChars(value);
      charsOf.set(reference.text, known);
    }
    chars += known;
  }
  return chars;
}

function textChars(value: Json): number {
  return typeof value === "string" ? value.length : JSON.stringify(value).length;
}

function tooLarge(bytes: string): { fault: ArgumentsFault } {
  const message = `resolved arguments take ${bytes} bytes, at most ${LIMITS.argsBytesMax} are allowed; refer to less`;
  return { fault: { code: "args_too_large", message } };
}
