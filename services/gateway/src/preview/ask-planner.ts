/** Requests the plan that a goal would get from a planner: over core NATS, nothing is stored. */
import { type GatePolicy, Issue, type PastPlan, PlanDocument, Strategy, Usage } from "@planwright/plan";
import type { Bus } from "@planwright/shared/bus";
import { TransientError } from "@planwright/shared/errors";
import { z } from "zod";
import type { ProblemCode } from "@planwright/api";
import { Problem } from "../http/problem.ts";
import type { CheckedSubmission } from "../submit/check-submission.ts";

const SUBJECT = "rpc.plan.preview";
/** A little longer than a planner takes at most. */
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

export type Drafted = Omit<PlannerReply, "plan" | "issues" | "error"> & { readonly plan: PlanDocument };

const FAULTS: Readonly<Record<string, ProblemCode>> = {
  invalid_request: "invalid_request",
  busy: "overloaded",
  model_failed: "model_failed",
  too_large: "body_too_large",
};

/** @throws {Problem} `no_planner`, `overloaded`, `model_failed`, `invalid_plan` when the model's draft has faults. */
export async function askPlanner(
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
