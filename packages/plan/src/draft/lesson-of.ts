import { strategyNamed } from "../machine/drafting/strategies.ts";
import { isEnded, type KnownPlan, type StepEntry } from "../machine/plan-state.ts";
import { HOW_CHARS, type Lesson, NOTE_CHARS } from "./past-plan.ts";

const STEPS_SHOWN = 12;
const DEPENDENCIES_SHOWN = 4;

/**
 * The lesson of a plan: its approach to its goal, and what went wrong.
 *
 * @returns Undefined for an open plan, for a sub-plan, whose goal is part of another, and if nothing was planned and nothing
 * failed.
 */
export function lessonOf(plan: KnownPlan): Lesson | undefined {
  if (!isEnded(plan) || plan.goal.parent !== undefined || isWrittenByRule(plan)) return undefined;
  const how = howOf(plan);
  if (how === "" && plan.conclusion?.outcome !== "failed") return undefined;
  const note = noteOf(plan);
  return { how, ...(note === undefined ? {} : { note }) };
}

/** Whether the plan's strategy writes the same plan for every goal. */
function isWrittenByRule({ goal }: KnownPlan): boolean {
  return goal.plan !== undefined && !strategyNamed(goal.strategy).asksModel;
}

function howOf({ steps }: KnownPlan): string {
  const planned = [...steps.values()].filter(({ replaced }) => replaced !== true);
  planned.sort((left, right) => left.position - right.position);
  const told = planned.slice(0, STEPS_SHOWN).map(stepText);
  if (planned.length > told.length) told.push(`${planned.length - told.length} more`);
  return told.join("; ").slice(0, HOW_CHARS);
}

function stepText({ step, dependencies, state }: StepEntry): string {
  const needed = dependencies.slice(0, DEPENDENCIES_SHOWN).join(", ");
  const more = dependencies.length > DEPENDENCIES_SHOWN ? ", …" : "";
  const order = needed === "" ? "" : ` after ${needed}${more}`;
  const end = state.status === "failed" ? ` (failed: ${state.error.code})` : "";
  return `${step.id} ${step.tool}${order}${end}`;
}

function noteOf({ conclusion, revisions }: KnownPlan): string | undefined {
  const last = revisions.findLast(({ cause }) => cause !== "wave" && cause !== "critique");
  const revised = last === undefined || last.reason === "" ? undefined : `revised because: ${last.reason}`;
  const why = conclusion?.outcome === "succeeded" ? revised : conclusion?.reason;
  return why?.slice(0, NOTE_CHARS);
}
