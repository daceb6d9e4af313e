/** Invariants of the metrics and lessons of every plan that has ended, whatever its outcome. */
import assert from "node:assert/strict";
import { figuresOf } from "../src/view/plan-figures.ts";
import { outlineOf, PlanOutline } from "../src/view/plan-outline.ts";
import type { KnownPlan } from "../src/machine/plan-state.ts";

/** Checks that its outline can be stored, and is consistent. */
export function checkOutline(plan: KnownPlan): void {
  const outline = outlineOf(plan);
  assert.deepEqual(PlanOutline.parse(JSON.parse(JSON.stringify(outline))), outline);
  const { figures } = outline;
  assert.ok(figures !== undefined, "an ended plan has figures");
  assert.ok(figures.stepsFailed <= figures.steps, "more steps failed than there were");
  assert.ok(figures.toolCallsMin <= figures.toolCalls, "a plan needed more calls than it made");
  assert.ok(figures.mutationsIdempotent + figures.mutationsOnce <= figures.toolCalls);
  const { tools = [] } = figures;
  const sumOf = (name: "steps" | "failed"): number => tools.reduce((sum, one) => sum + one[name], 0);
  assert.ok(sumOf("steps") <= figures.steps, "tools ended more steps than there were");
  assert.ok(sumOf("failed") <= figures.stepsFailed, "more steps of tools failed than steps");
}

/** Events after the end change no metric except the rating. */
export function checkFiguresStay(before: KnownPlan, after: KnownPlan): void {
  const { rating: _before, ratings: _earlier, ...figures } = figuresOf(before) ?? { ratings: 0 };
  const { rating: _after, ratings: _later, ...same } = figuresOf(after) ?? { ratings: 0 };
  assert.deepEqual(same, figures);
}
