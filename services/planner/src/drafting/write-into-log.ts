import type { KnownPlan } from "@planwright/plan";
import { ConflictError, readPlan } from "@planwright/shared/bus";
import { type Span, type TraceParent, withSpan } from "@planwright/shared/telemetry";
import type { DraftLog } from "./draft-log.ts";
import type { DraftPlanDeps } from "./draft-plan.ts";
import type { DraftRequest } from "./draft-request.ts";
import { isWanted } from "./is-wanted.ts";
import { issuesText } from "./issues-text.ts";
import { revisionDiff } from "./revision-diff.ts";
import { type CompleteDraft, writeDraft, type WrittenDraft } from "./write-draft.ts";

type Writing = {
  readonly plan: KnownPlan;
  readonly request: DraftRequest;
  /** Open, and opened here. */
  readonly draftLog: DraftLog;
  readonly parent: TraceParent;
  readonly signal: AbortSignal;
};

/**
 * Writes an open draft and ends it. When somebody else ends the draft or the plan, it stops and says nothing.
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

async function write(deps: DraftPlanDeps, { plan, request, draftLog, signal }: Writing, span: Span) {
  const unwanted = new AbortController();
  using _hints = abortWhenUnwanted(deps, plan, unwanted);
  try {
    const draft = await writeDraft(request, {
      model: deps.model,
      ...(deps.format === undefined ? {} : { format: deps.format }),
      trace: span.ids,
      signal: AbortSignal.any([signal, unwanted.signal]),
      onStep: (planned) => draftLog.plan(planned),
    });
    await endDraft(draft, plan, draftLog);
    span.setAttributes({ "plan.draft.outcome": draft.status });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ConflictError) && !unwanted.signal.aborted) throw error;
    deps.log.info({ planId: plan.planId, draft: request.draft }, "draft no longer wanted");
    span.setAttributes({ "plan.draft.outcome": "unwanted" });
  }
}

async function endDraft(draft: WrittenDraft, plan: KnownPlan, draftLog: DraftLog): Promise<void> {
  const { usage } = draft;
  switch (draft.status) {
    case "complete":
      await completeDraft(draft, plan, draftLog);
      return;
    case "invalid": {
      const { issues } = draft;
      const message = issuesText(issues);
      await draftLog.abandon({ cause: "invalid", message, issues: [...issues], retryable: true, usage });
      return;
    }
    case "model_failed": {
      const { message, retryable } = draft;
      await draftLog.abandon({ cause: "model_failed", message, retryable, usage });
      return;
    }
    default:
      draft satisfies never;
  }
}

async function completeDraft(draft: CompleteDraft, plan: KnownPlan, draftLog: DraftLog): Promise<void> {
  const { answerFrom, reasoning, usage, steps, added } = draft;
  const { revision, reason = "" } = plan.drafting;
  const common = {
    ...(answerFrom === undefined ? {} : { answerFrom }),
    ...(reasoning === undefined ? {} : { reasoning }),
    usage,
  };
  if (revision === 0) await draftLog.seal({ ...common, steps: steps.length });
  else {
    const diff = revisionDiff(plan.steps.values());
    await draftLog.revise({ ...common, ...diff, added: [...added], revision, reason });
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
    void look().catch((error: unknown) => log.warn({ planId, err: error }, "plan not read after a hint"));
  return { [Symbol.dispose]: stops.watch(planId, onHint) };
}
