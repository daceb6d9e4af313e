// When outputs are processed for facts, what happens to the facts, and what waits for them.
import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  cancelRequested,
  decideNext,
  fact,
  factRecorded,
  kindsOf,
  pauseRequested,
  resumeRequested,
  step,
  submitted,
  submittedPlan,
  succeeded,
  worksOf,
} from "../../test/facts.ts";
import { continuityOf } from "../facts/continuity.ts";
import { viewOf } from "../view/plan-view.ts";

const artifact = { name: "outputs/a-0-1.json", contentType: "application/json", bytes: 70_000 };
const large = { output: { artifact, preview: "[" } };
const claim = { key: "Client Error", value: "client_error.go:12", confidence: 0.9 };
const two = [step("a"), step("b", ["a"])];

describe("a plan that keeps facts", () => {
  it("has each output processed while its steps continue", () => {
    const plan = after(submitted(two, { facts: "all" }), succeeded("a"));
    expect(kindsOf(plan)).toEqual(["run", "process"]);
    expect(decideNext(plan)).toContainEqual(
      expect.objectContaining({
        kind: "process",
        id: "p1/facts/a/0/1",
        work: expect.objectContaining({ stepId: "a", attempt: 1 }),
      }),
    );
  });

  it("processes only large outputs if its goal says so, and keeps the large ones as artifacts", () => {
    const goal = submitted(two, { facts: "large" });
    expect(worksOf(after(goal))).toMatchObject([{ stepId: "a", inlineBytesMax: 4_096 }]);
    expect(kindsOf(after(goal, succeeded("a")))).toEqual(["run"]);
    expect(kindsOf(after(goal, succeeded("a", 1, 1, large)))).toEqual(["run", "process"]);
  });

  it("is synthesized or answered only after all outputs are processed", () => {
    const goal = submittedPlan({ steps: [step("a")], answerFrom: "a" }, { facts: "all" });
    const looking = after(goal, succeeded("a"));
    expect([looking.status, kindsOf(looking)]).toEqual(["reflecting", ["process"]]);
    const known = andAfter(looking, factRecorded("a", [claim]));
    expect(kindsOf(known)).toEqual(["answer.given"]);
    expect(known.usage.modelCalls).toBe(1);
  });

  it("records the facts of an output once, and none that it has not requested", () => {
    const looking = after(submitted(two, { facts: "all" }), succeeded("a"));
    expect(andAfter(looking, factRecorded("b", [claim]))).toBe(looking);
    const known = andAfter(looking, factRecorded("a", [claim]));
    expect(andAfter(known, factRecorded("a", [{ ...claim, value: "other" }]))).toBe(known);
    const off = after(submitted(two), succeeded("a"));
    expect(andAfter(off, factRecorded("a", [claim]))).toBe(off);
  });

  it("requests no processing while it is paused, and all of it afterwards", () => {
    const paused = after(
      submitted([step("a"), step("b")], { facts: "all" }),
      pauseRequested(),
      succeeded("a"),
    );
    expect(kindsOf(paused)).toEqual([]);
    expect(kindsOf(andAfter(paused, resumeRequested()))).toEqual(["run", "process"]);
  });

  it("needs no processing once it is cancelled", () => {
    const looking = after(submitted(two, { facts: "all" }), succeeded("a"));
    const cancelled = andAfter(looking, cancelRequested());
    expect(kindsOf(cancelled)).not.toContain("process");
    expect(andAfter(cancelled, factRecorded("a", [claim]))).toBe(cancelled);
  });

  it("skips processing that its budget has no room for", () => {
    const budget = { tokens: 1_000, onExhausted: "end" };
    const plan = after(submitted(two, { facts: "all", budget }), succeeded("a"));
    expect(kindsOf(plan)).toEqual(["run"]);
    expect(viewOf(plan, 0).factsLeftOut).toBe(1);
  });
});

it("records the facts that a tool reports about its own output without processing that output", () => {
  const plan = after(submitted(two, { facts: "all" }), succeeded("a", 1, 1, { facts: [claim] }));
  expect(kindsOf(plan)).toEqual(["run"]);
  expect(viewOf(plan, 0).facts).toMatchObject([
    { key: "client_error", value: "client_error.go:12", stepId: "a" },
  ]);
});

it("is revised when an output shows that another plan fits better", () => {
  const replacePlan = { steps: ["read the file", "explain"], reason: "The best match is known." };
  const looking = after(submitted(two, { facts: "all" }), succeeded("a"));
  const plan = andAfter(looking, factRecorded("a", [claim], { replacePlan }));
  expect(kindsOf(plan)).toContain("draft");
  expect(plan.drafting).toMatchObject({
    revision: 1,
    cause: "requires_replan",
    causedBy: "a",
    reason: "The best match is known. The plan should rather be: 1. read the file 2. explain",
  });
});

it("keeps questions until an output answers them", () => {
  const looking = after(submitted([step("a"), step("b")], { facts: "all" }), succeeded("a"), succeeded("b"));
  const asked = andAfter(looking, factRecorded("a", [], { openQuestions: ["Which file?", "Which line?"] }));
  const answered = andAfter(asked, factRecorded("b", [], { answeredQuestions: ["Which file?"] }));
  expect(viewOf(answered, 0).openQuestions.map(({ question }) => question)).toEqual(["Which line?"]);
});

describe("the page of a plan's knowledge", () => {
  const plan = after(
    submitted([step("a", [], { description: "search" }), step("b", ["a"])], {
      facts: "all",
      goal: "find | it",
    }),
    succeeded("a", 1, 1, large),
    factRecorded("a", [claim, { key: "x", value: "<b>1</b>", confidence: 0.5 }], { openQuestions: ["Why?"] }),
  );

  it("shows the facts with their sources, the questions and the steps", () => {
    const page = continuityOf(plan);
    expect(page).toContain("find \\| it");
    expect(page).toContain(
      "| client\\_error | client\\_error.go:12 | 0.9 | `a`, artifact `outputs/a-0-1.json` |  |",
    );
    expect(page).toContain("\\<b\\>1\\</b\\>");
    expect(page).toContain("- Why? (from `a`)");
    expect(page).toContain("- [x] `a` search (succeeded)");
    expect(page).toContain("- [ ] `b` flow.echo (running)");
  });

  it("names the source that an output names, and how many facts did not fit", () => {
    const sourced = andAfter(
      plan,
      succeeded("b"),
      factRecorded("b", [{ key: "y", value: 2, confidence: 1, source: "page 3" }]),
    );
    expect(continuityOf(sourced)).toContain("| y | 2 | 1 | `b`, page 3 |  |");
    const full = { ...plan, knowledge: { ...plan.knowledge, leftOut: 4 } };
    expect(continuityOf(full)).toContain("\n\n4 more could not be kept.");
  });

  it("shows what contradicts a fact", () => {
    const contested = andAfter(plan, succeeded("b"), factRecorded("b", [{ ...claim, value: "other.go:3" }]));
    expect(continuityOf(contested)).toContain("| other.go:3 | 0.9 | `b` | client\\_error.go:12 (0.9, `a`) |");
    expect(continuityOf(andAfter(contested, answerGiven(1)))).toContain("## Answer");
  });
});

it("parses a success with facts completely", () => {
  expect(
    fact("step.succeeded", {
      stepId: "a",
      item: 0,
      attempt: 1,
      workerId: "w",
      startedAt: "2026-01-01T00:00:00Z",
      durationMs: 1,
      output: { value: 1 },
      facts: [claim],
    }),
  ).toMatchObject({ data: { facts: [claim] } });
});
