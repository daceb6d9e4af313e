// Steps that need approval: what the request contains, what a decision does, and what arrives too late.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  approvalRequested,
  cancelRequested,
  decideNext,
  draftStarted,
  faltered,
  ONCE,
  planned,
  sealed,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  worksOf,
} from "../../../test/facts.ts";
import { APPROVAL_EXPIRES_MS } from "./approval-policy.ts";
import { argumentsHash } from "../../values/arguments-hash.ts";
import { decide } from "../../decide/decide.ts";
import { accepts, evolve } from "../evolve.ts";
import { viewOf } from "../../view/plan-view.ts";
import type { KnownPlan } from "../plan-state.ts";

const POLICY = { risk: "high", expiresAfterMs: 60_000 };
const mail = (id: string, dependsOn: string[] = [], more: object = {}) =>
  step(id, dependsOn, { tool: "mail.send", args: { to: "ann" }, ...more });

/** A submitted plan in which approval of the steps in `asked` has been requested. */
function asking(steps: readonly object[], asked: readonly string[], policy: object = POLICY): KnownPlan {
  const plan = after(submitted(steps, { approval: policy }));
  return asked.reduce((known, stepId) => andAfter(known, approvalRequested(known, stepId)), plan);
}

const statusOf = (plan: KnownPlan, stepId: string) => stepOf(plan, stepId).state.status;

describe("a step that waits for approval", () => {
  it("requests approval with its exact arguments, their hash and an expiry time", () => {
    const plan = after(
      submitted([step("a"), mail("b", [], { args: { to: { $ref: "a.output" } } })], { approval: POLICY }),
      succeeded("a", { name: "ann" }),
    );
    expect(plan.status).toBe("awaiting-approval");
    const args = { to: { name: "ann" } };
    expect(decideNext(plan)).toMatchObject([
      {
        kind: "record",
        event: {
          id: "p1/approval/risk-b-0",
          type: "approval.requested",
          data: {
            approvalId: "risk-b-0",
            kind: "tool-risk",
            stepId: "b",
            tool: "mail.send",
            risk: "high",
            args,
            argsHash: argumentsHash(args),
            expiresAfterMs: 60_000,
          },
        },
      },
    ]);
    const asked = andAfter(plan, approvalRequested(plan, "b"));
    expect(decideNext(asked)).toMatchObject([
      { kind: "schedule", timer: "approval-risk-b-0", at: "2026-01-01T00:01:00.000Z" },
    ]);
    expect(viewOf(asked, 0).approvals).toMatchObject([
      {
        approvalId: "risk-b-0",
        status: "pending",
        choices: ["approve", "reject"],
        args,
        expiresAt: "2026-01-01T00:01:00.000Z",
      },
    ]);
  });

  it("runs as soon as it is approved, with the arguments that the approval showed", () => {
    const plan = andAfter(asking([mail("a")], ["a"]), approvalDecided("risk-a-0", "approve"));
    expect(plan).toMatchObject({ status: "running", inFlight: 1, awaiting: 0 });
    const args = { to: "ann" };
    const approval = { approvalId: "risk-a-0", argsHash: argumentsHash(args) };
    expect(worksOf(plan)).toMatchObject([{ stepId: "a", attempt: 1, args, approval }]);
  });

  it("runs with the edited arguments, and later attempts use them without another approval", () => {
    const edits = { to: "bob" };
    const retry = { retry: { maxAttempts: 3, backoffMs: 10 } };
    const approved = andAfter(
      asking([mail("a", [], retry)], ["a"]),
      approvalDecided("risk-a-0", "approve", { edits }),
    );
    const again = andAfter(approved, faltered("a"), timerFired("retry-a-0-2"));
    for (const plan of [approved, again]) {
      expect(worksOf(plan)).toMatchObject([{ args: edits, approval: { argsHash: argumentsHash(edits) } }]);
    }
    expect(again.approvals.size).toBe(1);
  });

  it("fails when it is rejected, and its dependents are skipped", () => {
    const plan = andAfter(
      asking([mail("a"), step("b", ["a"])], ["a"]),
      approvalDecided("risk-a-0", "reject", { reason: "not now" }),
    );
    expect(stepOf(plan, "a").state).toMatchObject({
      status: "failed",
      error: { code: "approval_rejected", message: "rejected by ann: not now" },
    });
    expect(plan).toMatchObject({ awaiting: 0, done: 1 });
    expect(decideNext(plan)).toMatchObject([{ event: { type: "step.skipped", data: { stepIds: ["b"] } } }]);
  });

  it("fails when its approval expires, and ignores a decision that comes later", () => {
    const plan = andAfter(asking([mail("a")], ["a"]), timerFired("approval-risk-a-0"));
    expect(statusOf(plan, "a")).toBe("failed");
    expect(viewOf(plan, 0).approvals).toMatchObject([
      { status: "expired", decision: "reject", reason: "the approval expired without a decision" },
    ]);
    expect(accepts(plan, approvalDecided("risk-a-0", "approve"))).toBe(false);
  });

  it("takes the first decision, and ignores its approval timer from then on", () => {
    const plan = andAfter(asking([mail("a")], ["a"]), approvalDecided("risk-a-0", "approve"));
    for (const late of [
      approvalDecided("risk-a-0", "reject"),
      approvalDecided("risk-a-0", "approve", { edits: { to: "eve" } }),
      timerFired("approval-risk-a-0"),
    ]) {
      expect(evolve(plan, late)).toBe(plan);
    }
  });

  it("cannot run, end or request another approval while its approval is pending", () => {
    const plan = after(submitted([mail("a")], { approval: POLICY }));
    for (const event of [
      succeeded("a"),
      approvalDecided("risk-a-0", "approve"),
      timerFired("approval-risk-a-0"),
    ]) {
      expect(accepts(plan, event)).toBe(false);
    }
    const asked = asking([mail("a")], ["a"]);
    expect(accepts(asked, succeeded("a"))).toBe(false);
    expect(accepts(asked, approvalRequested(plan, "a"))).toBe(false);
    expect(accepts(asked, approvalDecided("risk-a-0", "happened"))).toBe(false);
    expect(accepts(asked, approvalDecided("risk-b-0", "approve"))).toBe(false);
  });

  it("has nothing left to decide once its plan is cancelled", () => {
    const plan = andAfter(asking([mail("a")], ["a"]), cancelRequested());
    expect(statusOf(plan, "a")).toBe("cancelled");
    expect(plan.awaiting).toBe(0);
    expect(accepts(plan, approvalDecided("risk-a-0", "approve"))).toBe(false);
    expect(viewOf(plan, 0).approvals).toMatchObject([{ status: "withdrawn" }]);
  });

  it("fails before approval is requested when its arguments cannot be resolved", () => {
    const plan = after(
      submitted([step("a"), mail("b", [], { args: { to: { $ref: "a.output.x" } } })], { approval: POLICY }),
      succeeded("a", "no x"),
    );
    const [command] = decideNext(plan);
    expect(command).toMatchObject({
      event: { type: "step.failed", data: { error: { code: "unresolved_reference" } } },
    });
    if (command?.kind !== "record") throw new Error("nothing is recorded");
    expect(statusOf(andAfter(plan, { ...command.event, at: "2026-01-01T00:00:00Z" }), "b")).toBe("failed");
  });
});

describe("several approvals", () => {
  it("do not affect each other or the steps that need no approval", () => {
    const plan = asking([mail("a"), mail("b"), step("c"), step("d", ["a"])], ["a", "b"]);
    expect(plan).toMatchObject({ status: "running", inFlight: 1, awaiting: 2 });
    const one = andAfter(plan, approvalDecided("risk-b-0", "reject"), succeeded("c"));
    expect(one.status).toBe("awaiting-approval");
    expect(statusOf(one, "a")).toBe("awaiting-approval");
    const both = andAfter(one, approvalDecided("risk-a-0", "approve"), started("a"), succeeded("a"));
    expect([statusOf(both, "a"), statusOf(both, "b"), statusOf(both, "d")]).toEqual([
      "succeeded",
      "failed",
      "running",
    ]);
  });

  it("are all requested or scheduled again when another dispatcher takes over the plan", () => {
    const plan = asking([mail("a"), mail("b")], ["a"]);
    expect(decide(plan)).toMatchObject([
      { kind: "record", event: { data: { approvalId: "risk-b-0" } } },
      { kind: "schedule", timer: "approval-risk-a-0" },
    ]);
  });
});

describe("an approval", () => {
  it.each([
    ["never", []],
    ["high", ["send"]],
    ["medium", ["write", "send"]],
    ["low", ["read", "write", "send"]],
  ] as const)("with the lowest risk %s", (risk, waiting) => {
    const steps = [
      step("read"),
      step("write", [], { tool: "files.write" }),
      step("send", [], { tool: "mail.send" }),
    ];
    const plan = after(submitted(steps, { approval: { risk, expiresAfterMs: 1_000 } }));
    const awaiting = plan.steps.filter(({ state }) => state.status === "awaiting-approval");
    expect([...awaiting.keys()]).toEqual(waiting);
  });

  it("is not requested for a goal that was submitted before approvals existed", () => {
    expect(after(submitted([mail("a")]))).toMatchObject({ status: "running", inFlight: 1, awaiting: 0 });
  });

  it("expires after a day by default", () => {
    expect(APPROVAL_EXPIRES_MS).toBe(24 * 60 * 60 * 1_000);
  });

  it("is requested once the draft is complete, and never for an abandoned draft", () => {
    const goal = submitted(undefined, { approval: POLICY });
    const send = planned(mail("a"), { grant: ONCE });
    const open = after(goal, draftStarted(), send);
    expect(statusOf(open, "a")).toBe("waiting");
    const plan = andAfter(open, sealed());
    expect(statusOf(plan, "a")).toBe("awaiting-approval");
  });
});
