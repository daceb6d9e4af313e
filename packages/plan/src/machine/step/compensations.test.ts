// Undoing the effects of a plan before it fails or is cancelled.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  cancelRequested,
  deadlineFired,
  decideNext,
  fact,
  failed,
  faltered,
  interrupted,
  newlyOwedTo,
  pauseRequested,
  planEnded,
  started,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  USAGE,
} from "../../../test/facts.ts";
import { checkPlan } from "../../check/check-plan.ts";
import { decide } from "../../decide/decide.ts";
import { owed } from "../../decide/owed.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import { evolve } from "../evolve.ts";
import { isWorkWanted } from "../../decide/is-work-wanted.ts";
import { viewOf } from "../../view/plan-view.ts";
import type { KnownPlan } from "../plan-state.ts";
import { StepWork } from "../../events/work.ts";

const undo = (args: object = {}, more: object = {}) => ({ tool: "files.write", args, ...more });
const write = (id: string, more: object = {}) =>
  step(id, [], { tool: "files.write", compensate: undo({ path: `${id}.undone` }), ...more });
const undone = (event: PlanEvent): PlanEvent =>
  fact(event.type, { ...event.data, undo: true }, { id: `${event.id} undo` });
const kinds = (plan: KnownPlan, due = newlyOwedTo(plan)) =>
  decide(plan, due).map((command) => {
    if (command.kind === "record") return command.event.type;
    return command.kind === "run" ? command.id : command.kind;
  });
const workOf = (plan: KnownPlan) =>
  StepWork.parse(decideNext(plan).flatMap((command) => (command.kind === "run" ? [command.work] : []))[0]);

/** `b` succeeded before `a`; `c`, which cannot be undone, fails. */
const broken = after(
  submitted([write("a"), write("b"), step("c"), step("d")]),
  succeeded("b", { name: "b" }),
  succeeded("a"),
  failed("c"),
  succeeded("d"),
  answerGiven(1, { status: "failed" }),
);

describe("a plan that fails permanently", () => {
  it("compensates its steps one after the other, the last success first, and ends after that", () => {
    expect(kinds(broken)).toEqual(["p1/a/undo/1"]);
    expect(kinds(broken, owed(broken))).toEqual(["p1/a/undo/1"]);
    expect(viewOf(broken, 0)).toMatchObject({
      status: "compensating",
      progress: { done: 4, total: 6, percent: 99 },
      compensations: [
        { stepId: "a", status: "queued", attempt: 1, effectKey: "p1/a/undo/0" },
        { stepId: "b", status: "waiting" },
      ],
    });
    const one = andAfter(broken, undone(succeeded("a")));
    expect(kinds(one)).toEqual(["p1/b/undo/1"]);
    const both = andAfter(one, undone(succeeded("b")));
    expect(kinds(both)).toEqual(["plan.ended"]);
    const ended = andAfter(both, planEnded("failed"));
    expect(viewOf(ended, 0)).toMatchObject({
      status: "failed",
      progress: { done: 6, total: 6, percent: 100 },
      compensations: [{ status: "succeeded" }, { status: "succeeded" }],
    });
  });

  it("sends each compensation as separate work, with its own arguments and its own number of attempts", () => {
    const steps = [
      write("a", { compensate: undo({ path: { $ref: "a.output.path" } }, { agent: "ops" }) }),
      step("z"),
    ];
    const plan = after(submitted(steps), succeeded("a", { path: "/tmp/a" }), cancelRequested());
    expect(workOf(plan)).toMatchObject({
      stepId: "a",
      undo: true,
      attempt: 1,
      tool: "files.write",
      args: { path: "/tmp/a" },
      pool: "ops",
      effect: "idempotent",
    });
    expect(isWorkWanted(plan, workOf(plan))).toBe(true);
    const retried = andAfter(plan, undone(faltered("a")));
    expect(kinds(retried)).toEqual(["schedule"]);
    expect(kinds(retried, owed(retried))).toEqual(["schedule"]);
    expect(isWorkWanted(retried, workOf(plan))).toBe(false);
    const again = andAfter(retried, timerFired("retry-a-undo-2"));
    expect(kinds(again)).toEqual(["p1/a/undo/2"]);
    expect(viewOf(again, 0).compensations).toMatchObject([{ attempt: 2, failedAttempts: [{ attempt: 1 }] }]);
  });

  it("continues when a compensation fails, and reports it at the end", () => {
    const one = andAfter(broken, undone(failed("a")));
    expect(kinds(one)).toEqual(["p1/b/undo/1"]);
    const both = andAfter(one, undone(succeeded("b")));
    expect(decideNext(both)).toMatchObject([
      {
        event: {
          type: "plan.ended",
          data: {
            reason:
              "the results do not answer the goal: step c failed: boom.; 1 of 2 compensations failed: a (boom)",
          },
        },
      },
    ]);
    expect(viewOf(both, 0).compensations).toMatchObject([
      { status: "failed", error: { message: "boom" } },
      { status: "succeeded" },
    ]);
  });

  it("records the fault of a compensation whose arguments cannot be resolved", () => {
    const steps = [write("a", { compensate: undo({ path: { $ref: "a.output.path" } }) })];
    const plan = after(submitted([...steps, step("z")]), succeeded("a", 7), cancelRequested());
    expect(decideNext(plan)).toMatchObject([
      { kind: "stop" },
      { kind: "record", event: { type: "step.failed", data: { undo: true, retryable: false } } },
    ]);
  });

  it("can no longer be paused or cancelled", () => {
    for (const event of [pauseRequested(), cancelRequested()]) expect(evolve(broken, event)).toBe(broken);
  });

  it("applies the outcome of a step to the step, and that of its compensation to the compensation", () => {
    for (const event of [succeeded("a"), undone(succeeded("b")), undone(succeeded("a", 1, 2))]) {
      expect(evolve(broken, event)).toBe(broken);
    }
    expect(stepOf(andAfter(broken, undone(failed("a"))), "a").state.status).toBe("succeeded");
  });
});

it("undoes nothing when it succeeds", () => {
  const plan = after(submitted([write("a")]), succeeded("a"));
  expect(kinds(plan)).toEqual(["answer.given"]);
  expect(viewOf(plan, 0).compensations).toEqual([]);
});

describe("a plan that is cancelled", () => {
  const two = submitted([write("a"), write("b")]);

  it("waits for steps that it asked to stop, and undoes those that finished anyway", () => {
    const plan = after(two, started("a"), started("b"), succeeded("a"), cancelRequested());
    expect(kinds(plan)).toEqual(["stop", "schedule"]);
    expect(kinds(plan, owed(plan))).toEqual(["schedule"]);
    expect(viewOf(plan, 0)).toMatchObject({ status: "compensating", steps: [{}, { status: "running" }] });
    const work = workOf(after(two));
    expect(isWorkWanted(plan, { ...work, stepId: stepOf(plan, "b").step.id })).toBe(false);
    const done = andAfter(plan, succeeded("b"));
    expect(kinds(done)).toEqual(["p1/b/undo/1"]);
    expect(kinds(andAfter(done, undone(succeeded("b"))))).toEqual(["p1/a/undo/1"]);
  });

  it("counts a step that stopped as cancelled, and undoes the others", () => {
    const plan = after(two, started("a"), started("b"), succeeded("a"), cancelRequested());
    const stopped = andAfter(plan, faltered("b"));
    expect(stepOf(stopped, "b").state.status).toBe("cancelled");
    expect(kinds(stopped)).toEqual(["p1/a/undo/1"]);
  });

  it("waits half a minute for a worker that does not respond", () => {
    const plan = after(two, started("a"), succeeded("b"), cancelRequested());
    const gone = andAfter(plan, deadlineFired(1, plan.watch?.deadline.starts));
    expect(plan.watch?.at).toBe("2026-01-01T00:00:30.000Z");
    expect(stepOf(gone, "a").state.status).toBe("cancelled");
    expect(kinds(gone)).toEqual(["stop", "p1/b/undo/1"]);
  });

  it("does not wait for steps that had not started, or that change nothing", () => {
    const steps = [write("a"), step("b", [], { compensate: undo() }), write("c")];
    const plan = after(submitted(steps), started("b"), succeeded("c"), cancelRequested());
    expect(kinds(plan)).toEqual(["stop", "p1/c/undo/1"]);
  });
});

describe("a compensation in a plan", () => {
  const tools = new Map(
    ["files.write", "flow.echo"].map((name) => [
      name,
      {
        name,
        description: "",
        input: { type: "object", properties: { path: { type: "string" } }, additionalProperties: false },
        output: {},
        risk: "low" as const,
        effect: name === "flow.echo" ? ("read" as const) : ("idempotent" as const),
        timeoutMs: 1_000,
        pool: "default",
        untrusted: false,
      },
    ]),
  );
  const issuesOf = (compensate: object, more: object = {}) =>
    checkPlan(
      {
        steps: [
          { id: "x", tool: "flow.echo" },
          { id: "y", tool: "flow.echo" },
          { id: "a", tool: "files.write", dependsOn: ["x"], compensate, ...more },
        ],
      },
      { tools },
    ).issues.map(({ code, field, stepId }) => [code, stepId, field]);

  it("is refused for a step that changes nothing", () => {
    expect(issuesOf({ tool: "files.write" }, { tool: "flow.echo" })).toEqual([
      ["needless_compensation", "a", "compensate"],
    ]);
  });

  it.each([
    ["the step's own output", { tool: "files.write", args: { path: "{{a.output.path}}" } }],
    ["the output of what the step needs", { tool: "files.write", args: { path: { $ref: "x.output" } } }],
    ["nothing", { tool: "files.write" }],
  ])("can refer to %s", (_name, compensate) => expect(issuesOf(compensate)).toEqual([]));

  it.each([
    ["an unknown tool", { tool: "files.wirte" }, ["unknown_tool", "a", "compensate.tool"]],
    [
      "an argument that its tool does not take",
      { tool: "files.write", args: { pth: "x" } },
      ["invalid_arguments", "a", "compensate.args.pth"],
    ],
    [
      "an argument of another type",
      { tool: "files.write", args: { path: 7 } },
      ["invalid_arguments", "a", "compensate.args.path"],
    ],
    [
      "a step that may not have run",
      { tool: "files.write", args: { path: { $ref: "y.output" } } },
      ["dangling_reference", "a", "compensate.args.path"],
    ],
    [
      "a malformed reference",
      { tool: "files.write", args: { path: { $ref: "a output" } } },
      ["malformed_reference", "a", "compensate.args.path"],
    ],
    ["no tool", { args: {} }, ["malformed", "a", "steps[2].compensate.tool"]],
    ["an unknown field", { tool: "files.write", when: 1 }, ["malformed", "a", "steps[2].compensate.when"]],
  ])("is refused with %s", (_name, compensate, issue) => expect(issuesOf(compensate)).toEqual([issue]));
});

describe("a budget", () => {
  const budget = { tokens: 100, steps: 1, onExhausted: "end" };
  const plan = after(
    submitted([write("a"), step("b", ["a"])], { budget }),
    succeeded("a", 1, 1, { usage: USAGE }),
  );

  it("does not hold back compensations when it is used up, and counts their usage beyond the limit", () => {
    expect(viewOf(plan, 0)).toMatchObject({ status: "compensating", budget: { exhausted: "steps" } });
    expect(kinds(plan)).toEqual(["p1/a/undo/1"]);
    expect(workOf(plan)).not.toHaveProperty("allowance");
    const usage = { modelCalls: 1, inputTokens: 150, outputTokens: 50, costUsd: 1 };
    const used = andAfter(plan, undone(succeeded("a", 1, 1, { usage })));
    const before = plan.budget?.used.tokens ?? Number.NaN;
    expect(viewOf(used, 0).budget).toMatchObject({
      limit: { tokens: 100 },
      used: { tokens: before + 200, steps: 1 },
      remaining: { tokens: 0 },
    });
  });
});

describe("a worker that runs a compensation", () => {
  const begun = andAfter(broken, undone(started("a")));
  const undoing = (plan: KnownPlan) => plan.compensations?.find(({ stepId }) => stepId === "a")?.state;

  it("starts it once, and again only after a redelivery", () => {
    expect(undoing(evolve(begun, undone(started("a"))) as KnownPlan)).toEqual(undoing(begun));
    const again = undone(started("a", 1, { workerId: "w2", delivery: 2 }));
    expect(undoing(andAfter(begun, again))).toMatchObject({ workerId: "w2", delivery: 2 });
  });

  it("is ignored before the next attempt is due, and for a step whose turn it is not", () => {
    const waiting = andAfter(begun, undone(faltered("a")));
    expect(undoing(waiting)).toMatchObject({ status: "waiting", for: "retry", attempt: 2 });
    expect(undoing(andAfter(waiting, undone(succeeded("a", 1, 2))))).toEqual(undoing(waiting));
    expect(andAfter(begun, undone(succeeded("b"))).compensations?.map(({ state }) => state.status)).toEqual(
      begun.compensations?.map(({ state }) => state.status),
    );
  });

  it("cannot start it while a user's decision is pending, but its outcome still counts", () => {
    const asked = andAfter(begun, undone(interrupted("a")));
    expect(undoing(asked)).toMatchObject({ status: "awaiting-approval" });
    const late = undone(started("a", 1, { delivery: 2 }));
    expect(undoing(andAfter(asked, late))).toMatchObject({ status: "awaiting-approval" });
    expect(undoing(andAfter(asked, undone(succeeded("a"))))).toMatchObject({ status: "succeeded" });
  });
});
