// Plans whose results do not answer their goal: they are revised, up to a limit.
import { describe, expect, it } from "vitest";
import {
  abandoned,
  after,
  andAfter,
  answerGiven,
  decideNext,
  draftStarted,
  failed,
  planned,
  revised,
  revisionRequested,
  sealed,
  skipped,
  step,
  stepOf,
  submitted,
  succeeded,
  USAGE,
} from "../../../test/facts.ts";
import { decide } from "../../decide/decide.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import { evolve } from "../evolve.ts";
import { viewOf } from "../../view/plan-view.ts";

const kinds = (plan: ReturnType<typeof after>) => decideNext(plan).map(({ kind }) => kind);
/** A plan of two steps whose synthesis requests a revision. */
const toRevise = (more: object = {}) => [
  submitted([step("a"), step("b")], more),
  succeeded("a"),
  succeeded("b"),
  revisionRequested(1, { sources: ["a"] }),
];

describe("a join", () => {
  it("is requested once everything is settled and the plan names no answer", () => {
    const plan = after(submitted([step("a"), step("b")]), succeeded("a"), failed("b"));
    expect(plan.status).toBe("reflecting");
    expect(decideNext(plan)).toMatchObject([{ kind: "join", id: "p1/join/1", work: { join: 1 } }]);
  });

  it("is requested when the answer step of a drafted plan did not succeed", () => {
    const drafted = [submitted(), draftStarted(1), planned(step("a")), sealed(1, { answerFrom: "a" })];
    expect(kinds(after(...drafted, failed("a")))).toEqual(["join"]);
  });

  it("is not requested when the answer step of a submitted plan did not succeed", () => {
    expect(kinds(after(submitted([step("a")]), failed("a")))).toEqual(["record"]);
  });

  it.each([
    ["success", "succeeded"],
    ["partial", "partial"],
    ["no_match", "succeeded"],
    ["failed", "failed"],
  ])("gives an answer with the status %s, and ends the plan as %s", (status, outcome) => {
    const plan = after(submitted([step("a"), step("b")]), succeeded("a"), succeeded("b"));
    const answered = andAfter(plan, answerGiven(1, { status }));
    expect(answered.usage).toEqual(USAGE);
    expect(decideNext(answered)).toMatchObject([
      { kind: "record", event: { id: "p1/end", type: "plan.ended", data: { outcome } } },
    ]);
  });

  it("answers once: a second answer, or a revision after it, changes nothing", () => {
    const plan = after(
      submitted([step("a"), step("b")]),
      succeeded("a"),
      succeeded("b"),
      answerGiven(1, { status: "success" }),
    );
    for (const event of [answerGiven(1), answerGiven(2), answerGiven(undefined), revisionRequested(1)]) {
      expect(evolve(plan, event)).toBe(plan);
    }
  });

  it("cannot answer before it was requested", () => {
    const plan = after(submitted([step("a"), step("b")]));
    for (const event of [answerGiven(1), answerGiven(undefined), revisionRequested(1)]) {
      expect(evolve(plan, event)).toBe(plan);
    }
  });
});

describe("a revision", () => {
  it("is drafted with its reason, while the answer so far is kept", () => {
    const plan = after(...toRevise());
    expect(decideNext(plan)).toMatchObject([{ kind: "draft", id: "p1/draft/1", work: { draft: 1 } }]);
    expect(plan.drafting).toMatchObject({ number: 1, revision: 1, reason: "more is needed", repairs: 0 });
    expect(viewOf(plan, 0)).toMatchObject({
      status: "planning",
      answer: { text: "so far", status: "partial" },
    });
  });

  it("keeps the existing results, and is followed by another synthesis", () => {
    const plan = after(
      ...toRevise(),
      draftStarted(1),
      planned(step("c", ["a"], { args: { value: { $ref: "b.output" } } })),
      revised(1, { revision: 1, added: ["c"] }),
    );
    expect(plan).toMatchObject({ revision: 1, status: "running" });
    expect(stepOf(plan, "c").state.status).toBe("running");
    expect(decideNext(andAfter(plan, succeeded("c")))).toMatchObject([{ kind: "join", work: { join: 2 } }]);
  });

  it("leads directly to another synthesis when it adds nothing", () => {
    expect(kinds(after(...toRevise(), draftStarted(1), revised(1)))).toEqual(["join"]);
  });

  it("replaces the step that was to give the answer", () => {
    const events = [
      submitted(),
      draftStarted(1),
      planned(step("a")),
      planned(step("b"), { index: 1 }),
      sealed(1, { answerFrom: "b" }),
      succeeded("a"),
      failed("b"),
      revisionRequested(1),
      draftStarted(2),
    ];
    expect(after(...events, revised(2)).answerFrom).toBeUndefined();
    const revision = { answerFrom: "a", reasoning: "a will do", dropped: ["b"] };
    expect(after(...events, revised(2, revision))).toMatchObject({
      answerFrom: "a",
      reasoning: "a will do",
      conclusion: { outcome: "succeeded" },
    });
    expect(after(...events, revised(2, { answerFrom: "a" })).conclusion).toMatchObject({
      outcome: "partial",
      reason: "step b failed: boom.",
    });
  });

  it("ends the plan as partial with the answer so far when it exceeds the limit", () => {
    const plan = after(...toRevise({ maxReplans: 0 }));
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      reason: "max replans exceeded (0): more is needed",
      answer: { text: "so far", status: "partial" },
    });
    expect(kinds(andAfter(plan, answerGiven(undefined)))).toEqual(["record"]);
  });

  it("leaves a failed answer when it exceeds the limit and there is no answer", () => {
    const plan = after(
      submitted([step("a"), step("b")], { maxReplans: 0 }),
      succeeded("a"),
      succeeded("b"),
      revisionRequested(1),
    );
    expect(plan.conclusion?.answer?.status).toBe("failed");
  });

  it.each([
    ["sealed like a first draft", (draft: number) => sealed(draft)],
    ["numbered wrongly", (draft: number) => revised(draft, { revision: 1 })],
  ])("counts against the limit even if it is %s (REVISION-1)", (_name, end: (draft: number) => PlanEvent) => {
    let plan = after(...toRevise({ maxReplans: 1 }));
    plan = andAfter(plan, draftStarted(1), end(1), revisionRequested(2));
    expect(plan.conclusion?.reason).toBe("max replans exceeded (1): more is needed");
  });

  it("ends the plan with the answer so far when it cannot be planned", () => {
    const plan = after(
      ...toRevise(),
      draftStarted(1),
      abandoned(1, { retryable: false, message: "no model" }),
    );
    expect(plan.conclusion).toMatchObject({
      outcome: "partial",
      reason: "revision 1 could not be planned: no model",
      answer: { text: "so far\n\nrevision 1 could not be planned: no model", status: "partial" },
    });
  });

  it("can add dependents of failed steps, which are then skipped", () => {
    const plan = after(
      submitted([step("a"), step("b", ["a"]), step("z")]),
      succeeded("z"),
      failed("a"),
      skipped(["b"], "a"),
      revisionRequested(1),
      draftStarted(1),
      planned(step("c", ["b"])),
      revised(1),
    );
    expect(decide(plan, [{ kind: "skip", because: stepOf(plan, "b").step.id }])).toMatchObject([
      { event: { type: "step.skipped", data: { stepIds: ["c"], because: "b" } } },
    ]);
  });
});

describe("the answer of a revised plan", () => {
  const events = [
    submitted([step("a"), step("b", ["a"]), step("c")]),
    failed("a"),
    skipped(["b"], "a"),
    succeeded("c"),
    revisionRequested(1),
    draftStarted(1),
    planned(step("d")),
  ];
  const answerOf = (...more: PlanEvent[]) => after(...events, ...more).conclusion?.answer;

  it("does not report steps that the revision replaced as missing", () => {
    expect(
      answerOf(revised(1, { dropped: ["a", "b"], answerFrom: "d" }), succeeded("d", "42")),
    ).toMatchObject({
      text: "42",
      status: "success",
    });
  });

  it("reports failed steps that the revision kept as missing", () => {
    expect(answerOf(revised(1, { dropped: ["b"], answerFrom: "d" }), succeeded("d", "42"))).toMatchObject({
      text: "42\n\nMissing: step a failed: boom.",
      status: "partial",
    });
  });
});

describe("a step that a revision drops before it has run", () => {
  it("is dropped together with its dependents", () => {
    const plan = after(
      ...toRevise(),
      draftStarted(1),
      planned(step("c")),
      planned(step("d", ["c"])),
      revised(1, { dropped: ["c"] }),
    );
    expect(stepOf(plan, "c").state).toMatchObject({ status: "cancelled", reason: "dropped by revision 1" });
    expect(decideNext(plan)).toMatchObject([
      { kind: "stop" },
      { kind: "record", event: { type: "step.skipped", data: { stepIds: ["d"], because: "c" } } },
    ]);
  });
});
