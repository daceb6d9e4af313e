// Submitted plans that were never checked, and events that none of our services would write.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  cancelRequested,
  decideNext,
  fact,
  faltered,
  planEnded,
  skipped,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import type { PlanEvent } from "../events/plan-event.ts";
import { NO_USAGE } from "../values/add-usage.ts";
import { accepts, evolve } from "./evolve.ts";
import { PlanId } from "../values/ids.ts";
import { LIMITS } from "../values/limits.ts";
import { noPlan } from "./plan-state.ts";

describe("a plan that was never checked", () => {
  it("keeps the first of two steps with the same ID, and ends", () => {
    const plan = after(submitted([step("a"), step("b"), step("a", ["b"])]));
    expect(plan).toMatchObject({ total: 2, inFlight: 2 });
    expect(andAfter(plan, succeeded("a"), succeeded("b")).status).toBe("reflecting");
  });

  it.each(["no.such", "constructor", "__proto__", "toString"])(
    "runs the tool %s, which has no tool policy, with the strictest one",
    (tool) => {
      const plan = after(submitted([step("a", [], { tool })]));
      expect(decideNext(plan)).toMatchObject([
        { kind: "run", work: { tool, pool: "default", effect: "once", timeoutMs: 60_000 } },
      ]);
      expect(stepOf(andAfter(plan, faltered("a")), "a").state.status).toBe("failed");
    },
  );
});

describe("an outcome of an item", () => {
  it("is ignored for a step that runs once", () => {
    const plan = after(submitted([step("a")]));
    for (const event of [succeeded("a"), faltered("a"), started("a")]) {
      const ofItem = { ...event, data: { ...event.data, item: 1 } } as typeof event;
      expect(evolve(plan, ofItem)).toBe(plan);
    }
  });
});

describe("a skip without a failure", () => {
  it("leaves a step skipped that was waiting for capacity", () => {
    const wide = Array.from({ length: LIMITS.inFlightMax + 2 }, (_, index) => step(`s${index}`));
    const last = `s${LIMITS.inFlightMax + 1}`;
    const plan = after(submitted(wide), skipped([`s${LIMITS.inFlightMax}`], "s0"), succeeded("s0"));
    expect(stepOf(plan, `s${LIMITS.inFlightMax}`).state.status).toBe("skipped");
    expect(stepOf(plan, last).state.status).toBe("running");
  });

  it("leaves a step skipped that was waiting for its next attempt when its timer fires", () => {
    const plan = after(submitted([step("a"), step("b")]), faltered("a"), skipped(["a"], "b"), succeeded("b"));
    expect(plan.joining).toMatchObject({ number: 1, phase: "requested" });
    const fired = andAfter(plan, timerFired("retry-a-0-2"));
    expect(stepOf(fired, "a").state.status).toBe("skipped");
    expect(fired.joining).toMatchObject({ number: 1, phase: "requested" });
  });

  it("also skips the dependents of the steps that it names", () => {
    const plan = after(submitted([step("a"), step("b", ["a"]), step("c", ["b"])]), skipped(["b"], "zzz"));
    expect(decideNext(plan)).toMatchObject([
      { kind: "record", event: { data: { stepIds: ["c"], because: "b" } } },
    ]);
  });
});

describe("an end without a decision", () => {
  it("ends the plan with its outcome", () => {
    const plan = after(submitted([step("a")]), planEnded("failed"));
    expect(plan).toMatchObject({ status: "failed", conclusion: { outcome: "failed", reason: "done" } });
    expect(decide(plan)).toEqual([]);
  });

  it("is the last event, and nothing changes the plan after it", () => {
    const plan = after(submitted([step("a")]), planEnded("failed"));
    for (const event of [succeeded("a"), planEnded("succeeded"), cancelRequested(), submitted()]) {
      expect(evolve(plan, event)).toBe(plan);
    }
  });
});

describe("an event", () => {
  it("of another plan changes nothing", () => {
    const plan = after(submitted([step("a")]));
    expect(evolve(plan, { ...cancelRequested(), planId: PlanId.parse("p2") })).toBe(plan);
  });

  it("about a step that does not exist changes nothing", () => {
    const plan = after(submitted([step("a")]));
    for (const event of [succeeded("z"), faltered("z"), started("z"), skipped(["z"], "a")]) {
      expect(evolve(plan, event)).toBe(plan);
    }
  });

  it("before the goal changes nothing, and the goal counts once", () => {
    expect(evolve(noPlan, succeeded("a"))).toBe(noPlan);
    expect(accepts(noPlan, cancelRequested())).toBe(false);
    const plan = after(submitted([step("a")]));
    expect(plan.seq).toBe(1);
    expect(accepts(plan, submitted())).toBe(false);
  });
});

describe("a commanded answer", () => {
  it("can come without its model usage", () => {
    const { answer } = answerDataOf(answerGiven(1));
    const plan = after(submitted([step("a"), step("b")]), succeeded("a"), succeeded("b"));
    expect(andAfter(plan, fact("answer.given", { join: 1, answer }))).toMatchObject({
      usage: NO_USAGE,
      conclusion: { answer },
    });
  });
});

function answerDataOf(event: PlanEvent) {
  if (event.type !== "answer.given") throw new Error(`wanted an answer, got ${event.type}`);
  return event.data;
}
