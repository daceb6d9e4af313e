/** One join, from its message to the answer or the revision that it asks for. */
import {
  answerInstead,
  draftedAnswer,
  type Forfeit,
  isAnswerJudged,
  isToBeRewritten,
  type Json,
  MODEL_UNAVAILABLE,
  type JoinWork,
  type KnownPlan,
  NO_USAGE,
  type Usage,
  wholeOf,
} from "@planwright/plan";
import type { WorkContext } from "@planwright/shared/queue";
import { describeError } from "@planwright/shared/errors";
import { ModelPatience, ModelUnavailableError, reportTries, SpendingMeter } from "@planwright/shared/model";
import { processSpan, type Span, withSpan } from "@planwright/shared/telemetry";
import { abortWhenUnwanted } from "./abort-when-unwanted.ts";
import { answerOf } from "./answer/answer-of.ts";
import { answerWithoutModel } from "./answer/answer-without-model.ts";
import { keepLargeAnswer } from "./answer/keep-large-answer.ts";
import { judge, type Judged } from "./judge/judge.ts";
import { loadArtifacts, outputsOf } from "./judge/load-artifacts.ts";
import { type Join, readJoin } from "./read-join.ts";
import { type JoinOutcome, recordJoin } from "./record-join.ts";
import { type ValuedActions, valueActions } from "./search/value-actions.ts";
import type { JoinDeps, ReflectorDeps } from "./start-reflector.ts";

type GivingUpDeps = Pick<ReflectorDeps, "bus" | "publish" | "artifacts" | "now">;

/**
 * Judges a plan's results, if the plan still waits for it, and records what follows.
 *
 * @throws The signal's reason when the worker stops.
 */
export async function joinResults(deps: JoinDeps, work: JoinWork, context: WorkContext): Promise<void> {
  const { planId, join } = work;
  const span = processSpan(deps.telemetry, context.trace ?? work.trace, {
    destination: "work.reflect",
    subject: context.subject,
    consumer: "reflector",
    deliveries: context.deliveries,
    attributes: { "plan.id": planId, "plan.join": join, "worker.id": deps.workerId },
  });
  await withSpan(span, async () => {
    const found = await readJoin(deps.bus, work);
    if (found === undefined) return;
    if (work.allowance !== undefined && context.deliveries > 1) {
      await recordJoin(deps, work, {
        decision: "abandon",
        ...INTERRUPTED,
        forfeited: wholeOf(work.allowance),
      });
      return;
    }
    const agent = deps.telemetry.spanFrom(span.ids, "invoke_agent reflector", {
      links: found.stepSpans,
      attributes: {
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.agent.name": "reflector",
        "plan.id": planId,
        "plan.revision": found.plan.revision,
        "plan.join": join,
      },
    });
    const { signal, deliveries } = context;
    await withSpan(agent, () => reflect(deps, { work, join: found, signal, deliveries }, agent));
  });
}

const INTERRUPTED = {
  cause: "interrupted",
  message: "the reflector stopped before the answer was complete",
  usage: NO_USAGE,
} as const;

/** Answers without a model, so that no plan waits for a synthesis that will never come. */
export async function giveUpJoin(
  deps: GivingUpDeps,
  work: Pick<JoinWork, "planId" | "join" | "allowance">,
  cause: string,
): Promise<void> {
  const found = await readJoin(deps.bus, work);
  if (found === undefined) return;
  const { plan } = found;
  const drafted = draftedAnswer(plan) ?? answerWithoutModel(plan, cause);
  const answer = await keepLargeAnswer(deps.artifacts, work, drafted);
  const lost = work.allowance === undefined ? {} : { forfeited: wholeOf(work.allowance) };
  await recordJoin(deps, work, { decision: "answer", answer, ...lost });
}

type Reflecting = {
  readonly work: JoinWork;
  readonly join: Join;
  readonly signal: AbortSignal;
  readonly deliveries: number;
};

async function reflect(deps: JoinDeps, reflecting: Reflecting, span: Span): Promise<void> {
  const { work, join, signal } = reflecting;
  const { plan } = join;
  const unwanted = new AbortController();
  const isWanted = async () => (await readJoin(deps.bus, work)) !== undefined;
  using _hints = abortWhenUnwanted(deps, work.planId, { isWanted, unwanted });
  const meter = new SpendingMeter(deps.model, {
    allowance: work.allowance,
    patience: patienceOf(deps, reflecting),
  });
  try {
    const loaded = await loadArtifacts(deps.artifacts, plan, outputsOf(plan));
    const asking = { loaded, trace: span.ids, signal: AbortSignal.any([signal, unwanted.signal]) };
    if (plan.search?.phase === "valuing") {
      const valued = await valueActions(meter.model, plan, asking);
      const outcome = valuedOutcome(valued, usedOf(work, valued, meter), meter.isSpent);
      await recordJoin({ ...deps, trace: span.ids }, work, outcome);
      span.setAttributes({ "plan.join.decision": outcome.decision });
      return;
    }
    const judged = await judge(meter.model, plan, asking);
    const used = usedOf(work, judged, meter);
    if (judged.kind === "unjudged" && meter.isSpent) {
      await recordJoin(deps, work, { ...TOO_LITTLE, message: judged.cause, ...used });
      span.setAttributes({ "plan.join.decision": "abandon" });
      return;
    }
    const outcome = { ...outcomeOf(plan, judged, loaded), ...used };
    const answer = await keepLargeAnswer(deps.artifacts, work, outcome.answer);
    await recordJoin({ ...deps, trace: span.ids }, work, { ...outcome, answer });
    span.setAttributes({ "plan.join.decision": outcome.decision, "plan.answer.status": answer.status });
    if (judged.kind === "unjudged") {
      deps.log.error({ planId: plan.planId, cause: judged.cause }, "answered without a model");
    }
  } catch (error) {
    if (error instanceof ModelUnavailableError && !unwanted.signal.aborted) {
      meter.close();
      await recordJoin(deps, work, { ...unavailable(error), ...meter.report() });
      return;
    }
    if (work.allowance !== undefined && !unwanted.signal.aborted) {
      // A reflector that retried with this allowance could not know what is left of it.
      meter.close();
      const message = describeError(error).slice(0, 2_000);
      await recordJoin(deps, work, { ...INTERRUPTED, decision: "abandon", message, ...meter.report() });
      return;
    }
    signal.throwIfAborted();
    if (!unwanted.signal.aborted) throw error;
    span.setAttributes({ "plan.join.decision": "unwanted" });
  }
}

function patienceOf(deps: JoinDeps, { work, join, deliveries }: Reflecting): ModelPatience {
  const { planId, join: number } = work;
  return new ModelPatience({
    tried: join.plan.joining.tries,
    deliveries,
    onFailure: reportTries(deps, { planId, work: { kind: "join", join: number } }),
  });
}

function unavailable({ message, retryAfterMs }: ModelUnavailableError) {
  const why = { decision: "abandon", cause: MODEL_UNAVAILABLE, message: message.slice(0, 2_000) } as const;
  return { ...why, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
}

const TOO_LITTLE = { decision: "abandon", cause: "allowance_spent" } as const;

type Used = { readonly usage: Usage; readonly forfeited?: Forfeit };

function valuedOutcome(
  { values, cause = "" }: ValuedActions,
  used: Used,
  isSpent: boolean,
): Extract<JoinOutcome, { decision: "value" | "abandon" }> {
  if (values.length > 0) return { decision: "value", values: [...values], ...used };
  if (isSpent) return { ...TOO_LITTLE, message: cause, ...used };
  return { decision: "value", values: [], cause, ...used };
}

type Answered = Extract<JoinOutcome, { decision: "answer" | "draft" | "revise" }>;

/** Without an output of the step that answers, the model decides about a revision only: its text is not used. */
function outcomeOf(plan: KnownPlan, judged: Judged, loaded: ReadonlyMap<string, Json>): Answered {
  const { usage } = judged;
  if (judged.kind === "unjudged") {
    // What was written before stands, though its critic wanted better.
    const answer = draftedAnswer(plan) ?? answerWithoutModel(plan, judged.cause);
    return { decision: "answer", answer, usage };
  }
  const { judgement } = judged;
  const instead = answerInstead(plan)?.answer;
  if (instead !== undefined) {
    const { decision, reason } = judgement;
    return decision === "revise"
      ? { decision, answer: instead, reason, usage }
      : { decision, answer: instead, usage };
  }
  const decision = isToBeRewritten(plan) ? "answer" : judgement.decision;
  const answer = answerOf(plan, { ...judgement, decision }, loaded);
  if (decision === "revise") return { decision, answer, reason: judgement.reason, usage };
  return { decision: isAnswerJudged(plan) ? "draft" : "answer", answer, usage };
}

/** Under a budget what was counted, not what the synthesis knows of: a call that broke off may have cost something. */
function usedOf({ allowance }: JoinWork, { usage }: Pick<Judged, "usage">, meter: SpendingMeter): Used {
  meter.close();
  return allowance === undefined ? { usage } : meter.report();
}
