/** One piece of drafting work, from the message to the end of its draft. */
import {
  type DraftWork,
  expansionOf,
  type Forfeit,
  type KnownPlan,
  type StepEntry,
  type ToolSpec,
  wholeOf,
} from "@planwright/plan";
import { type Bus, type Publish, readPlan, type StopHints } from "@planwright/shared/bus";
import type { ModelClient } from "@planwright/shared/model";
import { dateOf } from "@planwright/shared/prompt";
import type { WorkContext } from "@planwright/shared/queue";
import type { Logger } from "@planwright/shared/service";
import { processSpan, type Telemetry, withSpan } from "@planwright/shared/telemetry";
import { chooseStrategy } from "./choose-strategy.ts";
import { createDraftLog, type DraftLog } from "./draft-log.ts";
import { draftSizeOf } from "./draft-size.ts";
import type { DraftFormat, DraftRequest } from "./draft-request.ts";
import { isWanted } from "./is-wanted.ts";
import type { Offers } from "./offer.ts";
import { searchBasis } from "./search-basis.ts";
import { INTERRUPTED, writeIntoLog } from "./write-into-log.ts";

export type DraftPlanDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly model: ModelClient;
  readonly format?: DraftFormat;
  readonly telemetry: Telemetry;
  readonly offers: Offers;
  readonly stops: StopHints;
  readonly workerId: string;
  /** Different at every call, in every process. */
  readonly newOpener: () => string;
  readonly now: () => Date;
  readonly log: Logger;
};

/**
 * Writes the draft that `work` asks for, if the plan still wants it.
 *
 * Returns once the draft has an end in the log, whichever planner wrote it; or immediately when another worker is
 * writing it. A draft whose worker died is ended here, and the plan asks for the next one.
 *
 * @throws The signal's reason when the worker stops; the draft is then ended by the next planner of the work.
 */
export async function draftPlan(deps: DraftPlanDeps, work: DraftWork, context: WorkContext): Promise<void> {
  const { planId, draft } = work;
  const span = processSpan(deps.telemetry, context.trace ?? work.trace, {
    destination: "work.plan",
    subject: context.subject,
    consumer: "planner",
    deliveries: context.deliveries,
    attributes: { "plan.id": planId, "plan.draft": draft, "worker.id": deps.workerId },
  });
  await withSpan(span, async () => {
    const plan = await readPlan(deps.bus, planId);
    if (!isWanted(plan, draft)) return;
    const draftLog = createDraftLog(work, { ...deps, trace: span.ids });
    const request =
      plan.drafting.phase === "open" ? undefined : await openDraft(deps, { plan, draftLog, context });
    if (request !== undefined) {
      const { allowance } = work;
      const writing = { plan, request, draftLog, allowance, parent: span.ids, signal: context.signal };
      await writeIntoLog(deps, writing);
    } else if (context.deliveries > 1) {
      const ended = await draftLog.abandon({ ...INTERRUPTED, ...forfeitOf(work) });
      deps.log.info({ planId, draft, ended }, "draft of a lost planner abandoned");
    }
    // A first delivery that finds its draft open is a repetition: the draft's own worker lives.
  });
}

/** The usage of the lost planner was not counted. */
function forfeitOf({ allowance }: Pick<DraftWork, "allowance">): { forfeited?: Forfeit } {
  return allowance === undefined ? {} : { forfeited: wholeOf(allowance) };
}

/** Tells the plan that a draft will never be written. */
export async function giveUpDraft(
  deps: Pick<DraftPlanDeps, "publish" | "now">,
  work: Pick<DraftWork, "planId" | "draft" | "allowance">,
  cause: string,
): Promise<void> {
  const abandonment = {
    cause: "model_failed",
    message: cause,
    retryable: false,
    ...forfeitOf(work),
  } as const;
  await createDraftLog(work, deps).abandon(abandonment);
}

/** Decides what the draft is written from and opens it; undefined when it was opened before. */
async function openDraft(
  { offers, workerId, newOpener }: DraftPlanDeps,
  { plan, draftLog, context }: { plan: KnownPlan; draftLog: DraftLog; context: WorkContext },
): Promise<DraftRequest | undefined> {
  const { goal, constraints, strategy: asked, planSize } = plan.goal;
  const { number: draft, revision, cause, reason, issues } = plan.drafting;
  const offer = await offers.offer(plan.goal, context.signal);
  const { sources, agents, unlisted } = offer;
  const tools = grantedTools(offer.tools, plan);
  // A draft that is improved has not run: nothing speaks against how it was planned.
  const isRevision = revision > 0 && cause !== "critique";
  const choice = chooseStrategy({ asked, goal, tools, revision: isRevision ? revision : 0, planSize });
  const { strategy } = choice;
  const seen = { seen: plan.seq, tools: [...tools.keys()] };
  const isFirst = await draftLog.open(newOpener(), {
    strategy,
    strategyReason: choice.reason,
    workerId,
    ...seen,
  });
  if (!isFirst) return undefined;
  const earlier: StepEntry[] = Array.from(plan.steps.values());
  earlier.sort((left, right) => left.position - right.position);
  const asksConfidence = [plan.goal.approval, plan.goal.policy?.approval].some(
    (one) => one?.confidenceBelow !== undefined,
  );
  const asksReview = plan.goal.review?.steps === true;
  const size = draftSizeOf({ planSize, strategy, isRevision, earlier });
  const basis = {
    ...(size === undefined ? {} : { size }),
    goal,
    goalTemplate: plan.goal.goalTemplate,
    today: dateOf(context.storedAt),
    constraints,
    strategy,
    tools,
    unlisted,
    agents,
    sources,
    draft,
    earlier,
    knowledge: plan.knowledge,
    issues,
    asksConfidence,
    asksReview,
    ...(plan.goal.program === undefined ? {} : { language: plan.goal.program.language }),
  };
  const request =
    strategy === "tree-search"
      ? { ...basis, ...searchBasis(tools, expansionOf(plan)) }
      : { ...basis, ...pastPlansFor(plan) };
  return reason === undefined ? request : { ...request, reason };
}

/** A revision has its own results to go by. */
function pastPlansFor({ goal, drafting }: KnownPlan): Pick<DraftRequest, "pastPlans"> {
  const isFirst = drafting.revision === 0 || drafting.cause === "critique";
  return isFirst && goal.pastPlans !== undefined ? { pastPlans: goal.pastPlans } : {};
}

/** A revision gets no tools that the plan's first draft did not have. */
function grantedTools(
  offered: ReadonlyMap<string, ToolSpec>,
  { toolsGranted: granted }: KnownPlan,
): ReadonlyMap<string, ToolSpec> {
  if (granted === undefined) return offered;
  return new Map(Array.from(offered).filter(([name]) => granted.includes(name)));
}
