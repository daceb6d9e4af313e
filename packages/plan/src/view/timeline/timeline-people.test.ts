// Decisions about runs, and compensations, in the bars of a plan.
import { describe, expect, it } from "vitest";
import { at, barOf, parts, partsOf, ran, timeline } from "../../../test/bars.ts";
import {
  approvalDecided,
  cancelRequested,
  deadlineFired,
  expanded,
  fact,
  failed,
  faltered,
  givenUp,
  interrupted,
  loopFact,
  pauseRequested,
  READ,
  redriveRequested,
  reviewed,
  skipped,
  started,
  step,
  submitted,
  succeeded,
  timerFired,
} from "../../../test/facts.ts";
import { StepId } from "../../values/ids.ts";

const asked = (approvalId: string, kind: string, more: object = {}) =>
  fact("approval.requested", { approvalId, kind, question: "May it?", expiresAfterMs: 60_000, ...more });
const ofStep = { stepId: "a", attempt: 1 };

describe("a run that waits for a person's decision", () => {
  const once = submitted([step("a", [], { tool: "mail.send" })], { approval: { risk: "never" } });
  const lost = [
    once,
    at(1, started("a")),
    at(3, interrupted("a")),
    at(4, asked("unknown-a-0-1", "outcome-unknown", ofStep)),
  ];

  it("works again if the person retries it, and fails if they reject it", () => {
    const again = at(6, approvalDecided("unknown-a-0-1", "run-again"));
    expect(partsOf("a", ...lost, again)).toEqual(["queue 0-1", "tool 1-3", "wait approval 3-6", "queue 6-"]);
    const over = timeline(...lost, at(6, approvalDecided("unknown-a-0-1", "reject")));
    expect(barOf(over, "a")).toMatchObject({ status: "failed", endMs: 6_000 });
  });

  it("stops waiting for the decision when its outcome arrives after all", () => {
    const events = [...lost, at(5, succeeded("a", 1, 1, ran(1, 4)))];
    expect(barOf(timeline(...events), "a").status).toBe("succeeded");
    const late = at(6, approvalDecided("unknown-a-0-1", "run-again"));
    expect(partsOf("a", ...events, late)).toEqual(partsOf("a", ...events));
  });

  it("waits from the moment it is ready, also if only its arguments require the approval", () => {
    const policy = { rules: [{ tools: ["flow.echo"], when: "amount > 100", requireApproval: true }] };
    const goal = submitted([step("a", [], { args: { amount: 500 } })], { policy });
    const told = [goal, at(2, asked("risk-a-0", "tool-risk", ofStep))];
    expect(partsOf("a", ...told)).toEqual(["wait approval 0-"]);
  });

  it("resumes its loop with the turn's outcome, or with the person's decision", () => {
    const run = { stepId: StepId.parse("a"), item: 0, attempt: 1 };
    const call = { turn: 1, thought: "t", tool: "mail.send", args: {} };
    const loop = [
      submitted([step("a", [], { tool: "agent.react" })]),
      at(1, started("a")),
      at(3, loopFact("step.asked", run, { ...ran(1, 3), call: { ...call, risk: "high" } })),
    ];
    const waits = ["queue 0-1", "tool 1-3"];
    expect(partsOf("a", ...loop)).toEqual([...waits, "wait approval 3-"]);
    const turn = at(5, loopFact("turn.taken", run, { ...call, output: { value: 1 } }));
    expect(partsOf("a", ...loop, turn)).toEqual([...waits, "wait approval 3-5", "queue 5-"]);
    const other = at(5, loopFact("turn.taken", run, { ...call, turn: 2, output: { value: 1 } }));
    expect(partsOf("a", ...loop, other)).toEqual([...waits, "wait approval 3-"]);
    const question = at(4, asked("call-a-0-1-1", "tool-risk", ofStep));
    const decided = at(6, approvalDecided("call-a-0-1-1", "approve"));
    expect(partsOf("a", ...loop, question, decided)).toEqual([...waits, "wait approval 3-6", "queue 6-"]);
  });

  it("can be one item of a list", () => {
    const each = submitted([step("a", [], { tool: "mail.send", forEach: [1, 2] })], {
      approval: { risk: "never" },
    });
    const about = { ...ofStep, item: 1 };
    const told = timeline(
      each,
      at(1, expanded("a", 2)),
      at(2, succeeded("a", 1, 1, { ...ran(1, 2), item: 0 })),
      at(3, started("a", 1, { item: 1 })),
      at(4, interrupted("a", 1, { item: 1 })),
      at(5, asked("unknown-a-1-1", "outcome-unknown", about)),
      at(7, approvalDecided("unknown-a-1-1", "happened")),
    );
    expect(barOf(told, "a").items.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
    expect(barOf(told, "a")).toMatchObject({ status: "succeeded", endMs: 7_000 });
  });
});

describe("a budget that needs a decision", () => {
  const goal = submitted([step("a"), step("b", ["a"])], { budget: { steps: 1, onExhausted: "ask" } });
  const done = at(3, succeeded("a", 1, 1, ran(1, 3)));
  const reached = [goal, at(1, started("a")), done, at(4, asked("budget-1", "budget"))];

  it("holds back ready steps until it is raised", () => {
    const raised = at(5, approvalDecided("budget-1", "approve"));
    expect(partsOf("b", ...reached, raised)).toEqual([
      "wait dependencies 0-3",
      "wait budget 3-5",
      "queue 5-",
    ]);
  });

  it("cancels them when the increase is rejected", () => {
    const told = timeline(...reached, at(5, approvalDecided("budget-1", "reject")));
    expect(parts(barOf(told, "b"))).toEqual(["wait dependencies 0-3", "wait budget 3-5"]);
    expect(barOf(told, "b").status).toBe("cancelled");
    expect(told.spans).toEqual([{ kind: "approval", startMs: 4_000, endMs: 5_000 }]);
  });
});

it("shows the pause of a plan whose model server does not respond", () => {
  const error = { code: "model_unavailable", message: "the model server does not answer" };
  const told = timeline(
    submitted([step("a"), step("b")]),
    at(2, succeeded("a", 1, 1, ran(1, 2))),
    at(4, failed("b", 1, { ...ran(1, 4), error })),
  );
  expect(told.spans).toEqual([{ kind: "paused", startMs: 4_000 }]);
  expect(parts(barOf(told, "b"))).toEqual(["queue 0-1", "tool 1-4", "wait pause 4-"]);
});

it("names who paused if no reason was given", () => {
  const { marks } = timeline(submitted([step("a")]), at(1, pauseRequested(1, "")));
  expect(marks).toEqual([{ kind: "paused", atMs: 1_000, text: "someone" }]);
});

it("applies the fallbacks and verifications of the steps that a reviewer has edited", () => {
  const steps = [
    { id: "a", tool: "flow.echo", fallback: "f" },
    { id: "f", tool: "flow.echo" },
    { id: "check", tool: "flow.echo", verifies: "a", dependsOn: ["a"] },
    { id: "b", tool: "flow.echo", dependsOn: ["a"] },
  ];
  const whole = { decision: "approve", edits: { steps }, grants: { "flow.echo": READ } };
  const events = [
    submitted(
      steps.map(({ id, tool, ...more }) => step(id, more.dependsOn ?? [], { tool, ...more })),
      { approval: { plan: true } },
    ),
    at(1, asked("plan-0", "plan", { draft: 0 })),
    at(2, approvalDecided("plan-0", "approve", whole)),
    at(4, failed("a", 1, ran(3, 4))),
    at(6, succeeded("f", 1, 1, ran(5, 6))),
  ];
  expect(partsOf("f", ...events)).toEqual(["wait primary 2-4", "queue 4-5", "tool 5-6"]);
  expect(partsOf("b", ...events)).toEqual(["wait dependencies 2-6", "queue 6-"]);
});

describe("a rejected output", () => {
  const judged = (onMiss: string) => [
    submitted([step("a", [], { tool: "draft.write", review: { maxIterations: 1, onMiss } })]),
    at(3, succeeded("a", 1, 1, ran(1, 2))),
    at(5, reviewed("a", { verdict: "rejected" })),
  ];

  it.each([
    ["revise", "failed"],
    ["keep", "succeeded"],
  ])("keeps its status if it may not be retried, with %s: %s", (onMiss, status) => {
    expect(barOf(timeline(...judged(onMiss)), "a")).toMatchObject({ status, endMs: 5_000 });
  });

  it("is kept when the attempt to improve it fails", () => {
    const told = timeline(
      submitted([step("a", [], { tool: "draft.write", review: { maxIterations: 2, onMiss: "keep" } })]),
      at(3, succeeded("a", 1, 1, ran(1, 2))),
      at(4, reviewed("a", { verdict: "rejected" })),
      at(6, failed("a", 2, ran(5, 6))),
    );
    expect(barOf(told, "a").status).toBe("succeeded");
  });
});

describe("a deadline", () => {
  it("leaves a person to decide whether a step that runs at most once took effect", () => {
    const goal = submitted([step("a", [], { tool: "mail.send" })], { approval: { risk: "never" } });
    expect(partsOf("a", goal, at(1, started("a")), at(9, deadlineFired()))).toEqual([
      "queue 0-1",
      "tool 1-9",
      "wait approval 9-",
    ]);
  });
});

describe("a compensation", () => {
  const undo = { tool: "files.write", compensate: { tool: "files.write", args: {} } };
  const cancelled = [
    submitted([step("a", [], undo), step("b")]),
    at(2, succeeded("a", 1, 1, ran(1, 2))),
    at(3, cancelRequested()),
    at(4, started("a", 1, { undo: true })),
  ];
  const undone = (...events: Parameters<typeof timeline>) => {
    const bar = barOf(timeline(...cancelled, ...events), "a").undo;
    return bar && [bar.status, ...parts(bar)];
  };

  it("is retried after a pause", () => {
    const faltering = at(6, faltered("a", 1, { ...ran(4, 5), undo: true }));
    expect(undone(faltering)).toEqual(["open", "queue 3-4", "tool 4-5", "retry 5-"]);
    expect(undone(faltering, at(7, timerFired("retry-a-undo-2")))).toEqual([
      "open",
      "queue 3-4",
      "tool 4-5",
      "retry 5-7",
      "queue 7-",
    ]);
  });

  it("fails when it fails permanently, or a person says that it did", () => {
    expect(undone(at(6, failed("a", 1, { ...ran(4, 5), undo: true })))).toEqual([
      "failed",
      "queue 3-4",
      "tool 4-5",
    ]);
    const question = at(6, asked("unknown-a-undo-1", "outcome-unknown", { ...ofStep, undo: true }));
    const unknown = [at(5, interrupted("a", 1, { undo: true })), question];
    expect(undone(...unknown)).toEqual(["open", "queue 3-4", "tool 4-5", "wait approval 5-"]);
    expect(undone(...unknown, at(8, approvalDecided("unknown-a-undo-1", "reject")))?.[0]).toBe("failed");
    expect(undone(...unknown, at(8, approvalDecided("unknown-a-undo-1", "happened")))?.[0]).toBe("succeeded");
    expect(undone(...unknown, at(8, approvalDecided("unknown-a-undo-1", "run-again")))?.at(-1)).toBe(
      "queue 8-",
    );
  });
});

describe("a redrive", () => {
  it("of one item of a list opens the step again", () => {
    const told = timeline(
      submitted([step("a", [], { forEach: [1, 2] }), step("b", ["a"])]),
      at(1, expanded("a", 2)),
      at(3, givenUp("a", 1, { ...ran(2, 3), item: 0 })),
      at(6, redriveRequested("a")),
      at(7, succeeded("a", 1, 1, { ...ran(2, 7), item: 1 })),
      at(8, succeeded("a", 1, 2, { ...ran(7, 8), item: 0 })),
    );
    expect(barOf(told, "a")).toMatchObject({ status: "succeeded", endMs: 8_000 });
    expect(parts(barOf(told, "b"))).toEqual(["wait dependencies 0-8", "queue 8-"]);
  });

  it("of a fallback opens the dependents of the step that it replaces", () => {
    const told = timeline(
      submitted([step("a", [], { fallback: "f" }), step("f"), step("end", ["a"]), step("apart", ["f"])]),
      at(2, failed("a", 1, ran(1, 2))),
      at(4, givenUp("f", 1, ran(3, 4))),
      at(5, skipped(["end", "apart"], "a")),
      at(7, redriveRequested("f")),
      at(9, succeeded("f", 1, 2, ran(8, 9))),
    );
    expect(parts(barOf(told, "end"))).toEqual(["wait dependencies 0-9", "queue 9-"]);
  });
});
