/**
 * Effects that the log records only after their step was abandoned because the plan had to end: the worker was disconnected or
 * stopped, but the effect took place anyway. The ended plan does not change. A separate, linked plan compensates the effect or
 * asks a person to.
 */
import { grantKey, HUMAN_ASK, isOwnerTool } from "../language/tool-names.ts";
import { AGENT_REACT } from "../language/tool-names.ts";
import { grantOf } from "../language/grants-of.ts";
import { CODE_RUN } from "../arguments/code-run.ts";
import { GoalSubmitted } from "../events/control-events.ts";
import type { Unstamped } from "./command.ts";
import type { PlanTrace, ToolGrant } from "../events/values.ts";
import { PlanId, StepId } from "../values/ids.ts";
import type { JsonObject } from "../values/json.ts";
import { OWNER_TOOLS } from "../language/owner-tools.ts";
import { ASKED_BY_DEFAULT, goalOf } from "../language/submission-of.ts";
import { PlanDocument } from "../language/plan-language.ts";
import { findReferences } from "../language/references.ts";
import {
  type ArgumentsFault,
  type ResolvedArguments,
  resolveArguments,
} from "../arguments/resolve-arguments.ts";
import { composesUndo } from "../policy/policy-call.ts";
import { argumentsFrom, provenanceOfUndo } from "../policy/provenance.ts";
import { sha256 } from "../values/sha256.ts";
import { isEnded, type KnownPlan, type StepEntry } from "../machine/plan-state.ts";
import { allRuns, nameOf } from "../machine/step/runs.ts";

/** Hexadecimal digits of a hash: enough that two plans never get the same id by chance. */
const ID_CHARS = 32;
const UNDO = StepId.parse("undo");
const ASK = StepId.parse("ask-person");
/** Maximum number of unknown effects that a plan's end names. */
const NAMED_MAX = 10;
const MESSAGE_CHARS_MAX = 1_000;
const UNKNOWN = "outcome_unknown";

/** A late effect, and the input of its compensation. */
export type LateEffect = {
  /** The id of the follow-up plan. It is deterministic: repeated calls return the same id. */
  readonly followUp: PlanId;
  readonly stepId: StepId;
  readonly attempt: number;
  /** The compensation's arguments, resolved except for references to artifacts. */
  readonly resolved: ResolvedArguments;
};

/** The effects of an ended plan that each need a follow-up plan. */
export function lateEffectsOf(plan: KnownPlan): LateEffect[] {
  return [...plan.steps.values()].flatMap((entry) =>
    entry.effects.flatMap(({ attempt }) => {
      const followUp = followUpOf(plan, entry, attempt);
      return followUp === undefined
        ? []
        : [{ followUp, stepId: entry.step.id, attempt, resolved: argumentsOf(plan, entry, attempt) }];
    }),
  );
}

/** The id of the plan that follows up an attempt's effect; undefined if none is needed. */
export function followUpOf(plan: KnownPlan, entry: StepEntry, attempt: number): PlanId | undefined {
  const record = entry.effects.find((one) => one.attempt === attempt);
  const isUndone = isEnded(plan) && plan.conclusion?.outcome !== "succeeded";
  if (!isUndone || record?.late === undefined) return undefined;
  const name = JSON.stringify([plan.planId, entry.step.id, attempt, "late effect"]);
  return PlanId.parse(sha256(name).slice(0, ID_CHARS));
}

/** Resolves the arguments as if the step had succeeded in time. */
function argumentsOf(plan: KnownPlan, entry: StepEntry, attempt: number): ResolvedArguments {
  const { compensate, id } = entry.step;
  const late = entry.effects.find((one) => one.attempt === attempt)?.late;
  if (compensate === undefined || late === undefined || late === "unknown")
    return { fault: { code: UNKNOWN, message: "it may have taken effect" } };
  const { updatedAt: at } = plan;
  const end = { attempt, workerId: "", startedAt: at, endedAt: at, durationMs: 0 };
  const state = { status: "succeeded", ...end, output: late } as const;
  return resolveArguments({ ...plan, steps: plan.steps.set(id, { ...entry, state }) }, compensate);
}

/**
 * The submission of the plan that follows up a late effect.
 *
 * @param args - The compensation's arguments with all artifacts loaded; undefined if they could not be loaded.
 */
export function followUpGoal(
  plan: KnownPlan,
  { followUp, stepId, attempt, resolved }: LateEffect,
  args: JsonObject | undefined,
): Unstamped<GoalSubmitted> {
  const { planId, goal, steps } = plan;
  const entry = steps.get(stepId);
  const ask = question(plan, entry, "fault" in resolved ? resolved.fault : undefined);
  const compensation = entry === undefined || args === undefined ? undefined : undoStep(entry, args);
  const { compensate } = entry?.step ?? {};
  const undoing = compensate && { stepId, compensate };
  const asked = {
    ...ASKED_BY_DEFAULT,
    goal: `Undo step ${stepId} of plan ${planId}: its outcome came after that plan had been ${ending(plan)}`,
    // Only the installation's policy decides when it needs approval.
    approval: { ...ASKED_BY_DEFAULT.approval, risk: "never" },
    maxReplans: 0,
  } as const;
  const data = goalOf(asked, {
    tenant: goal.tenant,
    plan: PlanDocument.parse({
      steps: [
        ...(compensation === undefined ? [] : [{ ...compensation, fallback: ASK }]),
        { id: ASK, tool: HUMAN_ASK, args: { question: ask } },
      ],
      answerFrom: compensation === undefined ? ASK : UNDO,
    }),
    grants: grantsFor(entry),
    undoes: { planId, stepId, attempt },
    policy: goal.policy,
    // Values that the user wrote into the earlier plan are literal here: only a URL that a model composed needs approval.
    egress:
      undoing !== undefined && args !== undefined && composesUndo(plan, undoing, args)
        ? goal.egress
        : { composedUrls: "allow", hosts: [] },
    // The compensation's arguments are literal values in the new plan; this records where they come from.
    derivedFrom: undoing && argumentsFrom(provenanceOfUndo(plan, undoing)).argumentsFrom,
    submittedBy: goal.submittedBy,
    bodyHash: "",
    trace: traceOf(goal.trace, followUp),
  });
  return GoalSubmitted.unstamped(followUp, data);
}

/** Undefined when the arguments look like references but are literal values. */
function undoStep({ step }: StepEntry, args: JsonObject): object | undefined {
  const { references, malformed, secrets } = findReferences(args);
  if (step.compensate === undefined || references.length + malformed.length > 0) return undefined;
  // An apparent reference to a secret that was not planned came from an output.
  if (secrets.length !== findReferences(step.compensate.args).secrets.length) return undefined;
  const undo = { ...step.compensate, id: UNDO, args };
  return PlanDocument.safeParse({ steps: [undo] }).success ? undo : undefined;
}

function grantsFor(entry: StepEntry | undefined): Record<string, ToolGrant> {
  const ask = OWNER_TOOLS.find(({ name }) => name === HUMAN_ASK);
  const { compensate } = entry?.step ?? {};
  const undo = entry?.compensateGrant;
  return {
    ...(ask === undefined ? {} : { [HUMAN_ASK]: grantOf(ask) }),
    ...(compensate === undefined || undo === undefined ? {} : { [grantKey(compensate)]: undo }),
  };
}

function question(plan: KnownPlan, entry: StepEntry | undefined, fault: ArgumentsFault | undefined): string {
  const { id = UNDO, tool = "", compensate } = entry?.step ?? {};
  const step = `Step ${id} (${tool}) of plan ${plan.planId}`;
  if (fault?.code === UNKNOWN) {
    return (
      `${step} was cut off when that plan was ${ending(plan)}, and it is unknown whether it took effect. ` +
      "Please find out, undo the effect by hand if there is one, then answer with what you did."
    );
  }
  const why = fault === undefined ? "" : ` (${fault.message.slice(0, MESSAGE_CHARS_MAX)})`;
  return (
    `${step} took effect, and its worker reported it only after the step had been abandoned. ` +
    `Its compensation (${compensate?.tool ?? "none"}) did not undo it${why}. ` +
    "Please undo the effect by hand, then answer with what you did."
  );
}

function ending({ conclusion }: KnownPlan): string {
  return conclusion?.outcome === "cancelled" ? "cancelled" : "ended";
}

function traceOf({ traceId, spanId, sampled }: PlanTrace, followUp: PlanId): PlanTrace {
  return { traceId, spanId: sha256(followUp).slice(0, 16), parentSpanId: spanId, sampled };
}

/** Names the effects whose outcome is unknown when the plan ends, as part of a sentence. */
export function unknownEffects(plan: KnownPlan): string | undefined {
  const named = new Set<string>();
  for (const run of allRuns(plan)) {
    if (!isUnknown(run)) continue;
    const { stepId } = nameOf(run);
    const name = run.item === undefined ? stepId : `${stepId}[${run.item.index}]`;
    named.add(`${name} (${run.step.tool})`);
  }
  if (named.size === 0) return undefined;
  const shown = [...named].slice(0, NAMED_MAX);
  if (named.size > shown.length) shown.push(`${named.size - shown.length} more`);
  return `unknown whether these took effect: ${shown.join(", ")}`;
}

/** Whether the step did not succeed and one of its attempts began without ever reporting its outcome. */
export function isUnknown({ step, state, effects, calls = [] }: StepEntry): boolean {
  if (state.status === "succeeded" || isOwnerTool(step.tool)) return false;
  // The effects of a loop are its calls, each of which has its own record.
  const records = step.tool === AGENT_REACT || step.tool === CODE_RUN ? calls : effects;
  return records.some(({ status }) => status === "started" || status === "unknown");
}
