// Dependents of steps that did not succeed. Cites the invariants of evolve.ts.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  draftStarted,
  failed,
  newlyOwedTo,
  planned,
  skipped,
  step,
  submitted,
} from "../../test/facts.ts";
import { decide } from "./decide.ts";
import { owed } from "./owed.ts";
import type { KnownPlan } from "../machine/plan-state.ts";

const skips = (plan: KnownPlan, due = newlyOwedTo(plan)) =>
  decide(plan, due).flatMap((command) =>
    command.kind === "record" && command.event.type === "step.skipped" ? [command.event] : [],
  );

describe("the dependents of a failed step", () => {
  it("are skipped by a single event, however far they are from it, nearest first", () => {
    const chain = [step("a"), step("b", ["a"]), step("c", ["b"]), step("d", ["c", "a"])];
    expect(skips(after(submitted(chain), failed("a")))).toMatchObject([
      { data: { stepIds: ["b", "d", "c"], because: "a" } },
    ]);
  });

  it("are all skipped when two failed steps share a first dependent", () => {
    const shared = [step("a"), step("b"), step("c", ["a", "b"]), step("d", ["b"])];
    const first = after(submitted(shared), failed("a"));
    const second = andAfter(first, failed("b"));
    expect(skips(first)).toMatchObject([{ data: { stepIds: ["c"] } }]);
    expect(skips(second)).toMatchObject([{ data: { stepIds: ["c", "d"] } }]);
    const settled = andAfter(second, skipped(["c"], "a"), skipped(["c", "d"], "b"));
    expect(settled).toMatchObject({ total: 4, done: 4, status: "reflecting" });
  });

  it("are not skipped again by a dispatcher that takes over", () => {
    const chain = [step("a"), step("b", ["a"])];
    const plan = after(submitted(chain), failed("a"), skipped(["b"], "a"));
    expect(skips(plan, owed(plan))).toEqual([]);
  });
});

describe("a step that a draft adds below a failed one", () => {
  const open = [submitted(), draftStarted(), planned(step("a")), planned(step("b", ["a"]))];

  it("is skipped as soon as it is planned", () => {
    const plan = after(...open, failed("a"), skipped(["b"], "a"));
    expect(skips(andAfter(plan, planned(step("c", ["a"]))))).toMatchObject([{ data: { stepIds: ["c"] } }]);
  });

  it("is skipped when it is planned below a skipped one", () => {
    const plan = after(...open, failed("a"), skipped(["b"], "a"));
    expect(skips(andAfter(plan, planned(step("c", ["b"]))))).toMatchObject([
      { data: { stepIds: ["c"], because: "b" } },
    ]);
  });

  it("is skipped when it is planned between the failure and the skips that follow from it", () => {
    const plan = after(...open, failed("a"), planned(step("c", ["a"])), planned(step("d", ["b"])));
    expect(skips(andAfter(plan, skipped(["b"], "a")))).toMatchObject([
      { data: { stepIds: ["c"] } },
      { data: { stepIds: ["d"] } },
    ]);
  });
});

describe("the event that skips steps", () => {
  const open = [submitted(), draftStarted(), planned(step("a")), planned(step("b", ["a"])), failed("a")];
  const idOf = (plan: KnownPlan) => skips(plan)[0]?.id;

  it("has the same id whenever it names the same steps", () => {
    const plan = after(...open);
    expect(idOf(andAfter(plan, planned(step("x"))))).toBeUndefined();
    expect(skips(plan, owed(plan))).toEqual(skips(plan));
  });

  it("has another id when it names one more step", () => {
    expect(idOf(after(...open))).not.toBe(idOf(after(...open, planned(step("c", ["a"])))));
  });

  it("leaves no step open when two of them race and a step is added in between", () => {
    const wide = after(
      submitted(),
      draftStarted(),
      planned(step("a")),
      planned(step("b", ["a"])),
      failed("a"),
      planned(step("c", ["b", "a"])),
      skipped(["b"], "a"),
    );
    expect(skips(wide).map(({ data }) => [data.because, data.stepIds])).toEqual([
      ["a", ["c"]],
      ["b", ["c"]],
    ]);
    const more = andAfter(wide, planned(step("d", ["b"])));
    expect(skips(more).map(({ data }) => [data.because, data.stepIds])).toEqual([["b", ["c", "d"]]]);
    expect(new Set([...skips(wide), ...skips(more)].map(({ id }) => id)).size).toBe(3);
    expect(andAfter(more, skipped(["c"], "a"), skipped(["c", "d"], "b"))).toMatchObject({
      total: 4,
      done: 4,
    });
  });
});
