/** Resolves a step's arguments for its tool: replaces every reference, within the size limit. */
import { jsonBytes } from "../check/json-bytes.ts";
import type { StepId } from "../values/ids.ts";
import type { Json, JsonObject } from "../values/json.ts";
import { nestsDeeper } from "../values/json-guards.ts";
import { LIMITS } from "../values/limits.ts";
import type { Step } from "../language/plan-language.ts";
import { findReferences, type PlacedReference } from "../language/references.ts";
import {
  type ItemValue,
  type ResolvedOutput,
  resolveReferences,
  UnresolvedReferenceError,
  valueAt,
} from "./resolve-references.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { deliveredBy } from "../machine/links/standing.ts";

export type ArgumentsFault = { readonly code: string; readonly message: string };

const TOO_DEEP: ArgumentsFault = {
  code: "args_too_deep",
  message: `resolved arguments are nested more than ${LIMITS.levelsMax} levels deep; refer to less`,
};

export type ResolvedArguments = { readonly args: JsonObject } | { readonly fault: ArgumentsFault };

/** @returns Why the step cannot run, if a reference cannot be resolved or the arguments become too large. */
export function resolveArguments(
  plan: KnownPlan,
  { args }: Pick<Step, "args">,
  item?: ItemValue,
): ResolvedArguments {
  return resolveWithOutputs(args, (stepId) => deliveredBy(plan, stepId), item);
}

/** A call's arguments as far as the plan knows them; undefined while an output that they refer to is missing. */
export function knownArguments(
  plan: KnownPlan,
  call: Pick<Step, "args">,
  item?: ItemValue,
): JsonObject | undefined {
  const resolved = resolveArguments(plan, call, item);
  return "fault" in resolved ? undefined : resolved.args;
}

/** The same for outputs from any source; `outputOf` returns undefined for a step without one. */
export function resolveWithOutputs(
  args: JsonObject,
  outputOf: (stepId: StepId) => ResolvedOutput | undefined,
  item?: ItemValue,
): ResolvedArguments {
  const { references, items } = findReferences(args, { forEach: item === undefined ? undefined : [] });
  if (references.length + items.length === 0) return { args };
  try {
    // Checked before the arguments are built: a few thousand references to one output can expand to gigabytes.
    const charsMin = charsOf([
      ...references.map((one) => ({ text: one.text, read: () => valueOf(outputOf(one.stepId), one) })),
      ...items.map((one) => ({ text: one.text, read: () => valueOfItem(item, one) })),
    ]);
    if (charsMin === undefined) return { fault: TOO_DEEP };
    if (charsMin > LIMITS.argsBytesMax) return tooLarge(`more than ${charsMin}`);
    const resolved = resolveReferences(args, outputOf, item);
    const bytes = jsonBytes(resolved);
    return bytes > LIMITS.argsBytesMax ? tooLarge(String(bytes)) : { args: resolved };
  } catch (error) {
    if (!(error instanceof UnresolvedReferenceError)) throw error;
    return { fault: { code: "unresolved_reference", message: error.message } };
  }
}

type Path = Pick<PlacedReference, "path" | "text">;

/** Undefined for values that are stored as files, and for parts of a list that contains files. */
function valueOf(output: ResolvedOutput | undefined, reference: Path): Json | undefined {
  if (output?.kind === "value") return valueAt(output.value, reference);
  return output?.kind === "list" && reference.path.length === 0 ? output.value : undefined;
}

function valueOfItem(item: ItemValue | undefined, reference: Path): Json | undefined {
  return item !== undefined && "value" in item ? valueAt(item.value, reference) : undefined;
}

/**
 * The minimum number of characters of the referenced values, counted once per reference; undefined when one is nested so deep
 * that walking it might overflow the stack.
 */
function charsOf(
  referred: readonly { readonly text: string; readonly read: () => Json | undefined }[],
): number | undefined {
  const known = new Map<string, number>();
  let chars = 0;
  for (const { text, read } of referred) {
    let own = known.get(text);
    if (own === undefined) {
      const value = read();
      if (value !== undefined && nestsDeeper(value, LIMITS.levelsMax)) return undefined;
      own = value === undefined ? 0 : textChars(value);
      known.set(text, own);
    }
    chars += own;
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
