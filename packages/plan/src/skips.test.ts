// What becomes of steps that need one which did not succeed. Cites the invariants of evolve.ts.
import { describe, expect, it } from "vitest";
import { after, andAfter, failed, skipped, step, submitted } from "../test/facts.ts";
import { allDue, decide } from "./decide.ts";
import type { KnownPlan } from "./state/plan-state.ts";

const skips = (plan: KnownPlan, due = plan.due) =>
  decide(plan, due).flatMap((command) =>
    command.kind === "record" && command.event.type === "step.skipped" ? [command.event] : [],
  );

describe("the steps that need a failed one", () => {
  it("are skipped by one fact, however far they are from it, nearest first", () => {
    const chain = [step("a"), step("b", ["a"]), step("c", ["b"]), step("d", ["c", "a"])];
    expect(skips(after(submitted(chain), failed("a")))).toMatchObject([
      { id: "p1/skip/a/b", data: { stepIds: ["b", "d", "c"], because: "a" } },
    ]);
  });

  it("are all skipped when two failed steps share the first of them", () => {
    const shared = [step("a"), step("b"), step("c", ["a", "b"]), step("d", ["b"])];
    const first = after(submitted(shared), failed("a"));
    const second = andAfter(first, failed("b"));
    expect(skips(first)).toMatchObject([{ id: "p1/skip/a/c", data: { stepIds: ["c"] } }]);
    expect(skips(second)).toMatchObject([{ id: "p1/skip/b/c", data: { stepIds: ["c", "d"] } }]);
    const settled = andAfter(second, skipped(["c"], "a"), skipped(["c", "d"], "b"));
    expect(settled).toMatchObject({ total: 4, done: 4, status: "reflecting" });
  });

  it("are not skipped again by an owner who takes over", () => {
    const chain = [step("a"), step("b", ["a"])];
    const plan = after(submitted(chain), failed("a"), skipped(["b"], "a"));
    expect(skips(plan, allDue(plan))).toEqual([]);
  });
});
