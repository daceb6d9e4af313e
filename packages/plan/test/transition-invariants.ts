/** Every transition of a part of a plan is in the tables of transitions.ts. */
import assert from "node:assert/strict";
import { approvalStatusOf } from "../src/machine/approval/approval-transitions.ts";
import { type KnownPlan, type Plan, type StepEntry } from "../src/machine/plan-state.ts";
import { allRuns, nameOf, runNamed } from "../src/machine/step/runs.ts";
import {
  APPROVAL_TRANSITIONS,
  BUDGET_ASK_TRANSITIONS,
  CALL_TRANSITIONS,
  DRAFT_TRANSITIONS,
  EFFECT_TRANSITIONS,
  JOIN_TRANSITIONS,
  NODE_TRANSITIONS,
  PLAN_TRANSITIONS,
  REVIEW_TRANSITIONS,
  RUN_TRANSITIONS,
  SEARCH_TRANSITIONS,
  type Transition,
  UNDO_TRANSITIONS,
} from "../src/machine/transitions.ts";

const TABLES: Readonly<Record<string, readonly Transition<string>[]>> = {
  plan: PLAN_TRANSITIONS,
  run: RUN_TRANSITIONS,
  draft: DRAFT_TRANSITIONS,
  search: SEARCH_TRANSITIONS,
  node: NODE_TRANSITIONS,
  review: REVIEW_TRANSITIONS,
  join: JOIN_TRANSITIONS,
  approval: APPROVAL_TRANSITIONS,
  ask: BUDGET_ASK_TRANSITIONS,
  effect: EFFECT_TRANSITIONS,
  call: CALL_TRANSITIONS,
  undo: UNDO_TRANSITIONS,
};

/** The transitions from one state of a plan to the next, as `run waiting -> running`. */
export function movesBetween(before: Plan, after: KnownPlan): string[] {
  const known = before.status === "absent" ? undefined : before;
  const moves = [
    move("plan", known?.status, after.status),
    ...(known === undefined
      ? []
      : [
          move("draft", known.drafting.phase, after.drafting.phase),
          move("join", known.joining.phase, after.joining.phase),
        ]),
    move("review", known?.critique?.of, after.critique?.of),
    move("ask", known && askOf(known), askOf(after)),
    move("search", known?.search?.phase, after.search?.phase),
  ];
  for (const entry of allRuns(after)) {
    const earlier = known && runNamed(known, nameOf(entry));
    if (earlier === entry) continue;
    moves.push(move("run", earlier?.state.status, entry.state.status), ...movesOfEffects(earlier, entry));
  }
  for (const entry of after.compensations ?? []) {
    const earlier = known?.compensations?.find(({ stepId }) => stepId === entry.stepId);
    moves.push(move("undo", earlier?.state.status, entry.state.status), ...movesOfEffects(earlier, entry));
  }
  for (const [id, approval] of after.approvals) {
    const earlier = known?.approvals.get(id);
    const status = known && earlier && approvalStatusOf(known, earlier);
    moves.push(move("approval", status, approvalStatusOf(after, approval)));
  }
  for (const [id, { status }] of after.search?.tree.nodes ?? [])
    moves.push(move("node", known?.search?.tree.nodes.get(id)?.status, status));
  return moves.filter((told) => told !== "");
}

type WithEffects = Pick<StepEntry, "effects" | "calls">;

function movesOfEffects(before: WithEffects | undefined, after: WithEffects): string[] {
  if (before === after) return [];
  const effects = after.effects.map(({ attempt, status }) => {
    const earlier = before?.effects.find((one) => one.attempt === attempt);
    return move("effect", earlier?.status, status);
  });
  const calls = (after.calls ?? []).map(({ turn, call, status }) => {
    const earlier = before?.calls?.find((one) => one.turn === turn && one.call === call);
    return move("call", earlier?.status, status);
  });
  return [...effects, ...calls];
}

function askOf({ budget }: KnownPlan): string | undefined {
  if (budget?.asking !== undefined) return "open";
  return budget?.isRefused === true ? "refused" : undefined;
}

function move(kind: string, from: string | undefined, to: string | undefined): string {
  return from === to ? "" : `${kind} ${from ?? "none"} -> ${to ?? "none"}`;
}

function movesOf(kind: string, { from, to }: Transition<string>): string[] {
  return [from].flat().map((one) => move(kind, one, to));
}

export const MOVES: ReadonlySet<string> = new Set(
  Object.entries(TABLES).flatMap(([kind, table]) => table.flatMap((one) => movesOf(kind, one))),
);

export function checkMoves(before: Plan, after: KnownPlan): void {
  for (const told of movesBetween(before, after)) assert.ok(MOVES.has(told), `${told} is in no table`);
}
