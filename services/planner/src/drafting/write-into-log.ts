import type { Allowance, Forfeit, KnownPlan } from "@planwright/plan";
import { readPlan } from "@planwright/shared/bus";
import { DraftEndedError } from "./draft-log.ts";
import { ModelPatience, reportTries, SpendingMeter } from "@planwright/shared/model";
import { type Span, type TraceParent, withSpan } from "@planwright/shared/telemetry";
import type { DraftLog } from "./draft-log.ts";
import type { DraftPlanDeps } from "./draft-plan.ts";
import type { DraftRequest } from "./draft-request.ts";
import { isWanted } from "./is-wanted.ts";
import { issuesText } from "./issues-text.ts";
import { revisionDiff } from "./revision-diff.ts";
import type { CompleteDraft, WrittenDraft } from "./finish-draft.ts";
import { writeDraft } from "./write-draft.ts";

type Writing = {
  readonly plan: KnownPlan;
  readonly request: DraftRequest;
  /** Open, and opened here. */
  readonly draftLog: DraftLog;
  readonly allowance: Allowance | undefined;
  readonly parent: TraceParent;
  readonly signal: AbortSignal;
};

/**
 * Writes an open draft and ends it. When another process ends the draft or the plan, it stops silently.
 *
 * @throws The signal's reason when it aborts; the draft stays open.
 */
export async function writeIntoLog(deps: DraftPlanDeps, writing: Writing): Promise<void> {
  const { plan, request } = writing;
  const span = deps.telemetry.spanFrom(writing.parent, "plan", {
    attributes: {
      "gen_ai.operation.name": "plan",
      "gen_ai.agent.name": "planner",
      "plan.id": plan.planId,
      "plan.revision": plan.drafting.revision,
      "plan.draft": request.draft,
      "plan.strategy": request.strategy,
    },
  });
  await withSpan(span, () => write(deps, writing, span));
}

async function write(
  deps: DraftPlanDeps,
  { plan, request, draftLog, allowance, signal }: Writing,
  span: Span,
) {
  const meter = new SpendingMeter(deps.model, { allowance, patience: patienceOf(deps, plan) });
  const unwanted = new AbortController();
  using _hints = abortWhenUnwanted(deps, plan, unwanted);
  try {
    const draft = await writeDraft(request, {
      model: meter.model,
      ...(deps.format === undefined ? {} : { format: deps.format }),
      trace: span.ids,
      signal: AbortSignal.any([signal, unwanted.signal]),
      onStep: (planned) => draftLog.plan(planned),
      onMended: (mends) =>
        deps.log.info({ planId: plan.planId, draft: request.draft, mends }, "draft repaired"),
    });
    await endDraft(allowance === undefined ? draft : asMetered(draft, meter), plan, draftLog);
    span.setAttributes({ "plan.draft.outcome": draft.status });
  } catch (error) {
    if (allowance !== undefined && signal.aborted) {
      // A planner that continued with this allowance could not know what is left of it.
      meter.close();
      await draftLog.abandon({ ...INTERRUPTED, ...meter.report() });
    }
    signal.throwIfAborted();
    if (!(error instanceof DraftEndedError) && !unwanted.signal.aborted) throw error;
    deps.log.info({ planId: plan.planId, draft: request.draft }, "draft no longer needed");
    span.setAttributes({ "plan.draft.outcome": "unwanted" });
  }
}

/** How a draft ends that its planner did not. */
export const INTERRUPTED = {
  cause: "interrupted",
  message: "the planner that wrote the draft stopped before it was complete",
  retryable: true,
} as const;

/** All drafts of one revision share the calls that a server may fail; those of a planner that died are estimated. */
function patienceOf(deps: DraftPlanDeps, { planId, drafting }: KnownPlan): ModelPatience {
  const { number: draft, tries: tried, interruptions } = drafting;
  const onFailure = reportTries(deps, { planId, work: { kind: "draft", draft } });
  return new ModelPatience({ tried, deliveries: tried === undefined ? interruptions + 1 : 1, onFailure });
}

type MeteredDraft = WrittenDraft & { readonly forfeited?: Forfeit; readonly allowanceSpent?: true };

/** The draft with what its calls were counted at; one that came to nothing for want of allowance may be tried again. */
function asMetered(draft: WrittenDraft, meter: SpendingMeter): MeteredDraft {
  meter.close();
  const counted = meter.report();
  if (draft.status === "complete" || !meter.isSpent) return { ...draft, ...counted };
  const message = draft.status === "invalid" ? "the draft was cut off" : draft.message;
  return { status: "model_failed", message, retryable: true, ...counted, allowanceSpent: true };
}

async function endDraft(draft: MeteredDraft, plan: KnownPlan, draftLog: DraftLog): Promise<void> {
  const { usage, forfeited, allowanceSpent } = draft;
  const used = {
    usage,
    ...(forfeited === undefined ? {} : { forfeited }),
    ...(allowanceSpent === undefined ? {} : { allowanceSpent }),
  };
  switch (draft.status) {
    case "complete":
      await completeDraft(draft, plan, draftLog);
      return;
    case "invalid": {
      const { issues } = draft;
      const message = issuesText(issues);
      await draftLog.abandon({ cause: "invalid", message, issues: [...issues], retryable: true, ...used });
      return;
    }
    case "model_failed": {
      const { message, retryable, unavailable, retryAfterMs } = draft;
      const outage = unavailable === true ? { unavailable, retryAfterMs } : {};
      await draftLog.abandon({ cause: "model_failed", message, retryable, ...outage, ...used });
      return;
    }
    default:
      draft satisfies never;
  }
}

async function completeDraft(
  draft: CompleteDraft & { readonly forfeited?: Forfeit },
  plan: KnownPlan,
  draftLog: DraftLog,
): Promise<void> {
  const { answerFrom, reasoning, confidence, usage, forfeited, steps, added } = draft;
  const { revision, cause = "results", reason = "" } = plan.drafting;
  const common = { answerFrom, reasoning, confidence, forfeited, usage };
  if (revision === 0) await draftLog.seal({ ...common, steps: steps.length });
  else {
    const diff = revisionDiff(plan.steps.values(), draft);
    await draftLog.revise({ ...common, ...diff, cause, reason, added: [...added], revision });
  }
}

/** Looks at the plan at every hint that it may not want the draft any more. */
function abortWhenUnwanted(
  { bus, stops, log }: DraftPlanDeps,
  { planId, drafting }: KnownPlan,
  unwanted: AbortController,
): Disposable {
  const look = async (): Promise<void> => {
    if (isWanted(await readPlan(bus, planId), drafting.number)) return;
    unwanted.abort(new DOMException("the draft is no longer wanted", "AbortError"));
  };
  const onHint = (): void =>
    void look().catch((error: unknown) =>
      log.warn({ planId, err: error }, "could not read plan after a hint"),
    );
  return { [Symbol.dispose]: stops.watch(planId, onHint) };
}
