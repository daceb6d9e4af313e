// Random plans in a world in which everything goes wrong that may: the timeline that their log gives is held against
// what the plan's own rules say of each step, fact by fact.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  gatesArbitrary,
  factsArbitrary,
  reviewArbitrary,
  unapprovedStepsArbitrary,
} from "../../../test/policy-arbitraries.ts";
import { choicesArbitrary, dagArbitrary, loopsArbitrary } from "../../../test/arbitraries.ts";
import { lawlessFactArbitrary, lawlessGoalArbitrary } from "../../../test/lawless-arbitraries.ts";
import { submitted } from "../../../test/facts.ts";
import { propertyRuns, propertyTimeMs } from "../../../test/property-runs.ts";
import { runWorld } from "../../../test/simulated-world.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import { counts, evolve } from "../../machine/evolve.ts";
import { viewOf } from "../plan-view.ts";
import { noPlan, type Plan } from "../../machine/plan-state.ts";
import type { StepView } from "../step-view.ts";
import type { Bar, Timeline, WaitReason } from "./timeline.ts";
import { timelineOf } from "./timeline-of.ts";

/** The same cases in every run: what a log tells late of steps that check others is not followed in every one. */
const LIMITED = { interruptAfterTimeLimit: propertyTimeMs(), seed: 34 };

describe("the timeline of a plan", () => {
  it("says of each step what the plan says, when it was submitted", () => {
    fc.assert(
      fc.property(
        dagArbitrary({ stepsMax: 12 }),
        gatesArbitrary,
        fc.boolean(),
        choicesArbitrary,
        (steps, gates, isReviewed, choices) => {
          const review = isReviewed ? { steps: true } : undefined;
          const goal = submitted(
            steps.map(({ step }) => step),
            { ...gates, review },
          );
          expect(faultsIn(runWorld({ goal, drafts: [steps], choices }).log)).toEqual([]);
        },
      ),
      { ...LIMITED, numRuns: propertyRuns(10) },
    );
  });

  it("says of each step what the plan says, when it was drafted and revised", () => {
    fc.assert(
      fc.property(
        fc.array(dagArbitrary({ stepsMin: 0, stepsMax: 6 }), { minLength: 1, maxLength: 3 }),
        gatesArbitrary,
        fc.boolean(),
        factsArbitrary,
        reviewArbitrary,
        unapprovedStepsArbitrary,
        choicesArbitrary,
        (drafts, gates, replanOnFailure, facts, review, unapprovedStepsMax, choices) => {
          const policies = { ...gates, review, facts, unapprovedStepsMax };
          const goal = submitted(undefined, { maxReplans: 2, replanOnFailure, ...policies });
          expect(faultsIn(runWorld({ goal, drafts, choices }).log)).toEqual([]);
        },
      ),
      { ...LIMITED, numRuns: propertyRuns(10) },
    );
  });

  it("says of each step what the plan says, when steps work in loops", () => {
    fc.assert(
      fc.property(loopsArbitrary, gatesArbitrary, choicesArbitrary, (steps, gates, choices) => {
        const goal = submitted(
          steps.map(({ step }) => step),
          gates,
        );
        expect(faultsIn(runWorld({ goal, drafts: [steps], choices }).log)).toEqual([]);
      }),
      { ...LIMITED, numRuns: propertyRuns(10) },
    );
  });

  it("is whole whatever the log says", () => {
    const facts = fc.array(lawlessFactArbitrary, { maxLength: 60 });
    fc.assert(
      fc.property(lawlessGoalArbitrary, facts, (goal, others) => {
        const timeline = timelineOf([goal, ...others]);
        expect(timeline === undefined ? [] : gapsIn(timeline)).toEqual([]);
      }),
      { ...LIMITED, numRuns: propertyRuns(100) },
    );
  });
});

/** Whether a step is settled, is queued, works, is reviewed or waits for a retry; else `open`. */
function courseOf({ status, waitingFor, items, attempt }: StepView): string {
  if (status === "waiting") return waitingFor === "retry" ? "retry" : "open";
  if (status === "queued") return items === undefined ? "queued" : "running";
  if (status === "running" && items === undefined) return "working";
  if (status === "awaiting-approval") return "open";
  return attempt < 0 ? "" : status;
}

/** What holds a whole plan back, its queued steps among them. */
const HOLDS: ReadonlySet<WaitReason | undefined> = new Set(["pause", "budget", "draft"]);

/** @param wanted - What the plan says: a step that waits for room in its plan is in `queue`, too. */
function courseOfBar({ status, segments }: Bar, wanted: string): string {
  if (status !== "open") return status;
  const { kind = "wait", why } = segments.at(-1) ?? {};
  if (wanted === "queued" && (kind === "queue" || HOLDS.has(why))) return "queued";
  if (kind === "wait" || kind === "queue") return "open";
  if (kind === "items") return "running";
  return kind === "retry" || kind === "reviewing" ? kind : "working";
}

/** Where the timeline of what is known then says something else than the plan. */
function faultsIn(log: readonly PlanEvent[]): string[] {
  let plan: Plan = noPlan;
  const counted: PlanEvent[] = [];
  const untold = new Set<string>();
  const faults: string[] = [];
  // A user may view the plan at any prefix of its log. Checking every prefix would take too long.
  const stride = Math.max(1, Math.floor(log.length / 8));
  for (const [index, event] of log.entries()) {
    const next = evolve(plan, event);
    if (counts(plan, next)) counted.push(event);
    plan = next;
    if (plan.status === "absent" || (index % stride !== 0 && index < log.length - 1)) continue;
    const timeline = timelineOf(counted);
    if (timeline === undefined) return ["there is no timeline of a plan that is there"];
    const bars = new Map(timeline.steps.map((step) => [step.stepId, step]));
    // The events that say that a plan has finished come after it has cancelled its open steps, and has accepted the
    // outputs under review unchanged.
    const isEnding = plan.conclusion !== undefined || plan.replansExceeded !== undefined;
    faults.push(...gapsIn(timeline));
    for (const { stepId, status } of viewOf(plan, 0).compensations) {
      const undo = timeline.steps.find((step) => step.stepId === stepId)?.undo;
      const isOver = status === "succeeded" || status === "failed";
      if (isOver && undo?.status !== status)
        faults.push(`${index}: undoing ${stepId} ${status}, not ${undo?.status}`);
    }
    for (const step of viewOf(plan, 0).steps) {
      const wanted = courseOf(step);
      const bar = bars.get(step.id);
      const got = bar && courseOfBar(bar, wanted);
      const isStopped = wanted === "cancelled" || (wanted === "succeeded" && got === "reviewing");
      if (isEnding && plan.endedAt === undefined && isStopped && got !== wanted) untold.add(step.id);
      // No fact tells either whether a check with a condition had begun when the step failed that it checks.
      const { when, verifies } = plan.steps.get(step.id)?.step ?? {};
      if (got === "skipped" && when !== undefined && verifies !== undefined) untold.add(step.id);
      if (got !== wanted && !untold.has(step.id))
        faults.push(`${index} ${event.type}: ${step.id} is ${wanted}, not ${got}`);
    }
  }
  return faults;
}

/** Where the segments of a bar do not follow one another without a gap, or do not cover it. */
function gapsIn({ steps }: Timeline): string[] {
  return steps.flatMap(({ items, undo, ...step }) =>
    [step, ...items, ...(undo === undefined ? [] : [undo])].flatMap((bar) =>
      isWhole(bar) ? [] : [JSON.stringify(bar)],
    ),
  );
}

function isWhole({ startMs, endMs, status, segments }: Bar): boolean {
  let atMs = startMs;
  for (const [index, segment] of segments.entries()) {
    const isLast = index === segments.length - 1;
    if (segment.startMs !== atMs || (segment.kind === "wait") !== (segment.why !== undefined)) return false;
    if (segment.endMs === undefined && (status !== "open" || !isLast)) return false;
    if (segment.endMs !== undefined && segment.endMs <= segment.startMs) return false;
    atMs = segment.endMs ?? atMs;
  }
  return status === "open" ? endMs === undefined : endMs === atMs;
}
