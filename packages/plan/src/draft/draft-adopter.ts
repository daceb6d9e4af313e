/**
 * Merges a new draft's steps with those of earlier drafts, so that a step id never refers to two different contents.
 *
 * Models number their steps from 1 each time. If the draft contains a step that has succeeded or has not ended, that step keeps
 * its old id. Any other id that was used before is replaced with a new one, in all of the draft's references too.
 */
import { renameInCondition } from "../language/parse-condition.ts";
import { dependenciesOf } from "../language/dependencies.ts";
import { StepId } from "../values/ids.ts";
import { isJsonObject, type Json } from "../values/json.ts";
import type { Step } from "../language/plan-language.ts";
import { renamedReference, rewriteReferences } from "./rewrite-references.ts";

const ID_CHARS_MAX = 64;

/** `usable`: its result exists or may still arrive, perhaps from its fallback. */
export type EarlierStep = {
  readonly step: Step;
  readonly usable: boolean;
  /** Whether its result exists. */
  readonly done: boolean;
};

export type AdoptedStep = {
  /** The step as stored in the log: its id and references are the plan's, not the draft's. */
  readonly step: Step;
  /** Whether the plan already has this step, finished or unfinished, so that it need not be planned. */
  readonly reused: boolean;
};

export type DraftAdopter = {
  /** Adopts the draft's next checked step. The steps that it refers to were adopted before or come from an earlier draft. */
  adopt(step: Step): AdoptedStep;
  /** The plan's id for an id as the draft uses it, for `answerFrom`; undefined when there is no such step. */
  idOf(id: string): StepId | undefined;
};

/**
 * @param draft - The draft's number; part of the new names, such as `s1-d2`.
 * @param earlier - Every step that the plan's log has planned, by id, whatever its status.
 */
export function createDraftAdopter(draft: number, earlier: ReadonlyMap<StepId, EarlierStep>): DraftAdopter {
  const nameOf = new Map<string, StepId>();
  const taken = new Set<string>(earlier.keys());
  const fallbacks = new Set(Array.from(earlier.values(), ({ step }) => step.fallback));
  const known = new Map<string, EarlierStep>();
  for (const one of earlier.values()) {
    const content = contentOf(one.step);
    // A step that only waits as another step's fallback must not be reused for a new step.
    const isStandby = !one.done && fallbacks.has(one.step.id);
    if (one.usable && !isStandby && !known.has(content)) known.set(content, one);
  }
  /** The names of fallbacks that are not planned yet, and the steps that are used instead of them. */
  const named = new Map<StepId, StepId>();
  const instead = new Map<StepId, Step>();
  const nameAnew = (id: StepId): StepId => {
    const name = taken.has(id) ? freshId(id, draft, taken) : id;
    nameOf.set(id, name);
    taken.add(name);
    return name;
  };
  const nameAhead = (id: StepId): StepId => {
    const name = named.get(id) ?? nameAnew(id);
    named.set(id, name);
    return name;
  };
  const rename = (id: StepId): StepId => nameOf.get(id) ?? id;

  return {
    adopt(step) {
      const own = {
        ...step,
        dependsOn: step.dependsOn.map(rename),
        args: rewriteReferences(step.args, step.forEach === undefined ? rename : besideItem(rename)),
        ...(step.verifies === undefined ? {} : { verifies: rename(step.verifies) }),
        ...(step.when === undefined ? {} : { when: renameInCondition(step.when, rename) }),
        ...(step.forEach === undefined ? {} : { forEach: renamedList(step.forEach, rename) }),
      };
      const same = named.has(step.id) ? undefined : known.get(contentOf(own));
      const done = instead.get(step.id) ?? (isEnough(same, step) ? same?.step : undefined);
      if (done !== undefined) {
        nameOf.set(step.id, done.id);
        // Its own fallback is planned already, or not needed.
        const standIn = same?.done === true ? undefined : earlier.get(done.fallback ?? done.id)?.step;
        if (step.fallback !== undefined) instead.set(step.fallback, standIn ?? done);
        return { step: done, reused: true };
      }
      const id = named.get(step.id) ?? nameAnew(step.id);
      const { compensate, fallback } = step;
      const tied = fallback === undefined ? own : { ...own, fallback: nameAhead(fallback) };
      if (compensate === undefined) return { step: { ...tied, id }, reused: false };
      const undone = { ...compensate, args: rewriteReferences(compensate.args, rename) };
      return { step: { ...tied, id, compensate: undone }, reused: false };
    },
    idOf(id) {
      const own = nameOf.get(id) ?? StepId.safeParse(id).data;
      return own !== undefined && taken.has(own) ? own : undefined;
    },
  };
}

/** Whether an earlier step can be reused. If it has no result yet and the new step has a fallback, it must have one too. */
function isEnough(same: EarlierStep | undefined, { fallback }: Step): boolean {
  return same !== undefined && (same.done || fallback === undefined || same.step.fallback !== undefined);
}

/** In the arguments of a step that runs for each item of a list, `item` is not a step. */
function besideItem(rename: (id: StepId) => StepId) {
  return (id: StepId): StepId => (id === "item" ? id : rename(id));
}

function renamedList(forEach: NonNullable<Step["forEach"]>, rename: (id: StepId) => StepId) {
  if (Array.isArray(forEach)) return forEach;
  return { $ref: renamedReference(forEach.$ref, rename) };
}

/** The fields that determine a step's result: steps with the same content are interchangeable. */
function contentOf(step: Step): string {
  const { tool, args, agent = null, model = null, when = null, forEach = null, verifies = null } = step;
  return canonicalJson({
    tool,
    args,
    agent,
    model,
    when,
    forEach,
    verifies,
    dependencies: dependenciesOf(step).toSorted(),
  });
}

function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (!isJsonObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).toSorted();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key] ?? null)}`).join(",")}}`;
}

function freshId(id: StepId, draft: number, taken: ReadonlySet<string>): StepId {
  for (let count = 1; ; count++) {
    const suffix = count === 1 ? `-d${draft}` : `-d${draft}-${count}`;
    const fresh = StepId.parse(id.slice(0, ID_CHARS_MAX - suffix.length) + suffix);
    if (!taken.has(fresh)) return fresh;
  }
}
