/** The plan that a submission would run, for HTTP and MCP alike. */
import type { PlanEstimate, Preview, ProblemCode } from "@planwright/api";
import {
  type GatePolicy,
  Issue,
  type PastPlan,
  PlanDocument,
  planStrategy,
  Strategy,
  Usage,
  criticalPath,
  type EstimateFrom,
  estimateRun,
  expectedMs,
  onlySink,
} from "@planwright/plan";
import type { Bus } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import { z } from "zod";
import type { PlanBook } from "../book/plan-book.ts";
import type { Caller } from "../http/authenticate.ts";
import { Problem } from "../http/problem.ts";
import { pastPlansFor } from "../learning/past-plans-for.ts";
import type { TenantAndKeyQuotas } from "../quotas/create-quotas.ts";
import {
  type CheckedSubmission,
  checkSubmission,
  type Offer,
  type SentSubmission,
} from "./check-submission.ts";

const SUBJECT = "rpc.plan.preview";
/** Slightly longer than a planner's own time limit. */
const REPLY_TIMEOUT_MS = 125_000;

const PlannerReply = z.object({
  plan: PlanDocument.nullable(),
  issues: z.array(Issue),
  usage: Usage,
  strategy: Strategy.optional(),
  strategyReason: z.string().optional(),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
type PlannerReply = z.output<typeof PlannerReply>;

const FAULTS: Readonly<Record<string, ProblemCode>> = {
  invalid_request: "invalid_request",
  busy: "overloaded",
  model_failed: "model_failed",
  too_large: "body_too_large",
};

export type PreviewDeps = {
  readonly bus: Bus;
  readonly offer: (tenant: string) => Offer;
  readonly book: Pick<PlanBook, "pastPlans" | "stepRuns">;
  readonly quotas: Pick<TenantAndKeyQuotas, "refuseSpent">;
  /** See `LEARN_FROM_PAST_PLANS`. */
  readonly learns: boolean;
  readonly now: () => Date;
};

export type PreviewPlan = (request: SentSubmission & Caller) => Promise<Preview>;

/**
 * Makes the function that drafts without running. Nothing is stored.
 *
 * @throws {Problem} From the returned function: every refusal of `checkSubmission`; `quota_reached`, `no_planner`,
 * `model_failed`.
 */
export function createPreviewPlan({ bus, offer, book, quotas, learns, now }: PreviewDeps): PreviewPlan {
  return async ({ tenant, identity, ...sent }) => {
    const offered = offer(tenant);
    const checked = checkSubmission(sent, offered, now());
    const { submission, plan } = checked;
    const describe = (document: PlanDocument): PlanEstimate =>
      describePlan(document, { tools: offered.tools, past: book.stepRuns(tenant) });
    if (plan !== undefined) {
      return { ...describe(plan), strategy: planStrategy({ asked: submission.strategy, plan }) };
    }
    quotas.refuseSpent({ tenant, identity });
    const pastPlans = pastPlansFor(checked, { tenant, learns, book });
    const {
      plan: draft,
      strategy,
      ...drafted
    } = await askPlanner(bus, submission, {
      tenant,
      pastPlans,
      policy: checked.policy,
    });
    return { ...describe(draft), ...drafted, strategy: strategy ?? submission.strategy };
  };
}

/** A planner's draft for a goal, requested over core NATS: nothing is stored. */
type Drafted = Omit<PlannerReply, "plan" | "issues" | "error"> & { readonly plan: PlanDocument };

/** @throws {Problem} `no_planner`, `overloaded`, `model_failed`, `invalid_plan` when the model's draft has faults. */
async function askPlanner(
  bus: Bus,
  submission: CheckedSubmission["submission"],
  {
    tenant,
    pastPlans,
    policy,
  }: {
    readonly tenant: string;
    readonly pastPlans: readonly PastPlan[];
    readonly policy: GatePolicy | undefined;
  },
): Promise<Drafted> {
  const { goal, strategy, constraints, tools, data: sources, approval, planSize } = submission;
  const asked = {
    tenant,
    goal,
    strategy,
    constraints,
    tools,
    sources,
    approval,
    policy,
    planSize,
    pastPlans,
  };
  const reply = PlannerReply.parse(await request(bus, asked));
  if (reply.error !== undefined) {
    throw new Problem(FAULTS[reply.error.code] ?? "unavailable", reply.error.message);
  }
  const { plan, issues, ...drafted } = reply;
  if (plan !== null) return { ...drafted, plan };
  throw new Problem("invalid_plan", "the model's draft is still invalid after a repair", { issues });
}

async function request(bus: Bus, body: object): Promise<unknown> {
  try {
    const message = await bus.connection.request(SUBJECT, JSON.stringify(body), {
      timeout: REPLY_TIMEOUT_MS,
    });
    return message.json();
  } catch (cause) {
    if (isCausedBy(cause, "NoResponders")) {
      throw new Problem("no_planner", "no planner is running", { cause, retryAfterS: 1 });
    }
    throw new TransientError("no planner responded in time", { cause });
  }
}

function isCausedBy(error: unknown, name: string): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    if (current.name === name) return true;
  }
  return false;
}

/** Tools that call a model once for each step; some call it more often. */
const MODEL_TOOL = /^(?:model|agent|plan)\./;

/** The estimate for running a checked plan. */
export function describePlan(plan: PlanDocument, from: EstimateFrom): PlanEstimate {
  const { steps, answerFrom, reasoning } = plan;
  const expected = new Map(steps.map((step) => [step.id, expectedMs(step, from)]));
  const isKnown = [...expected.values()].every((ms) => ms !== undefined);
  // Without times, the longest chain is the one with the most steps.
  const path = criticalPath(steps, ({ id }) => (isKnown ? (expected.get(id) ?? 0) : 1));
  const answer = answerFrom ?? onlySink(steps);
  const calling = steps.filter(({ tool }) => MODEL_TOOL.test(tool)).length;
  return {
    steps,
    ...(answerFrom === undefined ? {} : { answerFrom }),
    ...(reasoning === undefined ? {} : { reasoning }),
    criticalPath: { stepIds: path.stepIds, durationMs: isKnown ? Math.round(path.durationMs) : null },
    modelCalls: calling + (answer === undefined ? 1 : 0),
    running: estimateRun(plan, from),
  };
}
