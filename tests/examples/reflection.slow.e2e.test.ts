// Examples of reflection and revision, on the whole system as processes. What an example shows is what its test checks.
import type { PlanView } from "@planwright/plan";
import {
  findingsText,
  judgementText,
  loadExample,
  planPieces,
  type ScriptedReply,
} from "@planwright/testkit";
import { describe, expect, it } from "vitest";
import { exampleStage } from "../support/example-stage.ts";
import { sharedSystem } from "../support/shared-system.ts";

const shared = sharedSystem({ alone: ["reflector"] });
const { play, runToEnd } = exampleStage(shared);

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
    expect(view).toMatchObject({ status: "partial", usage: { modelCalls: 6 } });
    expect(view.answer?.text).toBe("The Ridge 2 is a tent of 1.9 kg.");
  });

  it("is not approved by a text that contains APPROVED", async () => {
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

  it("accepts the draft unchanged when the reviewer answers in prose, and reports that", async () => {
    const request = await play("reflection-writer");
    const { script } = await loadExample("reflection-writer");
    shared.model.play({ ...script, step_review: "APPROVED. A fine text!" });
    const view = await runToEnd(request);
    expect(view).toMatchObject({ status: "partial", answer: { text: "The Ridge 2 is a tent." } });
    expect(view.steps[0]?.reviews).toMatchObject([{ verdict: "unjudged" }]);
    expect(shared.model.count("step_review")).toBe(2);
  });
});

describe("adaptive-planner", () => {
  const idsOf = (view: PlanView, wanted: string) =>
    view.steps.filter(({ status }) => status === wanted).map(({ id }) => id);

  it("continues with 2b, 2c, 3 and 4 when step 2 fails, and runs step 1 once", async () => {
    const view = await runToEnd(await play("adaptive-planner"));
    expect(view).toMatchObject({ status: "succeeded", revision: 1, answer: { text: "found another way" } });
    expect(idsOf(view, "succeeded")).toEqual(["1", "2b", "2c", "3-d2", "4-d2"]);
    expect(view.revisions).toMatchObject([
      { cause: "failure", causedBy: "2", kept: ["1"], added: ["2b", "2c", "3-d2", "4-d2"] },
    ]);
    expect(view.steps.find(({ id }) => id === "1")?.attempt).toBe(1);
  });

  it("ends at the fourth failure with the results so far", async () => {
    const request = await play("adaptive-planner");
    const missing = (number: number) => ({
      id: `try-${number}`,
      tool: "files.read",
      args: { path: `missing-${number}.txt` },
    });
    const one = { id: "one", tool: "flow.echo", args: { value: "found" } };
    shared.model.play({
      plan: ({ number }) => planPieces({ steps: number === 1 ? [one, missing(1)] : [missing(number)] }),
    });
    const view = await runToEnd(request);
    expect(view).toMatchObject({ status: "partial", revision: 3, answer: { status: "partial" } });
    expect(view.reason).toContain("max replans exceeded (3)");
    expect(view.answer?.text).toContain("found");
    expect(idsOf(view, "failed")).toHaveLength(4);
  });
});

describe("self-correction", () => {
  it("revises the plan with the issues and the suggestion, and keeps succeeded steps", async () => {
    const view = await runToEnd(await play("self-correction"));
    expect(view).toMatchObject({ status: "succeeded", revision: 1 });
    expect(view.answer?.text).toContain("sales rise");
    expect(view.revisions).toMatchObject([{ cause: "expectation", causedBy: "trend", kept: ["figures"] }]);
    const [, revision] = shared.model.calls("plan");
    expect(JSON.stringify(revision)).toContain("No direction is named.");
    expect(JSON.stringify(revision)).toContain("Say whether sales rise or fall.");
  });
});

describe("improved-draft", () => {
  it("improves a rejected draft once before anything of it runs: four model calls, two searches", async () => {
    const view = await runToEnd(await play("improved-draft"));
    expect(view).toMatchObject({ status: "succeeded", revision: 1, usage: { modelCalls: 4 } });
    expect(["plan", "plan_review", "write"].map((role) => shared.model.count(role))).toEqual([2, 1, 1]);
    expect(view.planReviews).toMatchObject([{ draft: 1, verdict: "rejected", score: 0.3 }]);
    expect(view.revisions).toMatchObject([
      { cause: "review", kept: ["a"], dropped: ["compare"], added: ["b", "compare-d2"] },
    ]);
    const [, improved] = shared.model.calls("plan");
    expect(JSON.stringify(improved)).toContain("The prices of vendor B are never looked up");
    const types: string[] = [];
    for await (const { event } of shared.system.client.events(view.planId)) types.push(event.type);
    const firstRun = types.findIndex((type) => type === "step.started" || type === "step.succeeded");
    expect(firstRun).toBeGreaterThan(types.indexOf("plan.revised"));
    expect(types.filter((type) => type === "step.succeeded")).toHaveLength(3);
  });

  it("runs the draft unchanged when its reviewer answers in prose, and reports that", async () => {
    const request = await play("improved-draft");
    const { script } = await loadExample("improved-draft");
    shared.model.play({ ...script, plan_review: "APPROVED. A fine plan!" });
    const view = await runToEnd(request);
    expect(view).toMatchObject({ status: "partial", revision: 0, planReviews: [{ verdict: "unjudged" }] });
    expect(shared.model.count("plan")).toBe(1);
  });
});

describe("improved-draft, with its answer reviewed", () => {
  const reject = findingsText({ approved: false, score: 0.4, issues: ["Say by how much."] });

  it("rewrites the answer with the reviewer's feedback, and returns it when it is accepted", async () => {
    const request = await play("improved-draft");
    const { script } = await loadExample("improved-draft");
    const judgement = judgementText({ text: "A is cheaper than B by 5 a month.", sources: ["compare-d2"] });
    shared.model.play({ ...script, judgement, answer_review: [reject, findingsText({ score: 0.9 })] });
    const view = await runToEnd({ ...request, review: { plan: true, answer: { maxIterations: 2 } } });
    expect(view).toMatchObject({ status: "succeeded", usage: { modelCalls: 7 } });
    expect(view.answer?.text).toBe("A is cheaper than B by 5 a month.");
    expect(view.answerReviews?.map(({ verdict, text }) => [verdict, text])).toEqual([
      ["rejected", "A is cheaper than B for small teams."],
      ["accepted", "A is cheaper than B by 5 a month."],
    ]);
    const [rewrite] = shared.model.calls("judgement");
    expect(JSON.stringify(rewrite)).toContain("Say by how much.");
  });

  it("has each review once when the reflector is killed in the middle of it", async () => {
    const request = await play("improved-draft");
    const { script } = await loadExample("improved-draft");
    const { system, model } = shared;
    const heldOnce = (gate: string, text: string): ScriptedReply => {
      return async (call) => {
        if (call.number === 1) await call.hold(gate);
        return text;
      };
    };
    model.play({
      ...script,
      plan_review: heldOnce("plan", findingsText({})),
      answer_review: heldOnce("answer", findingsText({})),
    });
    const { planId } = await system.client.submit({ ...request, review: { plan: true, answer: true } });
    for (const gate of ["plan", "answer"]) {
      await model.reached(gate);
      await system.kill("reflector");
      await system.start("reflector");
    }
    const view = await system.client.ended(planId);
    expect(view).toMatchObject({ status: "succeeded", planReviews: [{ verdict: "accepted" }] });
    expect(view.answerReviews).toMatchObject([{ verdict: "accepted" }]);
    const types: string[] = [];
    for await (const { event } of system.client.events(planId)) types.push(event.type);
    const judged = ["plan.reviewed", "answer.reviewed"];
    expect(types.filter((type) => judged.includes(type))).toEqual(judged);
    expect([model.count("plan_review"), model.count("answer_review")]).toEqual([2, 2]);
  });
});

describe("verification-and-fallback", () => {
  it("a failed verify triggers the fallback; percent is monotonic to 100 and an ETA is shown", async () => {
    const request = await play("verification-and-fallback");
    const [view] = await Promise.all([runToEnd(request), runToEnd(request), runToEnd(request)]);
    const standings = view.steps.map(({ id, status, replacedBy }) => [id, replacedBy ?? status]);
    expect(Object.fromEntries(standings)).toEqual({
      net: "succeeded",
      "verify-net": "succeeded",
      gross: "gross-by-table",
      "verify-gross": "succeeded",
      "gross-by-table": "succeeded",
      profile: "guest",
      guest: "succeeded",
      spare: "skipped",
      file: "succeeded",
      receipt: "succeeded",
    });
    expect(view.steps.find(({ id }) => id === "gross")).toMatchObject({
      status: "failed",
      error: { code: "verification_failed", message: "refused by verify-gross" },
      output: { value: { value: 290 } },
    });
    expect(view).toMatchObject({
      status: "succeeded",
      revision: 0,
      answer: { text: "guest 1 pays 297.5, filed as order.txt", status: "success" },
      progress: { done: 10, total: 10, percent: 100, etaMs: 0 },
    });
    const { plans } = shared.system.client.api;
    const history = () =>
      Promise.all(Array.from({ length: view.seq }, (_, index) => plans.get(view.planId, { seq: index + 1 })));
    const views = await history();
    const percents = views.map(({ progress }) => progress.percent);
    expect(percents).toEqual(percents.toSorted((left, right) => left - right));
    expect([percents[0], percents.at(-1)]).toEqual([0, 100]);
    expect(new Set(percents).size).toBeGreaterThan(4);
    // Three runs of each tool make its duration known, once the gateway has counted them.
    const etas = async () => (await history()).slice(0, -1).flatMap(({ progress }) => progress.etaMs ?? []);
    await expect.poll(etas).not.toEqual([]);
    expect((await etas()).every((etaMs) => etaMs >= 0)).toBe(true);
  });
});
