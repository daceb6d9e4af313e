// The times of a plan's log are in seconds after its submission; the tests check the segments of its bars.
import { describe, expect, it } from "vitest";
import {
  approvalDecided,
  draftStarted,
  expanded,
  fact,
  factRecorded,
  failed,
  loopFact,
  pauseRequested,
  planEnded,
  planned,
  READ,
  resumeRequested,
  sealed,
  skipped,
  started,
  step,
  submitted,
  succeeded,
  timerFired,
  WRITE,
  answerGiven,
  cancelRequested,
  reviewed,
  redriveRequested,
  givenUp,
  interrupted,
  deadlineFired,
} from "../../../test/facts.ts";
import { at, barOf, clock, parts, partsOf, ran, timeline } from "../../../test/bars.ts";
import { StepId } from "../../values/ids.ts";
import { slackOf } from "./slack.ts";
import { sumsOf, totalsOf } from "./sums.ts";
import type { Timeline } from "./timeline.ts";
import { timelineOf } from "./timeline-of.ts";

describe("the bar of a step", () => {
  it("waits for its dependencies, queues until a worker starts, and works", () => {
    const events = [
      submitted([step("a"), step("b", ["a"])]),
      at(4, succeeded("a", 1, 1, ran(1, 3))),
      at(6, started("b")),
      at(9, succeeded("b", 1, 1, ran(6, 8))),
    ];
    expect(partsOf("a", ...events)).toEqual(["queue 0-1", "tool 1-3"]);
    expect(partsOf("b", ...events)).toEqual(["wait dependencies 0-4", "queue 4-6", "tool 6-8"]);
    expect(barOf(timeline(...events), "b")).toMatchObject({ startMs: 0, endMs: 8_000, status: "succeeded" });
    expect(partsOf("b", ...events.slice(0, 3))).toEqual(["wait dependencies 0-4", "queue 4-6", "tool 6-"]);
  });

  it("starts when its outcome says so, not when its start was reported", () => {
    expect(
      partsOf("a", submitted([step("a")]), at(3, started("a")), at(6, succeeded("a", 1, 1, ran(2, 5)))),
    ).toEqual(["queue 0-2", "tool 2-5"]);
  });

  it("is model time if a model was used, or by its grant while it runs", () => {
    const write = submitted([step("a", [], { tool: "model.write" })]);
    expect(partsOf("a", write, at(1, started("a")))).toEqual(["queue 0-1", "model 1-"]);
    const none = { usage: { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 } };
    const over = at(3, succeeded("a", 1, 1, { ...ran(1, 2), ...none }));
    expect(partsOf("a", write, at(1, started("a")), over)).toEqual(["queue 0-1", "tool 1-2"]);
    const one = { usage: { ...none.usage, modelCalls: 1 } };
    expect(
      partsOf("a", submitted([step("a")]), at(3, succeeded("a", 1, 1, { ...ran(1, 2), ...one }))),
    ).toEqual(["queue 0-1", "model 1-2"]);
  });

  it("separates the calls of a loop that change something from its thinking", () => {
    const modelled = { grants: { "agent.react": { ...WRITE, modelTokens: 100 } } };
    const goal = submitted([step("a", [], { tool: "agent.react" })], modelled);
    const run = { stepId: StepId.parse("a"), item: 0, attempt: 1 };
    const call = { turn: 1, thought: "t", tool: "mail.send", args: {} };
    const events = [
      goal,
      at(1, started("a")),
      at(3, loopFact("call.started", run, { ...call, effect: "once" })),
      at(5, loopFact("turn.taken", run, { ...call, output: { value: 1 } })),
      at(
        9,
        succeeded("a", 1, 1, {
          ...ran(1, 8),
          usage: { modelCalls: 2, inputTokens: 1, outputTokens: 1, costUsd: 0 },
        }),
      ),
    ];
    expect(partsOf("a", ...events)).toEqual(["queue 0-1", "model 1-3", "tool 3-5", "model 5-8"]);
  });

  it("counts a turn of several calls as tools until all of them have finished, also in the next attempt", () => {
    const modelled = { grants: { "agent.react": { ...WRITE, modelTokens: 100 } } };
    const goal = submitted([step("a", [], { tool: "agent.react" })], modelled);
    const run = { stepId: StepId.parse("a"), item: 0, attempt: 1 };
    const wanted = { tool: "docs.search", args: {} };
    const over = (call: number) => ({ turn: 1, call, thought: "t", ...wanted, output: { value: 1 } });
    const turn = at(3, loopFact("turn.started", run, { turn: 1, thought: "t", calls: [wanted, wanted] }));
    const first = [goal, at(1, started("a")), turn, at(5, loopFact("turn.taken", run, over(2)))];
    const last = at(8, loopFact("turn.taken", run, over(1)));
    expect(partsOf("a", ...first, last)).toEqual(["queue 0-1", "model 1-3", "tool 3-8", "model 8-"]);
    const again = [
      at(6, failed("a", 1, { ...ran(1, 6), retryable: true })),
      at(7, timerFired("retry-a-0-2")),
    ];
    const goesOn = [at(8, started("a", 2)), at(9, loopFact("turn.taken", { ...run, attempt: 2 }, over(1)))];
    expect(partsOf("a", ...first, ...again, ...goesOn)).toEqual([
      "queue 0-1",
      "model 1-3",
      "tool 3-6",
      "retry 6-7",
      "queue 7-8",
      "tool 8-9",
      "model 9-",
    ]);
  });

  it("pauses before a retry, and shows which attempt it was", () => {
    const retry = { retry: { maxAttempts: 2 } };
    const events = [
      submitted([step("a", [], retry)]),
      at(3, failed("a", 1, { ...ran(1, 2), retryable: true })),
      at(5, timerFired("retry-a-0-2")),
      at(8, failed("a", 2, { ...ran(6, 7), retryable: true })),
    ];
    const bar = barOf(timeline(...events), "a");
    expect(parts(bar)).toEqual(["queue 0-1", "tool 1-2", "retry 2-5", "queue 5-6", "tool 6-7"]);
    expect(bar.segments.map(({ attempt }) => attempt)).toEqual([undefined, 1, undefined, undefined, 2]);
    expect(bar.status).toBe("failed");
  });

  it("waits for a person before, during and after its work", () => {
    const ask = { approval: { risk: "high" } };
    const mail = submitted([step("a", [], { tool: "mail.send" })], ask);
    const asked = at(1, fact("approval.requested", { ...question("risk-a-0"), kind: "tool-risk" }));
    const events = [
      mail,
      asked,
      at(4, approvalDecided("risk-a-0", "approve")),
      at(5, started("a")),
      at(7, interrupted("a")),
      at(8, fact("approval.requested", { ...question("unknown-a-0-1"), kind: "outcome-unknown" })),
      at(9, approvalDecided("unknown-a-0-1", "happened")),
    ];
    const bar = barOf(timeline(...events), "a");
    expect(parts(bar)).toEqual(["wait approval 0-4", "queue 4-5", "tool 5-7", "wait approval 7-9"]);
    expect(bar.status).toBe("succeeded");
    const rejected = barOf(timeline(mail, asked, at(4, approvalDecided("risk-a-0", "reject"))), "a");
    expect([parts(rejected), rejected.status]).toEqual([["wait approval 0-4"], "failed"]);
    const expired = barOf(timeline(mail, asked, at(4, timerFired("approval-risk-a-0"))), "a");
    expect(expired.status).toBe("failed");
  });

  it("waits for the draft, a pause, the start time and the budget", () => {
    expect(
      partsOf(
        "a",
        submitted(),
        at(1, draftStarted()),
        at(2, planned(step("a", [], { tool: "files.write" }), { grant: WRITE })),
        at(5, sealed()),
        at(6, pauseRequested()),
        at(8, resumeRequested()),
      ),
    ).toEqual(["wait draft 2-5", "queue 5-6", "wait pause 6-8", "queue 8-"]);
    expect(partsOf("a", submitted([step("a")], { startAt: clock(5) }), at(5, timerFired("start")))).toEqual([
      "wait start 0-5",
      "queue 5-",
    ]);
    const { stepId: _none, ...budget } = { ...question("budget-1"), kind: "budget" };
    expect(
      partsOf(
        "b",
        submitted([step("a"), step("b", ["a"])], { budget: { steps: 1, onExhausted: "ask" } }),
        at(2, succeeded("a", 1, 1, ran(1, 2))),
        at(3, fact("approval.requested", budget)),
        at(4, approvalDecided("budget-1", "approve")),
      ),
    ).toEqual(["wait dependencies 0-2", "wait budget 2-4", "queue 4-"]);
  });

  it("is reviewed, and works again when its output is sent back", () => {
    const review = { tool: "draft.write", review: { maxIterations: 2 } };
    const events = [
      submitted([step("a", [], review)]),
      at(3, succeeded("a", 1, 1, ran(1, 2))),
      at(5, reviewed("a", { verdict: "rejected" })),
      at(8, succeeded("a", 2, 2, ran(6, 7))),
      at(9, reviewed("a", { attempt: 2 })),
    ];
    expect(partsOf("a", ...events)).toEqual([
      "queue 0-1",
      "model 1-2",
      "reviewing 2-5",
      "queue 5-6",
      "model 6-7",
      "reviewing 7-9",
    ]);
  });

  it("runs for each item of a list, with a bar per item", () => {
    const each = submitted([step("a", [], { forEach: [1, 2], args: { value: "{{item}}" } })]);
    const events = [
      each,
      at(1, expanded("a", 2)),
      at(3, succeeded("a", 1, 1, { ...ran(2, 3), item: 0 })),
      at(5, succeeded("a", 1, 1, { ...ran(2, 5), item: 1 })),
    ];
    const bar = barOf(timeline(...events), "a");
    expect(parts(bar)).toEqual(["wait verdict 0-1", "items 1-5"]);
    expect(bar.items.map(parts)).toEqual([
      ["queue 1-2", "tool 2-3"],
      ["queue 1-2", "tool 2-5"],
    ]);
    expect(totalsOf(timeline(...events), 9_000)).toMatchObject({
      items: 0,
      tool: 4_000,
      queue: 2_000,
      wait: 1_000,
    });
  });

  it("belongs to a sub-plan, and links to it", () => {
    const goal = submitted([step("a", [], { tool: "plan.run", args: { goal: "g" } })]);
    const bar = barOf(timeline(goal, at(1, started("a", 1, { subPlan: "p2" }))), "a");
    expect([parts(bar), bar.child]).toEqual([["queue 0-1", "sub-plan 1-"], "p2"]);
  });

  it("ends when it is skipped, cancelled, or its plan ends", () => {
    const goal = submitted([step("a"), step("b", ["a"]), step("c")]);
    const fallen = [goal, at(2, failed("a", 1, ran(0, 1))), at(3, skipped(["b"], "a"))];
    expect(barOf(timeline(...fallen), "b")).toMatchObject({ status: "skipped", endMs: 3_000 });
    const over = timeline(
      ...fallen,
      at(4, started("c")),
      at(5, cancelRequested()),
      at(6, planEnded("cancelled")),
    );
    expect(barOf(over, "c")).toMatchObject({ status: "cancelled", endMs: 5_000 });
    expect(over.marks.map(({ kind, atMs, text }) => [kind, atMs, text])).toEqual([
      ["cancelled", 5_000, "not needed"],
      ["ended", 6_000, "cancelled: done"],
    ]);
    expect(over).toMatchObject({ endedMs: 6_000, lastMs: 6_000 });
  });

  it("continues after the step was dead-lettered and retried, and after its deadline has passed", () => {
    const goal = submitted([step("a"), step("b", ["a"]), step("c")]);
    const events = [
      goal,
      at(2, givenUp("a", 1, ran(1, 2))),
      at(3, skipped(["b"], "a")),
      at(5, redriveRequested("a")),
      at(7, succeeded("a", 1, 2, ran(6, 7))),
    ];
    expect(partsOf("a", ...events)).toEqual([
      "queue 0-1",
      "tool 1-2",
      "wait redrive 2-5",
      "queue 5-6",
      "tool 6-7",
    ]);
    expect(partsOf("b", ...events)).toEqual(["wait dependencies 0-7", "queue 7-"]);
    expect(partsOf("a", submitted([step("a")]), at(1, started("a")), at(9, deadlineFired()))).toEqual([
      "queue 0-1",
      "tool 1-9",
      "retry 9-",
    ]);
  });

  it("has the bar of its compensation below it", () => {
    const undo = { tool: "mail.send", compensate: { tool: "files.write", args: {} } };
    const goal = submitted([step("a", [], undo), step("b")], { approval: { risk: "never" } });
    const bar = barOf(
      timeline(
        goal,
        at(2, succeeded("a", 1, 1, ran(1, 2))),
        at(3, cancelRequested()),
        at(4, started("a", 1, { undo: true })),
        at(6, succeeded("a", 1, 1, { ...ran(4, 5), undo: true })),
      ),
      "a",
    );
    expect([bar.status, bar.undo && parts(bar.undo)]).toEqual(["succeeded", ["queue 3-4", "tool 4-5"]]);
  });
});

describe("the plan as a whole", () => {
  it("is drafted, paused, waits for approval and is answered", () => {
    const { spans, marks } = timeline(
      submitted(),
      at(1, draftStarted()),
      at(2, planned(step("a"))),
      at(3, sealed()),
      at(4, succeeded("a", 1, 1, ran(2, 4))),
      at(5, pauseRequested()),
      at(6, resumeRequested()),
      at(9, answerGiven(1)),
    );
    expect(spans).toEqual([
      { kind: "drafting", startMs: 1_000, endMs: 3_000 },
      { kind: "paused", startMs: 5_000, endMs: 6_000 },
      { kind: "answering", startMs: 4_000, endMs: 9_000 },
    ]);
    expect(marks.map(({ kind }) => kind)).toEqual(["sealed", "paused", "resumed", "answer"]);
  });

  it("has no timeline without its first event, and ignores an event that does not affect it", () => {
    expect(timelineOf([started("a")])).toBeUndefined();
    expect(timelineOf([])).toBeUndefined();
    const goal = submitted([step("a")]);
    expect(partsOf("a", goal, at(3, factRecorded("a", [])))).toEqual(["queue 0-"]);
  });
});

describe("sums and slack", () => {
  const events = [
    submitted([step("a"), step("b"), step("c", ["a", "b"])]),
    at(2, succeeded("a", 1, 1, ran(1, 2))),
    at(5, succeeded("b", 1, 1, ran(1, 5))),
    at(8, succeeded("c", 1, 1, ran(6, 8))),
  ];

  it("add up the time spent, including segments that are still open", () => {
    const open = timeline(...events.slice(0, 3));
    expect(sumsOf(barOf(open, "c"), 7_000)).toMatchObject({ wait: 5_000, queue: 2_000, tool: 0 });
    expect(totalsOf(timeline(...events), 8_000)).toMatchObject({ wait: 5_000, queue: 3_000, tool: 7_000 });
  });

  it("show how much longer each step could have taken", () => {
    expect([...slackOf(timeline(...events))]).toEqual([
      ["c", 0],
      ["b", 0],
      ["a", 3_000],
    ]);
    expect(slackOf(timeline(submitted([step("a")]))).size).toBe(0);
  });
});

describe("a plan that a reviewer sees before it runs", () => {
  const asked = (draft = 0) =>
    fact("approval.requested", {
      approvalId: "plan-0",
      kind: "plan",
      question: "May it run?",
      draft,
      expiresAfterMs: 60_000,
    });
  const before = [submitted([step("a"), step("b", ["a"])], { approval: { plan: true } }), at(1, asked())];

  it("waits as a whole, and continues with the steps that the reviewer has edited", () => {
    const edits = {
      steps: [
        { id: "a", tool: "flow.echo" },
        { id: "c", tool: "flow.echo", dependsOn: ["a"] },
      ],
    };
    const edited = at(5, approvalDecided("plan-0", "approve", { edits, grants: { "flow.echo": READ } }));
    const after = timeline(...before, edited, at(7, succeeded("a", 1, 1, ran(6, 7))));
    expect(parts(barOf(after, "a"))).toEqual(["queue 5-6", "tool 6-7"]);
    expect(parts(barOf(after, "c"))).toEqual(["wait dependencies 5-7", "queue 7-"]);
    expect(barOf(after, "b").status).toBe("cancelled");
  });

  it("continues unchanged when approved, is cancelled when rejected, and keeps waiting when the edits are not a plan", () => {
    const approved = timeline(...before, at(5, approvalDecided("plan-0", "approve")));
    expect(parts(barOf(approved, "a"))).toEqual(["wait approval 0-5", "queue 5-"]);
    const rejected = timeline(...before, at(5, approvalDecided("plan-0", "reject")));
    expect(rejected.steps.map(({ status }) => status)).toEqual(["cancelled", "cancelled"]);
    const odd = at(5, approvalDecided("plan-0", "approve", { edits: { steps: "none" } }));
    expect(parts(barOf(timeline(...before, odd), "a"))).toEqual(["wait approval 0-"]);
  });
});

describe("a log with events about unknown steps", () => {
  const known = [submitted([step("a"), step("b", ["a"])]), at(1, succeeded("a", 1, 1, ran(0, 1)))];
  const work = { stepId: StepId.parse("zz"), item: 0, attempt: 1 };
  const call = { turn: 1, thought: "t", tool: "files.write", args: {} };
  const strange = [
    started("zz"),
    succeeded("zz"),
    failed("zz"),
    interrupted("zz"),
    expanded("zz", 2),
    reviewed("zz"),
    skipped(["zz"], "a"),
    redriveRequested("zz"),
    approvalDecided("nobody-asked", "approve"),
    timerFired("retry-zz-1"),
    timerFired("what-is-this"),
    loopFact("call.started", work, { ...call, effect: "once" }),
    loopFact("turn.started", work, { turn: 1, thought: "t", calls: [{}, {}] }),
    loopFact("turn.taken", work, call),
    loopFact("step.asked", work, { ...ran(0, 1), call: { ...call, risk: "low" } }),
  ];

  it.each(strange)("skips $type", (event) => {
    const bars = ({ steps }: Timeline) => steps.map((bar) => [bar.stepId, bar.status, parts(bar)]);
    expect(bars(timeline(...known, at(2, event)))).toEqual(bars(timeline(...known)));
  });

  it("has no timeline without events, and no slack for steps that have not ended", () => {
    expect(timelineOf([])).toBeUndefined();
    const bare = { ...barOf(timeline(...known), "a"), endMs: undefined, segments: [], status: "succeeded" };
    const lone = { ...bare, stepId: "b", needs: ["gone", "a"] };
    const steps = [bare, lone, { ...lone, stepId: "c" }] as unknown as Timeline["steps"];
    expect([...slackOf({ steps }).values()]).toEqual([0, 0, 0]);
  });
});

function question(approvalId: string) {
  return { approvalId, question: "May it?", stepId: "a", attempt: 1, expiresAfterMs: 60_000 };
}
