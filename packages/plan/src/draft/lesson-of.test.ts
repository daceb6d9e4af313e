import { describe, expect, it } from "vitest";
import {
  after,
  andAfter,
  answerGiven,
  cancelRequested,
  draftStarted,
  failed,
  planEnded,
  planned,
  revised,
  revisionRequested,
  sealed,
  step,
  submitted,
  submittedPlan,
  succeeded,
} from "../../test/facts.ts";
import type { KnownPlan } from "../machine/plan-state.ts";
import { lessonOf } from "./lesson-of.ts";
import { HOW_CHARS, Lesson, NOTE_CHARS } from "./past-plan.ts";

const lesson = (plan: KnownPlan, outcome = "succeeded") => {
  const found = lessonOf(andAfter(plan, planEnded(outcome)));
  return found === undefined ? undefined : Lesson.parse(found);
};

describe("the lesson of a plan", () => {
  it("describes its approach to the goal, once it has ended", () => {
    const plan = after(
      submittedPlan({ steps: [step("a"), step("b"), step("c", ["a", "b"])] }),
      succeeded("a"),
      succeeded("b"),
      succeeded("c"),
      answerGiven(undefined),
    );
    expect(lessonOf(plan)).toBeUndefined();
    expect(lesson(plan)).toEqual({ how: "a flow.echo; b flow.echo; c flow.echo after a, b" });
  });

  it("includes the reason for its revision, without the steps that the revision dropped", () => {
    const plan = after(
      submitted(),
      draftStarted(1),
      planned(step("a")),
      planned(step("b")),
      sealed(1),
      failed("a"),
      succeeded("b"),
      revisionRequested(1, {}, { reason: "the price is missing" }),
      draftStarted(2),
      planned(step("c", ["b"]), { draft: 2 }),
      revised(2, { dropped: ["a"], added: ["c"], kept: ["b"] }),
      succeeded("c"),
      answerGiven(2),
    );
    expect(lesson(plan)).toEqual({
      how: "b flow.echo; c flow.echo after b",
      note: "revised because: the price is missing",
    });
  });

  it("names the step that failed, and why the plan ended badly", () => {
    const plan = after(submitted([step("a"), step("b")]), failed("a"), cancelRequested("it makes no sense"));
    expect(lesson(plan, "cancelled")).toEqual({ how: "a flow.echo (failed: e); b flow.echo", note: "done" });
  });

  it("is missing if nothing was planned, for sub-plans, and for plans that are always the same", () => {
    expect(lesson(after(submitted(), cancelRequested()), "cancelled")).toBeUndefined();
    const parent = { planId: "p0", stepId: "s", item: 0, attempt: 1, depth: 1 };
    expect(lesson(after(submitted([step("a")], { parent }), cancelRequested()))).toBeUndefined();
    expect(lesson(after(submitted([step("a")], { strategy: "direct" }), cancelRequested()))).toBeUndefined();
    const undrafted = after(submitted(), cancelRequested());
    expect(
      lesson(
        { ...undrafted, conclusion: { outcome: "failed", reason: "no plan", answerRecorded: true } },
        "failed",
      ),
    ).toEqual({ how: "", note: "done" });
  });

  it("is short, however long the plan and its reasons", () => {
    const steps = Array.from({ length: 40 }, (_, index) => step(`a-rather-long-name-of-a-step-${index}`));
    const sink = step(
      "z",
      Array.from({ length: 9 }, (_, index) => `a-rather-long-name-of-a-step-${index}`),
    );
    const plan = after(submitted([sink, ...steps]), cancelRequested());
    const found = lessonOf({
      ...andAfter(plan, planEnded("failed")),
      conclusion: { outcome: "failed", reason: "x".repeat(5_000), answerRecorded: true },
    });
    expect(found?.how).toHaveLength(HOW_CHARS);
    expect(found?.how).toContain("step-3, …; ");
    expect(found?.note).toHaveLength(NOTE_CHARS);
    const many = Array.from({ length: 14 }, (_, index) => step(`s${index}`));
    expect(lesson(after(submitted(many), cancelRequested()))?.how).toMatch(/s11 flow\.echo; 2 more$/);
  });
});
