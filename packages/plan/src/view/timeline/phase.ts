/** What a run does or waits for, by its state. */
import { AGENT_REACT, HUMAN_ASK, PLAN_RUN } from "../../language/tool-names.ts";
import { CODE_RUN } from "../../arguments/code-run.ts";
import type { ToolGrant, Usage } from "../../events/values.ts";
import { begunCall } from "../../machine/loop/call-ledger.ts";
import type { CompensationEntry, KnownPlan, StepEntry } from "../../machine/plan-state.ts";
import type { WaitingFor } from "../../machine/step/step-state.ts";
import type { Phase } from "./course.ts";
import type { SegmentKind, WaitReason } from "./timeline.ts";

/** Undefined for a run that has settled, and for a compensation whose turn has not come. */
export function phaseOf(plan: KnownPlan, entry: StepEntry | CompensationEntry): Phase | undefined {
  const { state } = entry;
  switch (state.status) {
    case "waiting":
      if (!("step" in entry)) return state.for === "retry" ? { kind: "retry" } : undefined;
      return phaseOfWaiting(plan, state.for);
    case "running":
      if (state.startedAt === undefined) return heldBy(plan);
      return { kind: isInCall(entry) ? "tool" : workKind(entry), attempt: state.attempt };
    case "awaiting-approval": {
      const isQuestion = "step" in entry && entry.step.tool === HUMAN_ASK;
      return { kind: "wait", why: isQuestion ? "answer" : "approval" };
    }
    case "repeating":
      return { kind: "items" };
    case "reviewing":
      return { kind: "reviewing" };
    default:
      return undefined;
  }
}

/** By the tool and its grant, and once the attempt is over by what it has used. */
export function workKind(entry: StepEntry | CompensationEntry, usage?: Usage): SegmentKind {
  const { tool } = "step" in entry ? entry.step : entry.compensate;
  if (tool === PLAN_RUN) return "sub-plan";
  if (tool === CODE_RUN || ("step" in entry && entry.openTurn !== undefined)) return "tool";
  if (usage !== undefined && tool !== AGENT_REACT) return usage.modelCalls > 0 ? "model" : "tool";
  const { modelTokens }: ToolGrant = entry.grant;
  return modelTokens === undefined ? "tool" : "model";
}

/** Whether the attempt is in a call of its loop that changes something. */
function isInCall(entry: StepEntry | CompensationEntry): boolean {
  if (!("step" in entry) || entry.state.status !== "running") return false;
  return begunCall(entry)?.attempt === entry.state.attempt;
}

const WAITS: Readonly<Partial<Record<WaitingFor, WaitReason>>> = {
  dependencies: "dependencies",
  primary: "primary",
  condition: "verdict",
  items: "verdict",
  turn: "turn",
  draft: "draft",
  approval: "approval",
};

function phaseOfWaiting(plan: KnownPlan, reason: WaitingFor): Phase {
  const why = WAITS[reason];
  if (why !== undefined) return { kind: "wait", why };
  if (reason === "retry") return { kind: "retry" };
  if (reason === "budget" && plan.budget?.asking !== undefined) return { kind: "wait", why: "budget" };
  return heldBy(plan);
}

/** What holds every run back that nothing else does. */
function heldBy({ pause, startsAt }: KnownPlan): Phase {
  if (pause !== undefined) return { kind: "wait", why: "pause" };
  return startsAt === undefined ? { kind: "queue" } : { kind: "wait", why: "start" };
}
