// A step that runs as a sub-plan, as the parent's dispatcher sees it. In some tests "leaf" is the sub-plan, whose end
// the parent receives.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  cancelRequested,
  decideNext,
  fact,
  failed,
  kindsOf,
  pauseRequested,
  planEnded,
  resumeRequested,
  revisionRequested,
  step,
  stepOf,
  submitted,
  submittedPlan,
  succeeded,
  timerFired,
} from "../../test/facts.ts";
import type { Command, SubPlanCommand } from "../decide/command.ts";
import { decide } from "../decide/decide.ts";
import { owed } from "../decide/owed.ts";
import { PlanEvent } from "../events/plan-event.ts";
import { evolve } from "./evolve.ts";
import { StepId } from "../values/ids.ts";
import { type KnownPlan, noPlan } from "./plan-state.ts";
import { subPlanId } from "../decide/sub-plan-work.ts";

const SPENT = { modelCalls: 2, inputTokens: 900, outputTokens: 100, costUsd: 0.1 };
const run = (id: string, more: object = {}) =>
  step(id, [], { tool: "plan.run", args: { goal: id }, ...more });
const childOf = (id: string, attempt = 1) =>
  subPlanId(after(submitted()).planId, { stepId: StepId.parse(id), item: 0, attempt });
const begun = (id: string, attempt = 1) =>
  fact("step.started", { stepId: id, item: 0, attempt, workerId: "planner", subPlan: childOf(id, attempt) });

function subPlansOf(commands: readonly Command[]): SubPlanCommand[] {
  return commands.filter((command) => command.kind === "sub-plan");
}

function onlySubPlan(plan: KnownPlan): SubPlanCommand {
  const [command, ...others] = subPlansOf(decideNext(plan));
  if (command === undefined || others.length > 0)
    throw new Error(`wanted one sub-plan, got ${others.length + 1}`);
  return command;
}

describe("a step that runs a sub-plan", () => {
  it("is named in the log before its sub-plan is submitted", () => {
    const plan = after(submitted([run("a")]));
    expect(kindsOf(plan)).toEqual(["step.started"]);
    const named = andAfter(plan, begun("a"));
    expect(stepOf(named, "a")).toMatchObject({ subPlan: childOf("a"), state: { status: "running" } });
    expect(onlySubPlan(named)).toMatchObject({
      submission: {
        planId: childOf("a"),
        args: { goal: "a" },
        data: { parent: { planId: "p1", stepId: "a", item: 0, attempt: 1, depth: 1 } },
      },
    });
  });

  it("gives its sub-plan a goal in which inserted values are marked", () => {
    const goal = "Report on {{x.output}}.";
    const plan = after(
      submitted([step("x"), run("a", { args: { goal }, dependsOn: ["x"] })]),
      succeeded("x", "figures"),
      begun("a"),
    );
    expect(onlySubPlan(plan).submission).toMatchObject({
      args: { goal: "Report on figures." },
      data: { goalTemplate: goal },
    });
    expect(onlySubPlan(after(submitted([run("a")]), begun("a"))).submission).not.toHaveProperty(
      "goalTemplate",
    );
  });

  it("records why its sub-plan was not started if an output in its goal was refused in the meantime", () => {
    const plan = after(
      submitted([
        step("a"),
        step("check", [], { verifies: "a" }),
        run("b", { args: { goal: "Check {{a.output}}." }, verifies: "a" }),
      ]),
      succeeded("a", "figures"),
      begun("b"),
      failed("check"),
    );
    expect(stepOf(plan, "b")).toMatchObject({ state: { status: "running" } });
    const [command] = subPlansOf(decide(plan));
    expect(command?.submission).toMatchObject({ args: {}, fault: { code: "unresolved_reference" } });
    const told = andAfter(plan, failed("b", 1, { error: command?.submission.fault }));
    expect(told.subPlans.size).toBe(0);
    expect(stepOf(told, "b")).toMatchObject({ state: { status: "failed" } });
  });

  it("gives its sub-plan its own permissions, and a place in its trace", () => {
    const may = {
      tools: ["flow.echo"],
      sources: ["sales"],
      approval: { risk: "low", expiresAfterMs: 5_000 },
    };
    const plan = after(submitted([run("a")], { ...may, constraints: ["be brief"], tenant: "acme" }));
    const waiting = andAfter(
      plan,
      fact("approval.requested", {
        approvalId: "risk-a-0",
        kind: "tool-risk",
        question: "?",
        stepId: "a",
        args: { goal: "a" },
        expiresAfterMs: 5_000,
      }),
      fact("approval.decided", { approvalId: "risk-a-0", decision: "approve", by: "ann" }),
    );
    const { data } = onlySubPlan(andAfter(waiting, begun("a"))).submission;
    expect(data).toMatchObject({ ...may, constraints: ["be brief"], tenant: "acme" });
    expect(data.trace).toMatchObject({
      traceId: plan.goal.trace.traceId,
      parentSpanId: plan.goal.trace.spanId,
    });
  });

  it("uses the sub-plan's answer as its output, and counts its usage", () => {
    const plan = after(submitted([run("a"), step("b", ["a"])]), begun("a"));
    const done = andAfter(plan, succeeded("a", { text: "42" }, 1, { usage: SPENT, stepsSent: 3 }));
    expect(done.usage).toEqual(SPENT);
    expect(stepOf(done, "b").state.status).toBe("running");
    expect(done.subPlans.size).toBe(0);
  });

  it("is not retried by default, and gets another sub-plan if it asks for retries", () => {
    const ended = failed("a", 1, { error: { code: "sub_plan_failed", message: "no" }, retryable: true });
    expect(stepOf(after(submitted([run("a")]), begun("a"), ended), "a").state.status).toBe("failed");
    const again = after(
      submitted([run("a", { retry: { maxAttempts: 2 } })]),
      begun("a"),
      ended,
      timerFired("retry-a-0-2"),
    );
    expect(onlySubPlan(andAfter(again, begun("a", 2))).submission.planId).toBe(childOf("a", 2));
    expect(childOf("a", 2)).not.toBe(childOf("a"));
  });

  it("fails with a specific code when its sub-plan would be nested too deep", () => {
    const parent = { planId: "p0", stepId: "x", item: 0, attempt: 1, depth: 3 };
    const [command] = decide(after(submitted([run("a")], { parent })));
    expect(command).toMatchObject({
      event: { type: "step.failed", data: { error: { code: "sub_plan_too_deep" } } },
    });
  });

  it("leaves references in a plan among its arguments to that plan", () => {
    const inner = {
      steps: [
        { id: "x", tool: "flow.echo" },
        { id: "y", tool: "flow.echo", args: { value: { $ref: "x.output" } } },
      ],
    };
    const plan = after(
      submitted([run("a", { args: { goal: "{{b.output}}!", plan: inner } }), step("b")]),
      succeeded("b", "go"),
    );
    expect(onlySubPlan(andAfter(plan, begun("a"))).submission.args).toEqual({ goal: "go!", plan: inner });
  });
});

describe("a sub-plan that is not needed any more", () => {
  const running = after(submitted([run("a"), run("b")]), begun("a"), begun("b"));

  it("is stopped, and its parent ends after it (SUBPLAN-1)", () => {
    const cancelled = andAfter(running, cancelRequested());
    const told = subPlansOf(decideNext(cancelled));
    expect(told.map(({ control }) => control?.type)).toEqual(["cancel.requested", "cancel.requested"]);
    expect(cancelled.status).toBe("cancelled");
    expect(kindsOf(cancelled, owed(cancelled))).not.toContain("plan.ended");
    const first = andAfter(cancelled, failed("a", 1, { usage: SPENT }));
    expect(kindsOf(first)).not.toContain("plan.ended");
    const last = andAfter(first, succeeded("b", { text: "just done" }, 1, { usage: SPENT }));
    expect(kindsOf(last)).toEqual(["plan.ended"]);
    expect(last.usage.modelCalls).toBe(4);
    expect(stepOf(last, "b").state.status).toBe("cancelled");
  });

  it("is awaited for no more than a minute (SUBPLAN-1)", () => {
    const cancelled = andAfter(running, cancelRequested());
    expect(decideNext(cancelled)).toContainEqual(
      expect.objectContaining({ kind: "schedule", timer: "sub-plans" }),
    );
    expect(kindsOf(andAfter(cancelled, timerFired("sub-plans")))).toEqual(["plan.ended"]);
  });

  it("is stopped again when another dispatcher takes over its parent", () => {
    const cancelled = andAfter(running, cancelRequested());
    expect(subPlansOf(decide(cancelled))).toEqual(subPlansOf(decideNext(cancelled)));
  });

  it("is stopped when its step exceeds its time-out", () => {
    const plan = after(submitted([run("a", { timeoutMs: 1_000 })]), begun("a"));
    expect(plan.watch).toBeDefined();
    const over = andAfter(
      plan,
      fact("timer.fired", { timer: "deadline-1", deadline: { round: 1, starts: [1] } }),
    );
    expect(onlySubPlan(over).control?.type).toBe("cancel.requested");
    expect(over.watch).toBeUndefined();
    expect(stepOf(andAfter(over, failed("a")), "a").state.status).toBe("failed");
  });

  it("can run as long as it needs if its step has no time-out", () => {
    expect(running.watch).toBeUndefined();
  });
});

describe("a budget", () => {
  const runs = (count: number) => Array.from({ length: count }, (_, index) => run(`s${index}`));
  const sharesOf = (plan: KnownPlan) =>
    [...plan.steps.keys()]
      .flatMap((id) => subPlansOf(decideNext(andAfter(plan, begun(id)))))
      .map(({ submission }) => submission.data.budget);

  it("is shared equally by the sub-plans that are ready, minus a reserve for a synthesis", () => {
    const plan = after(submitted(runs(3), { budget: { tokens: 1_000_000, steps: 31, onExhausted: "ask" } }));
    expect(sharesOf(plan)).toEqual(
      [0, 1, 2].map(() => expect.objectContaining({ tokens: 311_488, onExhausted: "end" })),
    );
    expect(plan.budget?.stepsSent).toBe(31);
  });

  it("gets back what a sub-plan has not used", () => {
    const plan = after(
      submitted(runs(1), { budget: { tokens: 1_000_000, steps: 10, onExhausted: "end" } }),
      begun("s0"),
    );
    const done = andAfter(plan, succeeded("s0", "x", 1, { usage: SPENT, stepsSent: 2 }));
    expect(done.budget).toMatchObject({ used: { tokens: 1_000 }, reserved: { tokens: 0 }, stepsSent: 2 });
  });

  it("makes a sub-plan wait for returned budget rather than start with next to nothing", () => {
    const plan = after(submitted(runs(2), { budget: { tokens: 150_000, onExhausted: "end" } }));
    expect(plan.inFlight).toBe(1);
    const next = andAfter(plan, begun("s0"), succeeded("s0", "x", 1, { usage: SPENT }));
    expect(stepOf(next, "s1").state.status).toBe("running");
  });
});

it("passes on to a sub-plan that its goal can be divided further", () => {
  const plan = after(submitted([run("a")], { strategy: "hierarchical" }));
  expect(onlySubPlan(andAfter(plan, begun("a"))).submission.data.strategy).toBe("hierarchical");
  const other = after(submitted([run("a")], { strategy: "waves" }));
  expect(onlySubPlan(andAfter(other, begun("a"))).submission.data.strategy).toBe("auto");
});

describe("the end of a sub-plan", () => {
  const parent = { planId: "p0", stepId: "a", item: 0, attempt: 2, depth: 1 };
  const leaf = after(submitted([step("s")], { parent }), succeeded("s", "42"));
  const endOf = (plan: KnownPlan) => {
    const [command] = decide(plan, [{ kind: "end" }]);
    if (command?.kind !== "record" || command.before === undefined) throw new Error("tells nobody");
    return PlanEvent.parse({ ...command.before, at: "2026-01-01T00:00:00Z" });
  };

  it("is reported to its parent before it is recorded, as the outcome of the step that submitted it", () => {
    const end = endOf(andAfter(leaf, answerGiven(undefined)));
    expect(end).toMatchObject({
      id: "p0/a/0/2/done",
      planId: "p0",
      type: "step.succeeded",
      data: { stepId: "a", attempt: 2, output: { value: { text: "42", status: "success", planId: "p1" } } },
    });
  });

  it.each([
    ["a failure", submitted([step("s")], { parent, maxReplans: 0 }), failed("s"), "sub_plan_failed"],
    ["a cancellation", submitted([step("s")], { parent }), cancelRequested(), "sub_plan_cancelled"],
  ])("is %s of the step if the sub-plan ended with one", (_what, goal, event, code) => {
    const plan = after(goal, event);
    const ended = plan.conclusion === undefined ? andAfter(plan, revisionRequested(1)) : plan;
    expect(endOf(ended)).toMatchObject({ type: "step.failed", data: { error: { code } } });
  });

  /** The same end, for a sub-plan of a step of another plan in this file. */
  const inParent = (end: PlanEvent, stepId: string): PlanEvent =>
    PlanEvent.parse({ ...end, planId: "p1", data: { ...end.data, stepId, attempt: 1 } });

  it("is a success marked as incomplete when the sub-plan is partial", () => {
    const child = after(
      submittedPlan({ steps: [step("s"), step("t")], answerFrom: "s" }, { parent }),
      succeeded("s", "42"),
      failed("t"),
    );
    const end = endOf(child);
    expect(end).toMatchObject({
      type: "step.succeeded",
      data: {
        output: { value: { status: "partial", planId: "p1", outcome: "partial" } },
        partial: "step t failed: boom.",
      },
    });
    const plan = after(submittedPlan({ steps: [run("a")] }), begun("a"), inParent(end, "a"));
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      reason: "step a is incomplete: step t failed: boom.",
      answer: { status: "partial", text: "42\n\nMissing: step t failed: boom." },
    });
  });

  it("names the step that failed three levels down, and its cause, in the first line of the top plan", () => {
    const named = step("leaf", [], { description: "compute the margin" });
    let end = endOf(after(submitted([named], { parent }), failed("leaf")));
    for (const id of ["low", "mid"])
      end = endOf(after(submitted([run(id)], { parent }), begun(id), inParent(end, id)));
    expect(end).toMatchObject({
      type: "step.failed",
      data: { error: { leaf: { planId: "p1", path: ["mid", "low", "leaf"], message: "boom" } } },
    });
    const top = after(submitted([run("top")]), begun("top"), inParent(end, "top"));
    expect(top.conclusion).toMatchObject({
      outcome: "failed",
      reason: "step top › mid › low › leaf failed: boom",
    });
  });

  it("is reported only by a plan that has a parent", () => {
    const plan = after(submitted([step("s")]), succeeded("s"), answerGiven(undefined));
    expect(decideNext(plan)).toEqual([expect.not.objectContaining({ before: expect.anything() })]);
  });

  it("has no effect on a parent that has ended", () => {
    const plan = after(
      submitted([run("a")]),
      begun("a"),
      cancelRequested(),
      timerFired("sub-plans"),
      planEnded("cancelled"),
    );
    const late = evolve(plan, succeeded("a", "late"));
    expect(late).toMatchObject({ seq: plan.seq, status: "cancelled" });
    expect(evolve(noPlan, succeeded("a"))).toBe(noPlan);
  });
});

describe("a paused plan", () => {
  it("submits no sub-plan until it resumes", () => {
    const plan = after(submitted([run("a")]), pauseRequested(), begun("a"));
    expect(subPlansOf(decideNext(plan))).toEqual([]);
    expect(subPlansOf(decideNext(andAfter(plan, resumeRequested())))).toHaveLength(1);
  });
});
