// Calls of a loop that wait for a person: the attempt ends, and the next one goes on with what was decided.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  AT,
  fact,
  faltered,
  kindsOf,
  stepOf,
  submitted,
  timerFired,
  worksOf,
} from "../test/facts.ts";
import { argumentsHash } from "./arguments-hash.ts";
import { decide } from "./decide.ts";
import { missingBefore } from "./missing-before.ts";
import { PlanView, viewOf } from "./plan-view.ts";
import type { KnownPlan } from "./state/plan-state.ts";

const react = { id: "a", tool: "files.write" };
const args = { to: "bob" };
const usage = { modelCalls: 1, inputTokens: 5, outputTokens: 5, costUsd: 0 };
const run = { stepId: "a", item: 0 };
const started = fact("step.started", { ...run, attempt: 1, workerId: "w" });
const asked = (turn = 1, attempt = 1) =>
  fact("step.asked", {
    ...run,
    attempt,
    workerId: "w",
    startedAt: AT,
    durationMs: 5,
    usage,
    call: { turn, thought: "mail him", tool: "mail.send", args, risk: "high" },
  });
const turn = (number: number, attempt: number) =>
  fact("turn.taken", {
    ...run,
    attempt,
    turn: number,
    thought: "t",
    tool: "mail.send",
    args,
    output: { value: 1 },
  });

function questionOf(plan: KnownPlan) {
  const event = decide(plan).flatMap((command) => (command.kind === "record" ? [command.event] : []))[0];
  if (event?.type !== "approval.requested") throw new Error("nobody is asked");
  return fact("approval.requested", event.data);
}
const waiting = (): KnownPlan => {
  const plan = after(submitted([react], { approval: { risk: "high" } }), started, asked());
  return andAfter(plan, questionOf(plan));
};
const decided = (decision: string, more: object = {}) =>
  fact("approval.decided", { approvalId: "call-a-0-1-1", decision, by: "ann", ...more });

describe("a call that waits for a person", () => {
  it("is asked about with its exact arguments, and holds no worker", () => {
    const plan = waiting();
    expect([plan.inFlight, worksOf(plan), plan.usage.modelCalls]).toEqual([0, [], 1]);
    const view = viewOf(plan, 0);
    expect(PlanView.parse(view).steps[0]?.status).toBe("awaiting-approval");
    expect(view.approvals).toMatchObject([
      {
        approvalId: "call-a-0-1-1",
        kind: "tool-risk",
        tool: "mail.send",
        risk: "high",
        args,
        argsHash: argumentsHash(args),
        question: "May step a call mail.send (high risk) with these arguments?",
      },
    ]);
  });

  it("has leave with the arguments that were approved, until its turn is over", () => {
    const approved = andAfter(waiting(), decided("approve", { edits: { to: "eve" } }));
    expect(worksOf(approved)).toMatchObject([{ stepId: "a", attempt: 2, args: {} }]);
    expect(stepOf(approved, "a").leave).toMatchObject({ call: { turn: 1 }, args: { to: "eve" } });
    expect(stepOf(andAfter(approved, turn(1, 2)), "a").leave).toBeUndefined();
  });

  it("is told to the loop when it was rejected, by a person or by time", () => {
    const rejected = andAfter(waiting(), decided("reject", { reason: "not him" }));
    expect(stepOf(rejected, "a").leave).toMatchObject({ rejected: "rejected by ann: not him" });
    expect(stepOf(rejected, "a").leave).not.toHaveProperty("args");
    expect(kindsOf(rejected)).toEqual(["run"]);
    const late = andAfter(waiting(), timerFired("approval-call-a-0-1-1"));
    expect(stepOf(late, "a").leave?.rejected).toContain("nobody decided before it expired");
  });

  it("uses up no attempt, and may be followed by another one", () => {
    let plan = andAfter(waiting(), decided("approve"), turn(1, 2), asked(2, 2));
    expect(stepOf(plan, "a").state).toMatchObject({
      status: "awaiting-approval",
      approvalId: "call-a-0-2-2",
    });
    plan = andAfter(plan, questionOf(plan), decided("approve", { approvalId: "call-a-0-2-2" }));
    for (const attempt of [3, 4])
      plan = andAfter(plan, faltered("a", attempt), timerFired(`retry-a-0-${attempt + 1}`));
    expect(stepOf(plan, "a").state).toMatchObject({ status: "running", attempt: 5 });
  });

  it("is not taken in twice, or of a step that does not run", () => {
    const plan = waiting();
    expect(andAfter(plan, asked())).toBe(plan);
    const approved = andAfter(plan, decided("approve"));
    expect(andAfter(approved, asked())).toBe(approved);
  });
});

it("shows nothing that has vanished from the log before it", () => {
  const begun = fact("call.started", {
    ...run,
    attempt: 1,
    turn: 1,
    thought: "t",
    tool: "files.write",
    args: { path: "a" },
    effect: "idempotent",
    workerId: "w",
  });
  for (const event of [asked(), turn(1, 1), begun]) {
    expect(missingBefore(after(submitted([react])), event)).toBeUndefined();
  }
});
