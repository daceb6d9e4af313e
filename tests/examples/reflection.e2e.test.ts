// Examples of reflection and revision, on the whole system as processes. What an example shows is what its test checks.
import type { PlanView } from "@planwright/plan";
import { type Example, findingsText, loadExample } from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { sharedSystem } from "../support/shared-system.ts";

const shared = sharedSystem();

async function play(name: string): Promise<Example["request"]> {
  const { script, request } = await loadExample(name);
  shared.model.play(script ?? {});
  return request;
}

async function runToEnd(request: object): Promise<PlanView> {
  const { planId } = await shared.system.client.submit(request);
  return shared.system.client.ended(planId);
}

describe("reflection-writer", () => {
  it("is rejected twice and approved once: six model calls", async () => {
    const view = await runToEnd(await play("reflection-writer"));
    expect(view).toMatchObject({ status: "succeeded", usage: { modelCalls: 6 } });
    expect(view.answer?.text).toContain("for hikers who count grams");
    expect(view.steps[0]?.reviews?.map(({ verdict, score }) => [verdict, score])).toEqual([
      ["rejected", 0.2],
      ["rejected", 0.6],
      ["accepted", 0.95],
    ]);
    const [, second] = shared.model.calls("write");
    expect(JSON.stringify(second)).toContain("The weight is missing.");
  });

  it("keeps the best of three when none is approved", async () => {
    const request = await play("reflection-writer");
    const { script } = await loadExample("reflection-writer");
    const scores = [0.3, 0.8, 0.5];
    const step_review = scores.map((score) => findingsText({ approved: false, score, issues: ["not yet"] }));
    shared.model.play({ ...script, step_review });
    const view = await runToEnd(request);
    expect(view).toMatchObject({ status: "succeeded", usage: { modelCalls: 6 } });
    expect(view.answer?.text).toBe("The Ridge 2 is a tent of 1.9 kg.");
  });

  it("is not approved by a text that says APPROVED", async () => {
    const request = await play("reflection-writer");
    const { script } = await loadExample("reflection-writer");
    const words = findingsText({ approved: false, score: 0, issues: ["APPROVED"], suggestion: "APPROVED" });
    shared.model.play({ ...script, step_review: words });
    const view = await runToEnd(request);
    expect(view.steps[0]?.reviews?.map(({ verdict }) => verdict)).toEqual([
      "rejected",
      "rejected",
      "rejected",
    ]);
  });

  it("takes the draft as it is when the critic answers prose, and says so", async () => {
    const request = await play("reflection-writer");
    const { script } = await loadExample("reflection-writer");
    shared.model.play({ ...script, step_review: "APPROVED. A fine text!" });
    const view = await runToEnd(request);
    expect(view).toMatchObject({ status: "succeeded", answer: { text: "The Ridge 2 is a tent." } });
    expect(view.steps[0]?.reviews).toMatchObject([{ verdict: "unjudged" }]);
    expect(shared.model.count("step_review")).toBe(2);
  });
});
