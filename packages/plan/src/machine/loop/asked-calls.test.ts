// Calls of a loop that need approval: the attempt ends, and the next one continues with the decision.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  AT,
  decideNext,
  fact,
  faltered,
  kindsOf,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  worksOf,
} from "../../../test/facts.ts";
import { argumentsHash } from "../../values/arguments-hash.ts";
import { PlanView, viewOf } from "../../view/plan-view.ts";
import { begunCall } from "./call-ledger.ts";
import type { KnownPlan } from "../plan-state.ts";

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
  const event = decideNext(plan).flatMap((command) => (command.kind === "record" ? [command.event] : []))[0];
  if (event?.type !== "approval.requested") throw new Error("nobody is asked");
  return fact("approval.requested", event.data);
}
const waiting = (): KnownPlan => {
  const plan = after(submitted([react], { approval: { risk: "high" } }), started, asked());
  return andAfter(plan, questionOf(plan));
};
const decided = (decision: string, more: object = {}) =>
  fact("approval.decided", { approvalId: "call-a-0-1-1", decision, by: "ann", ...more });

describe("a call that needs approval", () => {
  it("requests approval with its exact arguments, and occupies no worker", () => {
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

  it("can be made with the approved arguments until its turn is over", () => {
    const approved = andAfter(waiting(), decided("approve", { edits: { to: "eve" } }));
    expect(worksOf(approved)).toMatchObject([{ stepId: "a", attempt: 2, args: {} }]);
    expect(stepOf(approved, "a").leave).toMatchObject({ call: { turn: 1 }, args: { to: "eve" } });
    expect(stepOf(andAfter(approved, turn(1, 2)), "a").leave).toBeUndefined();
  });

  it("is reported to the loop as rejected when a user rejects it or the approval expires", () => {
    const rejected = andAfter(waiting(), decided("reject", { reason: "not him" }));
    expect(stepOf(rejected, "a").leave).toMatchObject({ rejected: "rejected by ann: not him" });
    expect(stepOf(rejected, "a").leave).not.toHaveProperty("args");
    expect(kindsOf(rejected)).toEqual(["run"]);
    const late = andAfter(waiting(), timerFired("approval-call-a-0-1-1"));
    expect(stepOf(late, "a").leave?.rejected).toContain("the approval expired without a decision");
  });

  it("uses up no attempt, and can be followed by another such call", () => {
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

  it("is not recorded twice, or for a step that does not run", () => {
    const plan = waiting();
    expect(andAfter(plan, asked())).toBe(plan);
    const approved = andAfter(plan, decided("approve"));
    expect(andAfter(approved, asked())).toBe(approved);
  });
});

describe("a call with an unknown outcome", () => {
  const begun = (more: object = {}) =>
    fact("call.started", {
      ...run,
      attempt: 1,
      turn: 1,
      thought: "mail him",
      tool: "mail.send",
      args,
      effect: "once",
      workerId: "w",
      ...more,
    });
  const doubted = (attempt = 1) => {
    const question = asked(1, attempt);
    if (question.type !== "step.asked") throw new Error("nobody is asked");
    const { data } = question;
    return fact("step.asked", { ...data, call: { ...data.call, doubt: "its worker died" } });
  };
  const open = (): KnownPlan => {
    const plan = after(submitted([react], { approval: { risk: "never" } }), started, begun(), doubted());
    return andAfter(plan, questionOf(plan));
  };
  const effectsOf = (plan: KnownPlan) => viewOf(plan, 0).effects.map(({ status }) => status);

  it("requests a decision like a step's effect, and the effect ledger shows what is known", () => {
    const plan = open();
    expect([plan.inFlight, worksOf(plan), effectsOf(plan)]).toEqual([0, [], ["asked", "unknown"]]);
    expect(PlanView.parse(viewOf(plan, 0)).approvals).toMatchObject([
      {
        approvalId: "call-a-0-1-1",
        kind: "outcome-unknown",
        question: "Did mail.send take effect, which step a has called? its worker died",
        choices: ["happened", "run-again", "reject"],
        args,
      },
    ]);
    expect(andAfter(plan, decided("approve"))).toBe(plan);
  });

  it("returns what a user enters as its output, or nothing", () => {
    const done = andAfter(open(), decided("happened", { output: { id: 7 } }));
    expect(stepOf(done, "a").leave).toMatchObject({ output: { id: 7 } });
    expect([effectsOf(done), worksOf(done)]).toMatchObject([["asked", "done"], [{ attempt: 2 }]]);
    expect(viewOf(done, 0).effects[1]).toMatchObject({ by: "ann" });
    expect(stepOf(andAfter(open(), decided("happened")), "a").leave).toMatchObject({ output: null });
  });

  it("is made again when a user approves it, starts once, and keeps its unknown first outcome", () => {
    const again = andAfter(open(), decided("run-again"));
    expect(stepOf(again, "a").leave).toMatchObject({ args, times: 1 });
    expect(andAfter(again, begun({ attempt: 2 }))).toBe(again);
    const leave = "call-a-0-1-1";
    expect(andAfter(again, begun({ attempt: 2, leave: "call-b" })).seq).toBe(again.seq);
    const second = andAfter(again, begun({ attempt: 2, leave }));
    expect(begunCall(stepOf(second, "a"))).toMatchObject({ leave, attempt: 2, status: "unknown" });
    expect(andAfter(second, begun({ attempt: 2, leave }))).toBe(second);
    const failure = { output: undefined, error: { code: "e", message: "m" } };
    const { data } = turn(1, 2);
    expect(effectsOf(andAfter(second, fact("turn.taken", { ...data, ...failure })))[1]).toBe("unknown");
    expect(effectsOf(andAfter(second, turn(1, 2)))[1]).toBe("done");
  });

  it("is made at most five times", () => {
    let plan = open();
    for (let times = 1; times < 5; times++) {
      plan = andAfter(plan, decided("run-again", { approvalId: `call-a-0-1-${times}` }));
      expect(stepOf(plan, "a").leave).toMatchObject({ times, args });
      plan = andAfter(plan, doubted(times + 1));
      plan = andAfter(plan, questionOf(plan));
    }
    plan = andAfter(plan, decided("run-again", { approvalId: "call-a-0-1-5" }));
    expect(stepOf(plan, "a").leave?.args).toBeUndefined();
    expect(stepOf(plan, "a").leave?.rejected).toContain("5 times");
  });

  it("is reported to the loop as rejected when a user rejects it", () => {
    const given = andAfter(open(), decided("reject", { reason: "too late" }));
    expect(stepOf(given, "a").leave).toMatchObject({ rejected: "rejected by ann: too late" });
    expect([kindsOf(given), effectsOf(given)]).toEqual([["run"], ["asked", "unknown"]]);
  });

  it("needs no decision once its turn arrives late, and ignores the outcome of an attempt that has ended", () => {
    const plan = open();
    const told = andAfter(plan, turn(1, 1));
    expect(viewOf(told, 0).approvals).toMatchObject([{ status: "withdrawn" }]);
    expect([worksOf(told), effectsOf(told)]).toMatchObject([[{ attempt: 2 }], ["asked", "done"]]);
    expect(andAfter(told, decided("happened"))).toBe(told);
    expect(andAfter(plan, succeeded("a")).seq).toBe(plan.seq);
  });
});

it("records a turn that arrives after its attempt has ended", () => {
  const faltering = after(submitted([react]), started, faltered("a"));
  expect(stepOf(andAfter(faltering, turn(1, 1)), "a").turns).toHaveLength(1);
  expect(andAfter(faltering, turn(1, 2))).toBe(faltering);
  const retried = andAfter(faltering, timerFired("retry-a-0-2"), turn(1, 1));
  expect(stepOf(retried, "a")).toMatchObject({
    state: { status: "running", attempt: 2 },
    turns: [{ turn: 1 }],
  });
});
