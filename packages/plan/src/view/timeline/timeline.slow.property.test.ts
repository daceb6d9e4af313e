// Random plans in a world in which everything goes wrong that can: the timeline of their log is compared with the plan's own
// state of each step, event by event.
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
import { evolve } from "../../machine/evolve.ts";
import { viewOf } from "../plan-view.ts";
import { noPlan, type Plan } from "../../machine/plan-state.ts";
import type { StepView } from "../step-view.ts";
import type { Bar, Timeline } from "./timeline.ts";
import { timelineOf } from "./timeline-of.ts";

const LIMITED = { interruptAfterTimeLimit: propertyTimeMs() };

describe("the timeline of a plan", () => {
  it("agrees with the plan about each step, for a submitted plan", () => {
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
      { ...LIMITED, numRuns: propertyRuns(20) },
    );
  });

  it("agrees with the plan about each step, for a drafted and revised plan", () => {
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
      { ...LIMITED, numRuns: propertyRuns(20) },
    );
  });

  it("agrees with the plan about each step, for steps that work in loops", () => {
    fc.assert(
      fc.property(loopsArbitrary, gatesArbitrary, choicesArbitrary, (steps, gates, choices) => {
        const goal = submitted(
          steps.map(({ step }) => step),
          gates,
        );
        expect(faultsIn(runWorld({ goal, drafts: [steps], choices }).log)).toEqual([]);
      }),
      { ...LIMITED, numRuns: propertyRuns(20) },
    );
  });

  it("is complete for any log", () => {
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

/** The segments of a plan that is held as a whole, if any. */
const HELD = ["queue", "wait pause", "wait start"];
const PHASES = {
  dependencies: ["wait dependencies"],
  primary: ["wait primary"],
  condition: ["wait verdict"],
  items: ["wait verdict"],
  turn: ["wait turn"],
  draft: ["wait draft"],
  approval: ["wait approval"],
  capacity: HELD,
  start: HELD,
  resume: HELD,
  budget: [...HELD, "wait budget"],
  retry: ["retry"],
};

type RunView = {
  readonly status: StepView["status"];
  readonly waitingFor?: keyof typeof PHASES | undefined;
  readonly items?: readonly object[] | undefined;
};

/** The last segments that a bar may have, by the plan's state of its run. */
function phasesOf({ status, waitingFor, items }: RunView): readonly string[] {
  switch (status) {
    case "waiting":
      return waitingFor === undefined ? ["wait turn", "retry"] : PHASES[waitingFor];
    case "queued":
      return items === undefined ? HELD : ["items"];
    case "running":
      return items === undefined ? ["model", "tool", "sub-plan"] : ["items"];
    case "awaiting-approval":
      return ["wait approval", "wait answer"];
    default:
      return [status];
  }
}

function lastOf({ status, segments }: Bar): string {
  const { kind = "nothing", why } = segments.at(-1) ?? {};
  return status !== "open" ? status : why === undefined ? kind : `${kind} ${why}`;
}

/** Where the timeline of the log so far disagrees with the plan. */
function faultsIn(log: readonly PlanEvent[]): string[] {
  let plan: Plan = noPlan;
  const faults: string[] = [];
  // A user may view the plan at any prefix of its log. Checking every prefix would take too long.
  const stride = Math.max(1, Math.floor(log.length / 8));
  for (const [index, event] of log.entries()) {
    plan = evolve(plan, event);
    if (plan.status === "absent" || (index % stride !== 0 && index < log.length - 1)) continue;
    const timeline = timelineOf(log.slice(0, index + 1));
    if (timeline === undefined) return ["there is no timeline of a plan that is there"];
    faults.push(...gapsIn(timeline));
    const bars = new Map(timeline.steps.map((step) => [step.stepId, step]));
    const check = (name: string, run: RunView, bar: Bar | undefined): void => {
      const wanted = phasesOf(run);
      const got = bar && lastOf(bar);
      if (got === undefined || !wanted.includes(got))
        faults.push(`${index} ${event.type}: ${name} is ${wanted.join(" or ")}, not ${got}`);
    };
    const { steps, compensations } = viewOf(plan, 0);
    for (const step of steps) {
      const bar = bars.get(step.id);
      check(step.id, step, bar);
      for (const [item, run] of (step.items ?? []).entries())
        check(`${step.id}/${item}`, run, bar?.items[item]);
    }
    for (const { stepId, status, failedAttempts } of compensations) {
      // A run whose turn has not come has no segments.
      if (status !== "waiting" || failedAttempts.length > 0)
        check(`undoing ${stepId}`, { status }, bars.get(stepId)?.undo);
    }
  }
  return faults;
}

/** Where the segments of a bar have gaps between them, or do not cover it. */
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
