// Plans whose model server does not respond: they fail, or are paused and retry.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  answerDrafted,
  AT,
  decideNext,
  draftStarted,
  failed,
  joinAbandoned,
  kindsOf,
  modelFailed,
  pauseRequested,
  planned,
  planReviewed,
  resumeRequested,
  reviewed,
  revisionRequested,
  sealed,
  step,
  stepOf,
  submitted,
  succeeded,
  timerFired,
  worksOf,
} from "../../test/facts.ts";
import { decide } from "../decide/decide.ts";
import { evolve } from "./evolve.ts";
import { LIMITS } from "../values/limits.ts";
import { viewOf } from "../view/plan-view.ts";
import type { KnownPlan } from "./plan-state.ts";
import { whyPlanWaits } from "../view/why-waiting/why-plan-waits.ts";

const MESSAGE = "the model server does not answer: connection refused";
const unavailable = (stepId: string, attempt = 1, more: object = {}) =>
  failed(stepId, attempt, { error: { code: "model_unavailable", message: MESSAGE }, ...more });
const noDraft = (draft = 1, more: object = {}) =>
  abandoned(draft, { cause: "model_failed", message: MESSAGE, retryable: false, unavailable: true, ...more });
const timersOf = (plan: KnownPlan) =>
  decide(plan).flatMap((command) => (command.kind === "schedule" ? [command] : []));
const isAt = (ms: number) => new Date(Date.parse(AT) + ms).toISOString();

const two = submitted([step("a"), step("b")]);

describe("a plan without results", () => {
  it("fails with the cause when its draft cannot reach the model (OUTAGE-1)", () => {
    const plan = after(submitted(), draftStarted(), noDraft());
    expect(plan.conclusion).toMatchObject({
      outcome: "failed",
      reason: `the goal could not be planned: ${MESSAGE}`,
    });
    expect(plan.conclusion?.answer?.text.split("\n")[0]).toContain(MESSAGE);
    expect(plan.pause).toBeUndefined();
  });

  it("fails with the cause, and requests no synthesis, when its steps cannot reach the model (OUTAGE-1)", () => {
    const plan = after(two, unavailable("a"), unavailable("b"));
    expect(plan.conclusion).toMatchObject({ outcome: "failed", reason: `step a failed: ${MESSAGE}` });
    expect(plan.conclusion?.answer?.text.split("\n")[0]).toContain(MESSAGE);
    expect(kindsOf(plan)).toEqual(["answer.given"]);
  });

  it.each(["model_key_refused", "model_not_found", "model_key_missing"])(
    "ends in the same way when the server refuses every call: %s",
    (code) => {
      const error = { code, message: "the model server answered 401" };
      const plan = after(submitted([step("a")]), failed("a", 1, { error }));
      expect(plan.conclusion).toMatchObject({ outcome: "failed", reason: `step a failed: ${error.message}` });
    },
  );

  it("does not request a revision, which the same server would have to write", () => {
    const goal = submitted([step("a")], { replanOnFailure: true });
    expect(after(goal, unavailable("a")).drafting.phase).toBe("sealed");
  });
});

describe("a plan with results", () => {
  const paused = after(two, succeeded("a"), unavailable("b"));

  it("is paused with the cause, and keeps the failed step for later", () => {
    expect(paused.status).toBe("paused");
    expect(paused.pause).toMatchObject({ reason: MESSAGE, by: "planwright", until: isAt(30_000) });
    expect(stepOf(paused, "b").state).toEqual({ status: "waiting", for: "resume", attempt: 2 });
    expect(timersOf(paused)).toMatchObject([{ timer: "model-1", at: isAt(30_000) }]);
    expect(whyPlanWaits(viewOf(paused, Date.parse(AT)), Date.parse(AT))[0]).toMatch(
      /^paused, and resumes at .*, in 30 s: the model server does not answer/,
    );
  });

  it("retries the step when the timer fires", () => {
    const resumed = andAfter(paused, timerFired("model-1"));
    expect(resumed.pause).toBeUndefined();
    expect(worksOf(resumed)).toMatchObject([{ stepId: "b", attempt: 2 }]);
    expect(
      andAfter(resumed, succeeded("b", 1, 2)).steps.get(stepOf(resumed, "b").step.id)?.state.status,
    ).toBe("succeeded");
  });

  it("retries the step as soon as a user resumes it, and then ignores the timer", () => {
    const resumed = andAfter(paused, resumeRequested(1));
    expect(worksOf(resumed)).toMatchObject([{ stepId: "b", attempt: 2 }]);
    expect(evolve(resumed, timerFired("model-1"))).toBe(resumed);
  });

  it("ends only its own pause when the timer fires", () => {
    const again = andAfter(paused, resumeRequested(1), pauseRequested(2));
    expect(andAfter(again, timerFired("model-1")).pause).toMatchObject({ by: "someone" });
  });

  it("waits as long as the server asked it to", () => {
    const asked = after(two, succeeded("a"), unavailable("b", 1, { retryAfterMs: 600_000 }));
    expect(asked.pause?.until).toBe(isAt(600_000));
  });

  it("waits longer each time, and fails the step after the last pause (OUTAGE-2)", () => {
    let plan = after(two, succeeded("a"));
    const waits: number[] = [];
    for (let attempt = 1; attempt <= LIMITS.modelPausesMax; attempt++) {
      plan = andAfter(plan, unavailable("b", attempt));
      waits.push(Date.parse(plan.pause?.until ?? "") - Date.parse(AT));
      plan = andAfter(plan, timerFired(`model-${attempt}`));
    }
    expect(waits).toEqual([30_000, 60_000, 120_000, 240_000, 480_000, 900_000]);
    const over = andAfter(plan, unavailable("b", LIMITS.modelPausesMax + 1));
    expect(over.pause).toBeUndefined();
    expect(stepOf(over, "b").state).toMatchObject({ status: "failed", error: { message: MESSAGE } });
  });

  it("allows the full number of pauses again after a user has resumed it (OUTAGE-2)", () => {
    const first = andAfter(paused, resumeRequested(1), unavailable("b", 2));
    expect(first.pause?.until).toBe(isAt(30_000));
  });

  it("is paused once for all the steps that fail together", () => {
    const plan = after(
      submitted([step("a"), step("b"), step("c")]),
      succeeded("a"),
      unavailable("b"),
      unavailable("c"),
    );
    expect(plan.pauses).toBe(1);
    expect(worksOf(andAfter(plan, timerFired("model-1"))).map(({ stepId }) => stepId)).toEqual(["b", "c"]);
  });

  it("remains paused if a user paused it", () => {
    const plan = after(two, succeeded("a"), pauseRequested(), unavailable("b"));
    expect(plan.pause).toMatchObject({ by: "someone" });
    expect(timersOf(plan)).toEqual([]);
    expect(worksOf(andAfter(plan, resumeRequested()))).toMatchObject([{ stepId: "b", attempt: 2 }]);
  });

  it("requests the synthesis again when it could not reach the model", () => {
    const judging = after(submitted([step("a"), step("b")]), succeeded("a"), succeeded("b"));
    expect(kindsOf(judging)).toEqual(["join"]);
    const halted = andAfter(judging, joinAbandoned(1, { cause: "model_unavailable", message: MESSAGE }));
    expect(halted.pause?.reason).toBe(MESSAGE);
    expect(decideNext(andAfter(halted, timerFired("model-1")))).toMatchObject([
      { kind: "join", work: { join: 2 } },
    ]);
  });

  it("returns its results when no model could synthesize them in the end", () => {
    let plan = after(submitted([step("a"), step("b")]), succeeded("a", "text of a"), succeeded("b"));
    for (let join = 1; join <= LIMITS.modelPausesMax + 1; join++) {
      plan = andAfter(plan, joinAbandoned(join, { cause: "model_unavailable", message: MESSAGE }));
      plan = andAfter(plan, timerFired(`model-${join}`));
    }
    expect(plan.conclusion?.answer?.status).toBe("partial");
    expect(plan.conclusion?.answer?.text).toContain("text of a");
    expect(plan.conclusion?.reason).toContain(MESSAGE);
  });

  it("drafts its revision again", () => {
    const revising = after(two, succeeded("a"), succeeded("b"), revisionRequested(1), draftStarted(1));
    const halted = andAfter(revising, noDraft(1));
    expect(halted.status).toBe("paused");
    expect(decideNext(andAfter(halted, timerFired("model-1")))).toMatchObject([
      { kind: "draft", work: { draft: 2 } },
    ]);
  });

  it("requests the review of a step's output again", () => {
    const goal = submitted([step("a", [], { review: { maxIterations: 2 } })]);
    const halted = andAfter(
      after(goal, succeeded("a")),
      reviewed("a", { verdict: "unjudged", cause: "model_unavailable", message: MESSAGE }),
    );
    expect(halted.pause?.reason).toBe(MESSAGE);
    expect(decideNext(andAfter(halted, timerFired("model-1")))).toMatchObject([
      { kind: "review", work: { stepId: "a", review: 2 } },
    ]);
  });
});

it("runs a first draft that no model could review, because nothing has results yet", () => {
  const goal = submitted(undefined, { review: { plan: true } });
  const drafted = after(goal, draftStarted(), planned(step("a")));
  const sealedPlan = andAfter(drafted, sealed(1));
  const judged = andAfter(
    sealedPlan,
    planReviewed({ verdict: "unjudged", cause: "model_unavailable", message: MESSAGE }),
  );
  expect(worksOf(judged)).toMatchObject([{ stepId: "a" }]);
});

describe("failed model calls that are retried", () => {
  it("are shown for the draft that waits for them, until the server responds", () => {
    const work = { kind: "draft", draft: 1 };
    const plan = after(
      submitted(),
      draftStarted(),
      modelFailed(work, { report: 3, calls: 3, retryAt: isAt(9_000) }),
    );
    const view = viewOf(plan, Date.parse(AT));
    expect(whyPlanWaits(view)[0]).toBe(`${MESSAGE}, attempt 3 of 8`);
    expect(whyPlanWaits(view, Date.parse(AT) + 10_000)[0]).toBe(
      `attempt 4 of 8 is in progress, after: ${MESSAGE}`,
    );
    expect(viewOf(andAfter(plan, planned(step("a"))), 0).modelTries).toBeUndefined();
  });

  it("are shown for the step that waits for them", () => {
    const work = { kind: "step", stepId: "a", item: 0, attempt: 1 };
    const plan = andAfter(after(two), modelFailed(work, { retryAt: isAt(1_000) }));
    expect(whyPlanWaits(viewOf(plan, 0))).toContain(`${MESSAGE}, attempt 1 of 8`);
    const ended = andAfter(plan, succeeded("a"));
    expect(viewOf(ended, 0).steps[0]?.modelTries).toBeUndefined();
  });

  it("are counted across the drafts of one revision", () => {
    const work = { kind: "draft", draft: 1 };
    const again = abandoned(1, { cause: "model_failed", message: MESSAGE });
    const plan = after(submitted(), draftStarted(), modelFailed(work), again);
    expect(plan.drafting.tries?.calls).toBe(1);
  });

  it.each([
    ["another attempt", { kind: "step", stepId: "a", item: 0, attempt: 2 }],
    ["an unknown step", { kind: "step", stepId: "zzz", item: 0, attempt: 1 }],
    [
      "a review of a step that is not reviewed",
      { kind: "review", stepId: "a", item: 0, attempt: 1, review: 1 },
    ],
    ["a review of an answer that is not reviewed", { kind: "critique", of: "answer", draft: 1, review: 1 }],
    ["a draft that is not open", { kind: "draft", draft: 1 }],
    ["a synthesis that was not requested", { kind: "join", join: 1 }],
  ])("are ignored for %s", (_what, work) => {
    const plan = after(two);
    expect(evolve(plan, modelFailed(work))).toBe(plan);
  });

  it("are shown once for the review of a step, whichever delivery reports them", () => {
    const review = { maxIterations: 1 };
    const plan = after(submitted([step("a", [], { review })]), succeeded("a"));
    const work = { kind: "review", stepId: "a", item: 0, attempt: 1, review: 1 };
    const noted = andAfter(plan, modelFailed(work, { report: 2 }));
    expect(stepOf(noted, "a").state).toMatchObject({ status: "reviewing", tries: { report: 2 } });
    expect(evolve(noted, modelFailed(work, { report: 2 }))).toBe(noted);
    expect(evolve(noted, modelFailed({ ...work, review: 2 }, { report: 3 }))).toBe(noted);
    expect(evolve(noted, modelFailed({ ...work, attempt: 2 }, { report: 3 }))).toBe(noted);
  });

  it("are shown once for the synthesis of the answer", () => {
    const plan = after(two, succeeded("a"), succeeded("b"));
    const noted = andAfter(plan, modelFailed({ kind: "join", join: 1 }, { report: 2 }));
    expect(noted.joining.tries?.report).toBe(2);
    expect(evolve(noted, modelFailed({ kind: "join", join: 1 }, { report: 1 }))).toBe(noted);
  });

  it("are shown once for the review of the answer, and ignored for any other review", () => {
    const goal = submitted([step("a"), step("b")], { review: { answer: { maxIterations: 2 } } });
    const plan = after(goal, succeeded("a"), succeeded("b"), answerDrafted(1));
    const work = { kind: "critique", of: "answer", draft: 1, review: 1 };
    const noted = andAfter(plan, modelFailed(work, { report: 2 }));
    expect(noted.critique?.tries?.report).toBe(2);
    for (const other of [work, { ...work, draft: 2 }, { ...work, review: 2 }, { ...work, of: "plan" }])
      expect(evolve(noted, modelFailed(other, { report: 2 }))).toBe(noted);
  });

  it("are counted across the attempts of a step, until one of them fails for another reason", () => {
    const tries = { report: 2, calls: 2, callsMax: 8, since: AT, message: MESSAGE, retryAt: AT };
    const broken = failed("a", 1, { retryable: true, modelTries: tries });
    const again = andAfter(after(two), broken, timerFired("retry-a-0-2"));
    expect(worksOf(again).find(({ stepId }) => stepId === "a")).toMatchObject({
      attempt: 2,
      tried: { calls: 2 },
    });
    const third = andAfter(again, failed("a", 2, { retryable: true }), timerFired("retry-a-0-3"));
    const work = worksOf(third).find(({ stepId }) => stepId === "a");
    expect(work).toMatchObject({ attempt: 3 });
    expect(work).not.toHaveProperty("tried");
  });

  it("are still counted when the review of a step, or a synthesis, is requested again", () => {
    const lost = { cause: "interrupted", message: "the reply broke off" };
    const review = { maxIterations: 2 };
    const reviewing = after(submitted([step("a", [], { review })]), succeeded("a"));
    const work = { kind: "review", stepId: "a", item: 0, attempt: 1, review: 1 };
    const asked = andAfter(
      reviewing,
      modelFailed(work, { calls: 3 }),
      reviewed("a", { verdict: "unjudged", ...lost }),
    );
    expect(stepOf(asked, "a").state).toMatchObject({ status: "reviewing", review: 2, tries: { calls: 3 } });
    const judging = after(
      two,
      succeeded("a"),
      succeeded("b"),
      modelFailed({ kind: "join", join: 1 }, { calls: 3 }),
    );
    expect(andAfter(judging, joinAbandoned(1, lost)).joining).toMatchObject({
      number: 2,
      tries: { calls: 3 },
    });
    const over = andAfter(judging, joinAbandoned(1, { ...lost, cause: "allowance_spent" }));
    expect(over.joining).not.toHaveProperty("tries");
  });

  it("are forgotten after a draft that could be read, because its server responds", () => {
    const tried = modelFailed({ kind: "draft", draft: 1 });
    const issues = [{ code: "bad", field: "", message: "no plan" }];
    const invalid = abandoned(1, { cause: "invalid", message: "no plan", issues });
    expect(after(submitted(), draftStarted(), tried, invalid).drafting).not.toHaveProperty("tries");
  });

  it("are distinguished from a call that has received nothing so far", () => {
    const work = { kind: "draft", draft: 1 };
    const message = "the model server has sent nothing for 10 s";
    const silence = { calls: 0, silent: true, message, retryAt: isAt(30_000) };
    const plan = after(submitted(), draftStarted(), modelFailed(work, silence));
    const view = viewOf(plan, Date.parse(AT));
    expect(whyPlanWaits(view)[0]).toBe(`${message}, attempt 1 of 8`);
    // Either data has arrived since, or another report would have.
    expect(whyPlanWaits(view, Date.parse(AT) + 40_000)[0]).not.toContain("sent nothing");
  });

  it("are not counted again when a delivery starts over, or when the work is over", () => {
    const work = { kind: "draft", draft: 1 };
    const plan = after(submitted(), draftStarted(), modelFailed(work, { report: 2 }));
    expect(evolve(plan, modelFailed(work, { report: 1 }))).toBe(plan);
    expect(evolve(plan, modelFailed({ kind: "draft", draft: 2 }))).toBe(plan);
    expect(evolve(plan, modelFailed({ kind: "join", join: 1 }))).toBe(plan);
  });
});
