/** Invariants of every decision, in any state of the plan. */
import assert from "node:assert/strict";
import type { Command } from "../src/decide/command.ts";
import { decide } from "../src/decide/decide.ts";
import { newlyOwed } from "../src/decide/owed.ts";
import type { PlanEvent } from "../src/events/plan-event.ts";
import { isHalted, type KnownPlan, type Plan } from "../src/machine/plan-state.ts";
import { runOf } from "../src/machine/step/runs.ts";

/** Large plans are not checked completely each time. */
export const LARGE = 100;

/**
 * `decide`, with checks of every invariant of one decision: it is deterministic, its ids are unique, and a dispatcher that takes
 * the plan over now decides all of it too (OWED-1).
 */
export function checkedDecide(before: Plan, plan: KnownPlan): Command[] {
  const commands = decide(plan, newlyOwed(before, plan));
  if (isHalted(plan)) checkSendsNothing(commands);
  // Only now and then for large plans: a takeover costs as much as there are steps in flight.
  if (plan.steps.size > LARGE && plan.seq % 32 > 0) return commands;
  assert.deepEqual(decide(plan, newlyOwed(before, plan)), commands, "deciding twice decides the same");
  const allCommands = decide(plan);
  if (isHalted(plan)) checkSendsNothing(allCommands);
  if (plan.seq % 3 === 0) checkNothingMissed(before, { plan, commands, allCommands });
  const afterTakeover = new Map(allCommands.map((command) => [idOf(command), command]));
  const seen = new Set<string>();
  for (const command of commands) {
    const id = idOf(command);
    assert.ok(!seen.has(id), `${id} is used for two commands`);
    seen.add(id);
    // A hint: losing it loses nothing.
    if (command.kind !== "stop") assert.deepEqual(afterTakeover.get(id), command);
  }
  return commands;
}

/** OWED-2: the changes of the last event yield everything that is newly owed to the plan. */
function checkNothingMissed(
  before: Plan,
  after: {
    readonly plan: KnownPlan;
    readonly commands: readonly Command[];
    readonly allCommands: readonly Command[];
  },
): void {
  if (before === after.plan || before.status === "absent") return;
  const known = new Set([...decide(before), ...after.commands].map(idOf));
  // Sent when its inputs existed, then owed as failed while one of them was failed, until its fallback had ended.
  const wasOwedAsFailed = (command: Command): boolean =>
    command.kind === "run" && known.has(`${command.id}/done`);
  const missed = after.allCommands.filter(
    (command) =>
      !known.has(idOf(command)) &&
      !isInHand(after.plan, command) &&
      !wasOwedInstead(before, command) &&
      !wasOwedAsFailed(command),
  );
  assert.deepEqual(missed.map(idOf), [], "something is owed, and the changes of the event do not tell");
}

/** Whether a worker has begun the step. */
function isInHand(plan: KnownPlan, command: Command): boolean {
  if (command.kind !== "run" || command.work.undo === true) return false;
  const state = runOf(plan, command.work)?.state;
  return state?.status === "running" && state.startedAt !== undefined;
}

/** The record of a step that does not or cannot run may change until it is stored: the first decision is stored. */
function wasOwedInstead(before: KnownPlan, command: Command): boolean {
  if (command.kind !== "record") return false;
  const { type, data } = command.event;
  if (type === "step.expanded") return before.undecided.has(data.stepId);
  if (type === "step.failed") {
    const state = runOf(before, data)?.state;
    const isSent = state?.status === "running" || state?.status === "awaiting-approval";
    return before.undecided.has(data.stepId) || (isSent && state.attempt === data.attempt);
  }
  if (type !== "step.skipped") return false;
  if (data.passedOver !== true) return before.unskipped.has(data.because);
  return data.stepIds.some((stepId) => before.undecided.has(stepId));
}

const RECORDS_OF_HALTED: ReadonlySet<PlanEvent["type"]> = new Set([
  "step.skipped",
  "approval.requested",
  "step.expanded",
  // An approval that cannot be requested, because its arguments cannot be resolved.
  "step.failed",
]);

/** A halted plan only sets its timers, records its skips and requests its approvals. */
function checkSendsNothing(commands: readonly Command[]): void {
  for (const command of commands) {
    const isHarmless =
      command.kind === "schedule" ||
      command.kind === "stop" ||
      (command.kind === "sub-plan" && command.control !== undefined) ||
      (command.kind === "record" && RECORDS_OF_HALTED.has(command.event.type));
    assert.ok(isHarmless, `a halted plan commands ${idOf(command)}`);
  }
}

/** The id by which a repeated command is deduplicated. */
export function idOf(command: Command): string {
  switch (command.kind) {
    case "stop":
      return "stop";
    case "schedule":
      return `schedule ${command.timer}`;
    case "record":
      return command.event.id;
    case "sub-plan":
      return `${command.submission.planId} ${command.control === undefined ? "submit" : "stop"}`;
    default:
      return command.id;
  }
}

/** The purpose of a command. Two commands with different purposes must have different ids. */
export function purposeOf(command: Command): string {
  switch (command.kind) {
    case "run":
      return `run ${command.work.stepId} ${command.work.item} ${command.work.undo} ${command.work.attempt} ${command.work.sentAfter} ${JSON.stringify(command.work.allowance)}`;
    case "draft":
      return `draft ${command.work.draft} ${JSON.stringify(command.work.allowance)}`;
    case "review":
      return `review ${command.work.stepId} ${command.work.attempt} ${command.work.review}`;
    case "critique":
      return `critique ${command.work.of} ${command.work.draft} ${command.work.review}`;
    case "join":
      return `join ${command.work.join} ${JSON.stringify(command.work.allowance)}`;
    case "process":
      return `process ${command.work.stepId} ${command.work.item} ${command.work.attempt} ${JSON.stringify(command.work.allowance)}`;
    case "record": {
      const { event } = command;
      if (event.type === "step.failed")
        return `fail ${event.data.stepId} ${event.data.item} ${event.data.attempt}`;
      if (event.type === "approval.requested") return `approval ${event.data.approvalId}`;
      if (event.type === "step.skipped" && event.data.passedOver === true) {
        return `pass over ${event.data.stepIds.join()}`;
      }
      if (event.type === "step.skipped") return `skip ${event.data.because} ${event.data.stepIds.join()}`;
      return event.type;
    }
    default:
      return idOf(command);
  }
}
