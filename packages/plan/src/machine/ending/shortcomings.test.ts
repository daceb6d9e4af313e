// How a step that has an output reports what it did not deliver.
import { describe, expect, it } from "vitest";
import { after, faltered, reviewed, step, stepOf, submitted, succeeded } from "../../../test/facts.ts";
import type { PlanEvent } from "../../events/plan-event.ts";
import { incompletenessOf } from "./shortcomings.ts";

const FETCH = submitted([step("a"), step("b")]);
const WRITE = submitted([step("a", [], { tool: "draft.write", review: { maxIterations: 1 } }), step("b")]);
const lackOf = (...events: readonly PlanEvent[]) => incompletenessOf(stepOf(after(...events), "a"));

describe("the incompleteness of a step's output", () => {
  it("is undefined for a step without an output", () => {
    expect(lackOf(FETCH)).toBeUndefined();
    expect(lackOf(FETCH, faltered("a"))).toBeUndefined();
  });

  it("is undefined for an output that is complete", () => {
    expect(lackOf(FETCH, succeeded("a"))).toBeUndefined();
  });

  it("counts the items that failed", () => {
    const { state, ...entry } = stepOf(after(FETCH, succeeded("a")), "a");
    if (state.status !== "succeeded") throw new Error("wanted an output");
    expect(incompletenessOf({ ...entry, state: { ...state, failedItems: 2 } })).toBe(
      "2 of its items failed.",
    );
  });

  it("names a text that ends early and a sub-plan that partially succeeded, each in a sentence", () => {
    const partial = "step x of the sub-plan failed: no such page.";
    expect(lackOf(FETCH, succeeded("a", "text", 1, { truncated: true, partial }))).toBe(
      `The text ends early: the model reached its length limit. ${partial}`,
    );
  });

  it("shortens a long description of what is missing", () => {
    const text = lackOf(FETCH, succeeded("a", "text", 1, { partial: "x".repeat(3_000) }));
    expect(text).toBe(`${"x".repeat(500)}….`);
  });

  it("says why the last review did not approve the output", () => {
    const rejected = reviewed("a", { verdict: "rejected", score: 0.2, issues: ["too long"] });
    expect(lackOf(WRITE, succeeded("a", "text"), rejected)).toBe("Its review did not approve it: too long.");
  });

  it("gives the reason why no review took place", () => {
    const unjudged = reviewed("a", {
      verdict: "unjudged",
      cause: "unusable",
      message: "the critic wrote prose",
    });
    expect(lackOf(WRITE, succeeded("a", "text"), unjudged)).toBe(
      "Its review did not approve it: the critic wrote prose.",
    );
  });

  it("does not mention a review that approved the output, or one that is still in progress", () => {
    expect(lackOf(WRITE, succeeded("a", "text"))).toBeUndefined();
    expect(lackOf(WRITE, succeeded("a", "text"), reviewed("a"))).toBeUndefined();
    expect(lackOf(WRITE, succeeded("a", "text", 1, { truncated: true }))).toMatch(/^The text ends early/);
  });
});
