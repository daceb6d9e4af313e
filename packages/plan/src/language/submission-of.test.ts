// Re-runs: the submission that is read back from a plan's first event.
import { describe, expect, it } from "vitest";
import { READ, step, submitted } from "../../test/facts.ts";
import { directPlan } from "./direct-plan.ts";
import type { GoalSubmitted } from "../events/control-events.ts";
import { editSubmission, submissionOf } from "./submission-of.ts";

function goalOf(steps?: readonly object[], more: object = {}): GoalSubmitted["data"] {
  const event = submitted(steps, more);
  if (event.type !== "goal.submitted") throw new Error(`wanted goal.submitted, got ${event.type}`);
  return event.data;
}
const stepsOf = (submission: ReturnType<typeof submissionOf>) =>
  (submission["plan"] as { steps: { id: string }[] } | undefined)?.steps.map(({ id }) => id);

describe("the submission of a plan", () => {
  it("repeats the submitted plan, and asks for no review of it", () => {
    const review = { plan: true, answer: true, steps: false };
    const submission = submissionOf(goalOf([step("a"), step("b", ["a"])], { review }));
    expect(stepsOf(submission)).toEqual(["a", "b"]);
    expect(submission["review"]).toEqual({ ...review, plan: false });
  });

  it("has no plan when a model drafted it, and keeps the review of its draft", () => {
    const review = { plan: true, answer: false, steps: false };
    const submission = submissionOf(goalOf(undefined, { review, sources: ["sales"], learn: false }));
    expect(submission).toMatchObject({ goal: "add up", strategy: "auto", review, data: ["sales"] });
    expect(submission).not.toHaveProperty("plan");
  });

  it("leaves out the price that the gateway added to a budget", () => {
    const budget = { tokens: 10, onExhausted: "end", usdPerToken: { input: 0.1, output: 0.1 } };
    expect(submissionOf(goalOf(undefined, { budget }))["budget"]).toEqual({ tokens: 10, onExhausted: "end" });
  });

  it("does not repeat the start time", () =>
    expect(submissionOf(goalOf([step("a")], { startAt: "2030-01-01T00:00:00.000Z" }))).not.toHaveProperty(
      "startAt",
    ));

  it("lists the steps that a fork carried over before the others", () => {
    const carried = [
      { step: { ...step("a"), description: "", args: {} }, grant: READ, output: { value: 1 }, artifacts: [] },
    ];
    expect(stepsOf(submissionOf(goalOf([step("b")], { carried })))).toEqual(["a", "b"]);
  });

  it("has no plan when the strategy direct derived it, and keeps a plan that was submitted with it", () => {
    const derived = directPlan({ goal: "add up", constraints: [] });
    const direct = { strategy: "direct", plan: derived };
    expect(submissionOf(goalOf(undefined, direct))).not.toHaveProperty("plan");
    expect(stepsOf(submissionOf(goalOf([step("own")], { strategy: "direct" })))).toEqual(["own"]);
  });

  it("reassembles the parts of a long text", () => {
    const steps = [
      step("s1", [], { args: { context: "One. " } }),
      step("s2", [], { args: { context: "Two." } }),
      step("sum", ["s1", "s2"]),
    ];
    const inputCut = { chunkChars: 600, groupSize: 3 };
    const submission = submissionOf(goalOf(steps, { inputCut }));
    expect(submission["input"]).toEqual({ ...inputCut, text: "One. Two." });
    expect(submission).not.toHaveProperty("plan");
    expect(submissionOf(goalOf(undefined, { inputCut }))).not.toHaveProperty("input");
  });
});

describe("edits", () => {
  const submission = { goal: "old", constraints: ["x"], input: { text: "long" } };

  it("replace fields, and remove those that are null", () =>
    expect(editSubmission(submission, { goal: "new", constraints: null })).toEqual({
      goal: "new",
      input: { text: "long" },
    }));

  it.each([
    ["replace the text that the old plan was made from", { steps: [] }, { goal: "old", plan: { steps: [] } }],
    ["keep the text when they only remove a plan", null, { goal: "old", input: { text: "long" } }],
  ])("%s", (_what, plan, expected) =>
    expect(editSubmission({ ...submission, constraints: null }, { plan })).toEqual(expected),
  );

  it("work on a submission without a text", () =>
    expect(editSubmission({ goal: "old" }, { goal: "new" })).toEqual({ goal: "new" }));
});
