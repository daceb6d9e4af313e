// What is known about effects: the effect ledger, unknown outcomes, and outcomes that arrive too late.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  approvalDecided,
  approvalRequested,
  cancelRequested,
  decideNext,
  failed,
  interrupted,
  planEnded,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
} from "../../../test/facts.ts";
import { accepts, evolve } from "../evolve.ts";
import { LIMITS } from "../../values/limits.ts";
import { viewOf } from "../../view/plan-view.ts";
import type { KnownPlan } from "../plan-state.ts";

const mail = (more: object = {}) => step("a", [], { tool: "mail.send", args: { to: "ann" }, ...more });
const ledgerOf = (plan: KnownPlan) =>
  viewOf(plan, 0).effects.map(({ attempt, status, by }) => `${attempt} ${status} ${by}`);
const stateOf = (plan: KnownPlan) => stepOf(plan, "a").state;

/** The step's worker died after it had started, and a user's decision has been requested. */
function unknown(more: object = {}): KnownPlan {
  const plan = after(submitted([mail(more), step("b", ["a"])]), started("a"), interrupted("a"));
  return andAfter(plan, approvalRequested(plan, "a"));
}

describe("the effect ledger", () => {
  it("has one record for each attempt that can change something, under a stable key", () => {
    const retry = { retry: { maxAttempts: 2 } };
    const plan = after(
      submitted([mail(retry), step("r")]),
      started("a"),
      started("r"),
      failed("a", 1, { retryable: true }),
      timerFired("retry-a-0-2"),
      started("a", 2),
      succeeded("a", 1, 2),
      succeeded("r"),
    );
    expect(viewOf(plan, 0).effects).toMatchObject([
      { key: "p1/a/0/0", stepId: "a", attempt: 1, tool: "mail.send", effect: "once", status: "failed" },
      { key: "p1/a/0/0", attempt: 2, status: "done", by: "w1" },
    ]);
  });

  it("marks the outcome as unknown when a failure leaves it open", () => {
    const plan = after(submitted([mail()]), started("a"), failed("a", 1, { uncertain: true }));
    expect(ledgerOf(plan)).toEqual(["1 unknown w1"]);
  });

  it("records outcomes after the end, which change nothing else", () => {
    const cancelled = after(submitted([mail()]), started("a"), cancelRequested(), planEnded("cancelled"));
    const late = succeeded("a", "sent");
    expect(accepts(cancelled, late)).toBe(false);
    const noted = andAfter(cancelled, late);
    expect(ledgerOf(noted)).toEqual(["1 done w1"]);
    expect(decideNext(noted)).toEqual([]);
    expect({ ...noted, steps: 0, due: 0 }).toEqual({ ...cancelled, steps: 0, due: 0 });
    expect(evolve(noted, late)).toBe(noted);
    expect(evolve(noted, failed("a"))).toBe(noted);
  });

  it("does not keep more records than a step can have attempts", () => {
    const ended = after(submitted([mail()]), started("a"), cancelRequested(), planEnded("cancelled"));
    const claims = Array.from({ length: 300 }, (_, index) => started("a", index + 2));
    expect(ledgerOf(andAfter(ended, ...claims)).length).toBeLessThanOrEqual(100);
  });
});

describe("an unknown outcome", () => {
  it("asks a user whether the effect happened", () => {
    const plan = unknown();
    expect(plan).toMatchObject({ status: "awaiting-approval", inFlight: 0, awaiting: 1 });
    expect(ledgerOf(plan)).toEqual(["1 unknown w1"]);
    expect(viewOf(plan, 0).approvals).toMatchObject([
      {
        approvalId: "unknown-a-0-1",
        kind: "outcome-unknown",
        attempt: 1,
        question: "Did mail.send take effect? its worker died",
        args: { to: "ann" },
        choices: ["happened", "run-again", "reject"],
        status: "pending",
      },
    ]);
  });

  it.each([
    [{ output: { id: 7 } }, { id: 7 }],
    [{}, null],
  ])(
    "can be confirmed as happened: the step succeeds with the output that the user knows (%j)",
    (more, value) => {
      const plan = andAfter(unknown(), approvalDecided("unknown-a-0-1", "happened", more));
      expect(stateOf(plan)).toMatchObject({ status: "succeeded", output: { value } });
      expect(ledgerOf(plan)).toEqual(["1 done ann"]);
      expect(stepOf(plan, "b").state.status).toBe("running");
    },
  );

  it("leads to another attempt with the same key only when a user decides so", () => {
    const plan = andAfter(unknown(), approvalDecided("unknown-a-0-1", "run-again"));
    expect(decideNext(plan)).toMatchObject([{ kind: "run", work: { stepId: "a", attempt: 2 } }]);
    const done = andAfter(plan, started("a", 2), succeeded("a", 1, 2));
    expect(ledgerOf(done)).toEqual(["1 unknown w1", "2 done w1"]);
    expect(new Set(viewOf(done, 0).effects.map(({ key }) => key)).size).toBe(1);
  });

  it("leads to no more attempts than a step can have", () => {
    let plan = unknown();
    for (let attempt = 1; stateOf(plan).status === "awaiting-approval"; attempt++) {
      plan = andAfter(plan, approvalDecided(`unknown-a-0-${attempt}`, "run-again"));
      if (stateOf(plan).status !== "running") break;
      plan = andAfter(plan, started("a", attempt + 1), interrupted("a", attempt + 1));
      plan = andAfter(plan, approvalRequested(plan, "a"));
    }
    expect(stateOf(plan)).toMatchObject({ status: "failed", attempt: LIMITS.attemptsMax });
  });

  it.each([
    ["a person", approvalDecided("unknown-a-0-1", "reject", { reason: "check by hand" })],
    ["time", timerFired("approval-unknown-a-0-1")],
  ])("counts as failed when %s says so, and stays unknown in the ledger", (_who, event) => {
    const plan = andAfter(unknown(), event);
    expect(stateOf(plan)).toMatchObject({ status: "failed", error: { code: "outcome_unknown" } });
    expect(ledgerOf(plan)).toEqual(["1 unknown w1"]);
  });

  it("is settled when its worker reports after all, and the request for a decision is withdrawn", () => {
    const plan = andAfter(unknown(), succeeded("a", "sent"));
    expect(stateOf(plan)).toMatchObject({ status: "succeeded", output: { value: "sent" } });
    expect(plan.awaiting).toBe(0);
    expect(ledgerOf(plan)).toEqual(["1 done w1"]);
    expect(viewOf(plan, 0).approvals).toMatchObject([{ status: "withdrawn" }]);
    expect(accepts(plan, approvalDecided("unknown-a-0-1", "run-again"))).toBe(false);
  });

  it("is only recorded in the effect ledger when a user has decided before it arrived", () => {
    const plan = andAfter(unknown(), approvalDecided("unknown-a-0-1", "run-again"), started("a", 2));
    const late = andAfter(plan, succeeded("a", "sent"));
    expect(stateOf(late)).toMatchObject({ status: "running", attempt: 2 });
    expect(ledgerOf(late)).toEqual(["1 done w1", "2 started w1"]);
  });

  it("is only recorded in the effect ledger when the plan was cancelled", () => {
    const plan = after(submitted([mail()]), started("a"), cancelRequested());
    expect(accepts(plan, interrupted("a"))).toBe(false);
    expect(ledgerOf(andAfter(plan, interrupted("a")))).toEqual(["1 unknown w1"]);
  });
});

it("never leaves the outcome of a read-only step unknown", () => {
  const plan = after(submitted([step("a")]), started("a"), succeeded("a"), answerGiven(undefined));
  expect(viewOf(plan, 0).effects).toEqual([]);
});
