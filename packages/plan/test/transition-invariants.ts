/** Every move of a part of a plan is in the tables of transitions.ts. */
import assert from "node:assert/strict";
import { type KnownPlan, type Plan } from "../src/machine/plan-state.ts";
import { allRuns, nameOf, runNamed } from "../src/machine/step/runs.ts";
import {
  DRAFT_TRANSITIONS,
  JOIN_TRANSITIONS,
  RUN_TRANSITIONS,
  type Transition,
  UNDO_TRANSITIONS,
} from "../src/machine/transitions.ts";

/** What moved from one state of a plan to the next, as `run waiting -> running`. */
export function movesBetween(before: Plan, after: KnownPlan): string[] {
  if (before.status === "absent")
    return [...allRuns(after)].map(({ state }) => move("run", "none", state.status));
  const moves = [
    move("draft", before.drafting.phase, after.drafting.phase),
    move("join", before.joining.phase, after.joining.phase),
  ];
  for (const entry of allRuns(after)) {
    moves.push(move("run", runNamed(before, nameOf(entry))?.state.status, entry.state.status));
  }
  if (before.compensations !== after.compensations) {
    for (const { stepId, state } of after.compensations ?? []) {
      const earlier = before.compensations?.find((entry) => entry.stepId === stepId);
      moves.push(move("undo", earlier?.state.status, state.status));
    }
  }
  return moves.filter((told) => told !== "");
}

function move(kind: string, from: string | undefined, to: string): string {
  return from === to ? "" : `${kind} ${from ?? "none"} -> ${to}`;
}

function movesIn(kind: string, table: readonly Transition<string>[]): string[] {
  return table.map(({ from, to }) => move(kind, from, to));
}

export const MOVES: ReadonlySet<string> = new Set([
  ...movesIn("run", RUN_TRANSITIONS),
  ...movesIn("draft", DRAFT_TRANSITIONS),
  ...movesIn("join", JOIN_TRANSITIONS),
  ...movesIn("undo", UNDO_TRANSITIONS),
]);

export function checkMoves(before: Plan, after: KnownPlan): void {
  for (const told of movesBetween(before, after)) assert.ok(MOVES.has(told), `${told} is in no table`);
}
