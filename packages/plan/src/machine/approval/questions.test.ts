// Steps that ask users a question: only their dependents wait for the answer.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  approvalDecided,
  approvalRequested,
  decideNext,
  kindsOf,
  pauseRequested,
  resumeRequested,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  worksOf,
} from "../../../test/facts.ts";
import { decide } from "../../decide/decide.ts";
import { owed } from "../../decide/owed.ts";
import { viewOf } from "../../view/plan-view.ts";
import { type KnownPlan } from "../plan-state.ts";

const asks = (id: string, question: string, more: object = {}) =>
  step(id, [], { tool: "human.ask", args: { question }, ...more });
const answered = (id: string, answer: unknown) => approvalDecided(`ask-${id}-0-1`, "answer", { answer });

function asked(plan: KnownPlan, ...stepIds: string[]): KnownPlan {
  return stepIds.reduce((before, stepId) => andAfter(before, approvalRequested(before, stepId)), plan);
}

describe("a question", () => {
  it("is asked with its references resolved, and occupies no worker", () => {
    const plan = after(
      submitted([step("a"), asks("q", "Is {{a.output}} right?", { dependsOn: ["a"], timeoutMs: 5_000 })]),
      succeeded("a", 42),
    );
    expect(kindsOf(plan)).toEqual(["approval.requested"]);
    expect(plan).toMatchObject({ inFlight: 0, status: "awaiting-approval" });
    const [approval] = viewOf(asked(plan, "q"), 0).approvals;
    expect(approval).toMatchObject({
      approvalId: "ask-q-0-1",
      kind: "question",
      question: "Is 42 right?",
      choices: ["answer", "reject"],
      expiresAfterMs: 5_000,
      status: "pending",
    });
  });

  it("passes its answer to the steps that refer to it, while other steps continue", () => {
    const plan = after(
      submitted([asks("q", "Which?"), step("b", [], { args: { value: "{{q.output.answer}}" } }), step("c")]),
    );
    expect(worksOf(plan).map(({ stepId }) => stepId)).toEqual(["c"]);
    const open = asked(plan, "q");
    expect(open.status).toBe("running");
    const [work] = worksOf(andAfter(open, answered("q", "this one")));
    expect(work).toMatchObject({ stepId: "b", args: { value: "this one" } });
  });

  it("is not confused with another one, whichever is answered first", () => {
    const open = asked(after(submitted([asks("q1", "One?"), asks("q2", "Two?")])), "q1", "q2");
    const one = andAfter(open, answered("q2", 2));
    expect(stepOf(one, "q1").state.status).toBe("awaiting-approval");
    expect(stepOf(one, "q2").state).toMatchObject({
      status: "succeeded",
      output: { value: { answer: 2, by: "ann" } },
    });
    const both = andAfter(one, answered("q2", "too late"), answered("q1", 1));
    expect(stepOf(both, "q1").state).toMatchObject({ output: { value: { answer: 1 } } });
    expect(stepOf(both, "q2").state).toMatchObject({ output: { value: { answer: 2 } } });
  });

  it("fails its step when it expires unanswered or the user declines to answer", () => {
    const open = asked(after(submitted([asks("q", "Which?"), step("b", ["q"])])), "q");
    const expired = andAfter(open, timerFired("approval-ask-q-0-1"));
    expect(stepOf(expired, "q").state).toMatchObject({
      status: "failed",
      error: { code: "question_expired" },
    });
    expect(kindsOf(expired)).toContain("step.skipped");
    const declined = andAfter(open, approvalDecided("ask-q-0-1", "reject", { reason: "ask Bob" }));
    expect(stepOf(declined, "q").state).toMatchObject({
      error: { code: "question_declined", message: "ann did not answer: ask Bob" },
    });
  });

  it("cannot be approved, and approvals cannot be answered", () => {
    const open = asked(after(submitted([asks("q", "Which?")])), "q");
    expect(andAfter(open, approvalDecided("ask-q-0-1", "approve"))).toBe(open);
    const risky = after(
      submitted([step("m", [], { tool: "mail.send" })], {
        approval: { risk: "high", expiresAfterMs: 1_000 },
      }),
    );
    const waiting = asked(risky, "m");
    expect(andAfter(waiting, approvalDecided("risk-m-0", "answer", { answer: 1 }))).toBe(waiting);
  });

  it("is asked by a dispatcher that takes over the plan, and only once", () => {
    const plan = after(submitted([asks("q", "Which?")]));
    expect(decide(plan)).toEqual(decideNext(plan));
    const open = asked(plan, "q");
    expect(kindsOf(open, owed(open))).toEqual(["schedule"]);
  });

  it("is not asked while the plan is paused", () => {
    const plan = after(
      submitted([step("a"), asks("q", "Which?", { dependsOn: ["a"] })]),
      pauseRequested(),
      succeeded("a"),
    );
    expect(kindsOf(plan)).not.toContain("approval.requested");
    expect(kindsOf(andAfter(plan, resumeRequested()))).toContain("approval.requested");
  });

  it("needs no approval and no budget", () => {
    const plan = after(
      submitted([asks("q", "Which?")], {
        approval: { risk: "low", expiresAfterMs: 1_000 },
        budget: { steps: 1, tokens: 1, onExhausted: "end" },
      }),
    );
    expect(stepOf(asked(plan, "q"), "q").state).toMatchObject({ about: { kind: "question" } });
  });
});
