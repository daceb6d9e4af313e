/** The events that a parent's dispatcher stores in the logs of its sub-plans. */
import {
  type Agents,
  checkPlan,
  describeZodIssue,
  failureOf,
  GoalSubmitted,
  grantsOf,
  type Json,
  JsonValue,
  loadArtifactValues,
  LIMITS,
  type PlanEvent,
  type PlanId,
  type StepFailed,
  SubPlanRequest,
  type SubPlanCommand,
  type ToolSpec,
} from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import { type Bus, appendEvent, lastMessage, type Publish, submissionSubject } from "@planwright/shared/bus";

import { keepInStep } from "./keep-in-step.ts";

export type SubPlanDeps = {
  readonly bus: Bus;
  readonly publish: Publish;
  readonly artifacts: ArtifactStore;
  /** The currently announced tools. */
  readonly tools: () => ReadonlyMap<string, ToolSpec>;
  /** The currently announced agents; none when absent. */
  readonly agents?: () => Agents;
  readonly now: () => Date;
};

type Submission = SubPlanCommand["submission"];
type Fault = { readonly code: string; readonly message: string };

const MESSAGE_CHARS_MAX = 4_000;

/**
 * Submits a sub-plan unless that was done before, then stores what else it has to know: that it has to stop, or that its parent
 * is paused. Each is stored once, however often this is called. Arguments that are not a request for a plan fail the step.
 */
export async function tellSubPlan(deps: SubPlanDeps, { submission, control }: SubPlanCommand): Promise<void> {
  const { planId, data } = submission;
  const stop = async (): Promise<void> => {
    if (control !== undefined) await storeOnce(deps, { ...control, at: deps.now().toISOString() });
  };
  const goal = submission.fault ?? (await readGoal(deps, submission));
  if ("code" in goal) {
    // Another dispatcher has already submitted it.
    if (await isSubmitted(deps, planId)) return stop();
    await storeOnce(deps, failureAt(deps, submission, goal));
    return;
  }
  const event = GoalSubmitted.create({ planId, at: deps.now() }, { ...data, ...goal });
  const isNew = await storeOnce(deps, event);
  if (control !== undefined) await stop();
  else {
    const store = (fact: PlanEvent) => storeOnce(deps, fact);
    await keepInStep({ ...deps, store }, { parent: data.parent.planId, child: planId }, isNew);
  }
}

/** Stores an event that is the only one on its subject. Returns false when this or another one was already there. */
export async function storeOnce(
  { publish }: Pick<SubPlanDeps, "publish">,
  event: PlanEvent,
): Promise<boolean> {
  const { status } = await appendEvent(publish, event);
  return status === "stored";
}

async function isSubmitted({ bus }: SubPlanDeps, planId: PlanId): Promise<boolean> {
  return (await lastMessage(bus, submissionSubject(planId))) !== undefined;
}

type Goal = Pick<GoalSubmitted["data"], "goal" | "goalTemplate" | "grants" | "plan">;

async function readGoal(
  { artifacts, tools, agents }: SubPlanDeps,
  { data, args }: Submission,
): Promise<Goal | Fault> {
  const { parent, tools: allowed, grants, goalTemplate } = data;
  const loaded = await loadArtifactValues(args, async (name): Promise<Json> => {
    const artifact = await artifacts.get(parent.planId, name);
    return artifact === undefined
      ? null
      : JsonValue.parse(JSON.parse(Buffer.from(artifact.content).toString()));
  });
  const request = SubPlanRequest.safeParse(loaded);
  if (!request.success) {
    const faults = request.error.issues.map((issue) => describeZodIssue(issue, loaded));
    return { code: "invalid_arguments", message: faults.join("; ").slice(0, MESSAGE_CHARS_MAX) };
  }
  const { plan } = request.data;
  // Trimmed, to match the trimmed goal.
  const goal = { goal: request.data.goal ?? data.goal, goalTemplate: goalTemplate?.trim() };
  if (plan === undefined) return { ...goal, grants };
  const bytes = Buffer.byteLength(JSON.stringify(plan));
  if (bytes > LIMITS.argsBytesMax) {
    return {
      code: "args_too_large",
      message: `the sub-plan has ${bytes} bytes; the limit is ${LIMITS.argsBytesMax}`,
    };
  }
  const known = tools();
  const who = agents?.();
  const checked = checkPlan(plan, { tools: known, allowed, agents: who, depth: parent.depth });
  if (checked.plan === undefined) {
    const faults = checked.issues.map(
      ({ stepId, field, message }) => `${stepId ?? "plan"} ${field}: ${message}`,
    );
    return { code: "invalid_sub_plan", message: faults.join("; ").slice(0, MESSAGE_CHARS_MAX) };
  }
  return { ...goal, plan: checked.plan, grants: grantsOf(checked.plan, known, who?.types) };
}

function failureAt({ now }: SubPlanDeps, { data: { parent } }: Submission, error: Fault): StepFailed {
  const at = now().toISOString();
  const { stepId, item, attempt } = parent;
  return { ...failureOf(parent.planId, { stepId, item, attempt, stepsSent: 0 }, { at, error }), at };
}
