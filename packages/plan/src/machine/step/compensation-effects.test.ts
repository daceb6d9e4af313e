// Compensations that run at most once: they are in the effect ledger, and none runs twice without a user's decision.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  AT,
  cancelRequested,
  deadlineFired,
  fact,
  failed,
  interrupted,
  kindsOf,
  planEnded,
  started,
  step,
  submitted,
  succeeded,
  timerFired,
  worksOf,
} from "../../../test/facts.ts";
import { decide } from "../../decide/decide.ts";
import { owed } from "../../decide/owed.ts";
import { PlanEvent } from "../../events/plan-event.ts";
import { evolve } from "../evolve.ts";
import { viewOf } from "../../view/plan-view.ts";
import { isPending } from "../approval/approval-transitions.ts";
import type { KnownPlan } from "../plan-state.ts";

const undone = (event: PlanEvent): PlanEvent =>
  fact(event.type, { ...event.data, undo: true }, { id: `${event.id} undo` });
const ledgerOf = (plan: KnownPlan) =>
  viewOf(plan, 0).effects.map(({ key, undo, attempt, status, by }) => [key, undo, attempt, status, by]);
const statusesOf = (plan: KnownPlan) => viewOf(plan, 0).effects.map(({ status }) => status);

const compensate = { tool: "mail.send", args: { to: "{{a.output.to}}" }, retry: { maxAttempts: 2 } };
/** `a` has succeeded, and its compensation sends a mail. */
const undoing = after(
  submitted([step("a", [], { compensate }), step("z")]),
  succeeded("a", { to: "ann" }),
  cancelRequested(),
);
const begun = andAfter(undoing, undone(started("a")));
/** It is unknown whether the mail was sent, and a user's decision has been requested. */
const unknown = asked(andAfter(begun, undone(interrupted("a"))));

function asked(plan: KnownPlan): KnownPlan {
  const command = decide(plan).find(({ kind }) => kind === "record");
  if (command?.kind !== "record") throw new Error("nobody is asked");
  return andAfter(plan, PlanEvent.parse({ ...command.event, at: AT }));
}

describe("a compensation that runs at most once", () => {
  it("is in the effect ledger under its own key, with all its attempts", () => {
    const again = andAfter(
      begun,
      undone(failed("a", 1, { retryable: true })),
      timerFired("retry-a-undo-2"),
      undone(started("a", 2)),
      undone(succeeded("a", 1, 2)),
    );
    expect(ledgerOf(again)).toEqual([
      ["p1/a/undo/0", true, 1, "failed", "w1"],
      ["p1/a/undo/0", true, 2, "done", "w1"],
    ]);
  });

  it("requests a decision when its outcome is unknown, and the plan waits", () => {
    expect(ledgerOf(unknown)).toEqual([["p1/a/undo/0", true, 1, "unknown", "w1"]]);
    const view = viewOf(unknown, 0);
    expect(view).toMatchObject({
      status: "compensating",
      compensations: [{ status: "awaiting-approval", attempt: 1 }],
      approvals: [
        {
          approvalId: "unknown-a-undo-1",
          kind: "outcome-unknown",
          undo: true,
          args: { to: "ann" },
          status: "pending",
        },
      ],
    });
    expect(kindsOf(unknown)).toEqual(["schedule"]);
    // Its deadline is still set, but has nothing left to expire.
    expect(kindsOf(unknown, owed(unknown))).toEqual(["schedule", "schedule"]);
  });

  it.each([
    ["happened", "done", "succeeded"],
    ["reject", "unknown", "failed"],
  ])("is settled by a user who decides %s", (decision, status, outcome) => {
    const plan = andAfter(unknown, approvalDecided("unknown-a-undo-1", decision));
    expect(statusesOf(plan)).toEqual([status]);
    expect(viewOf(plan, 0).compensations).toMatchObject([{ status: outcome }]);
    expect(kindsOf(plan)).toEqual(["plan.ended"]);
  });

  it("runs again with the same key only when a user decides so", () => {
    const plan = andAfter(unknown, approvalDecided("unknown-a-undo-1", "run-again"));
    expect(worksOf(plan)).toMatchObject([{ stepId: "a", undo: true, attempt: 2 }]);
  });

  it("fails when the request for a decision expires", () => {
    const plan = andAfter(unknown, timerFired("approval-unknown-a-undo-1"));
    expect(viewOf(plan, 0)).toMatchObject({
      approvals: [{ status: "expired" }],
      compensations: [{ status: "failed", error: { code: "outcome_unknown" } }],
    });
  });

  it("is settled by its own late outcome, and the request for a decision is withdrawn", () => {
    const plan = andAfter(unknown, undone(succeeded("a")));
    expect(statusesOf(plan)).toEqual(["done"]);
    expect(kindsOf(plan)).toEqual(["plan.ended"]);
    const approval = plan.approvals.first();
    expect(approval && isPending(plan, approval)).toBe(false);
    expect(evolve(plan, approvalDecided("unknown-a-undo-1", "run-again"))).toBe(plan);
  });

  it("requests a decision when its worker never reports", () => {
    const plan = andAfter(begun, deadlineFired());
    expect(viewOf(plan, 0).compensations).toMatchObject([{ status: "awaiting-approval" }]);
  });

  it("is recorded in the effect ledger even when its outcome arrives after the end", () => {
    const ended = andAfter(
      unknown,
      approvalDecided("unknown-a-undo-1", "reject"),
      planEnded("cancelled"),
      undone(succeeded("a")),
    );
    expect(statusesOf(ended)).toEqual(["done"]);
    expect(viewOf(ended, 0).compensations).toMatchObject([{ status: "failed" }]);
  });
});
