// Workers of one pool cannot report on the steps of another: the plan knows which pool runs each step.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  cancelRequested,
  fact,
  failed,
  GRANTS,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
} from "../../test/facts.ts";
import { evolve } from "./evolve.ts";

const OTHER = { pool: "other" };
const OWN = { pool: "default" };

describe("a worker's report about a step", () => {
  const running = after(submitted([step("a"), step("b", ["a"])]));
  const RUN = { stepId: "a", item: 0, attempt: 1 };
  const reports = (more: object) => [
    started("a", 1, more),
    succeeded("a", "forged", 1, more),
    failed("a", 1, more),
    fact("step.interrupted", { ...RUN, workerId: "w", message: "?", ...more }),
    fact("turn.taken", { ...RUN, turn: 1, thought: "t", ...more }),
  ];

  it.each(reports(OTHER))("is refused from another pool: $type", (event) => {
    expect(evolve(running, event)).toBe(running);
  });

  it("is accepted from its own pool, and from the dispatcher", () => {
    for (const more of [OWN, {}]) {
      const plan = andAfter(running, succeeded("a", "mine", 1, more));
      expect(stepOf(plan, "a").state).toMatchObject({ status: "succeeded", output: { value: "mine" } });
    }
  });

  it("is refused from another pool if it is about model calls", () => {
    const tries = { report: 1, calls: 1, callsMax: 8, since: "2026-01-01T00:00:00Z", message: "m" };
    const about = (pool: string) =>
      fact("model.failed", {
        work: { kind: "step", ...RUN, pool },
        tries: { ...tries, retryAt: "2026-01-01T00:00:01Z" },
      });
    expect(evolve(running, about("other"))).toBe(running);
    expect(evolve(running, about("default"))).not.toBe(running);
  });

  it("is checked against the pool that the step names, not that of its tool", () => {
    const plan = after(submitted([step("a", [], { agent: "other" })]));
    expect(evolve(plan, succeeded("a", 1, 1, OWN))).toBe(plan);
    expect(stepOf(andAfter(plan, succeeded("a", 1, 1, OTHER)), "a").state.status).toBe("succeeded");
  });

  it("is refused from another pool if it is about a compensation, even after the plan's end", () => {
    const compensate = { tool: "flow.echo", args: {} };
    const steps = [step("a", [], { compensate }), step("b", ["a"])];
    const plan = after(submitted(steps), succeeded("a"), cancelRequested());
    const undone = (more: object) => succeeded("a", 1, 1, { undo: true, ...more });
    expect(GRANTS["flow.echo"].pool).toBe("default");
    expect(evolve(plan, undone(OTHER))).toBe(plan);
    expect(evolve(plan, undone(OWN))).not.toBe(plan);
  });
});
