// When the results do not answer the goal: the plan is revised, what is finished stays, and there is an end to it.
import { echo, judgementText, planPieces } from "@planwright/testkit";
import { expect, it } from "vitest";
import { z } from "zod";
import { sharedSystem } from "./support/shared-system.ts";

const Metrics = z.object({
  all: z.object({ plans: z.int(), planning: z.object({ plans: z.int() }) }),
});

const shared = sharedSystem();

it("revises the plan once, keeps what is finished, and answers from both", async () => {
  shared.model.play({
    plan: [
      () => planPieces({ steps: [echo("first", { value: "half of it" })] }),
      () =>
        planPieces({
          steps: [echo("second", { value: "the {{first.output}}, and the rest" })],
          answerFrom: "second",
        }),
    ],
    judgement: () =>
      judgementText({ decision: "revise", reason: "the rest is missing", text: "half", sources: ["first"] }),
  });
  const { planId } = await shared.system.client.submit({ goal: "find all of it in the documents" });
  const types: string[] = [];
  for await (const { event } of shared.system.client.events(planId)) {
    types.push(event.type);
    if (event.type === "plan.ended") break;
  }
  expect(types.filter((type) => type === "step.succeeded")).toHaveLength(2);
  expect(types).toContain("plan.revised");
  const view = await shared.system.client.view(planId);
  expect(view).toMatchObject({
    status: "succeeded",
    revision: 1,
    answer: { text: "the half of it, and the rest", sources: ["second"] },
  });
  const [, revision] = shared.model.calls("plan");
  expect(JSON.stringify(revision)).toContain("the rest is missing");
  expect(shared.model.count("judgement")).toBe(1);
});

it("ends with the partial answer and the reason when no revision is left", async () => {
  shared.model.play({
    plan: (call) => planPieces({ steps: [echo(`try-${call.number}`, { value: call.number })] }),
    judgement: ({ number }) =>
      judgementText({
        decision: "revise",
        reason: "still not it",
        text: `as far as try ${number}`,
        sources: [`try-${number}`],
      }),
  });
  const { planId } = await shared.system.client.submit({
    goal: "never good enough in the documents",
    maxReplans: 2,
  });
  const view = await shared.system.client.ended(planId);
  expect(view).toMatchObject({ status: "partial", revision: 2, answer: { status: "partial" } });
  expect(view.reason).toContain("max replans exceeded (2)");
  expect(view.answer?.text).toContain("as far as try 3");
  expect(view.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "try-1 succeeded",
    "try-2 succeeded",
    "try-3 succeeded",
  ]);
});

it("plans a goal with the outcome of a similar one, and counts both", async () => {
  shared.model.play({
    plan: [
      () => planPieces({ steps: [{ id: "look", tool: "files.read", args: { path: "gone.csv" } }] }),
      () => planPieces({ steps: [echo("other", { value: "from elsewhere" })], answerFrom: "other" }),
    ],
    judgement: () =>
      judgementText({ decision: "answer", status: "failed", text: "there is no such file", sources: [] }),
  });
  const { client } = shared.system;
  const get = async (path: string) => (await client.fetch(path)).json();
  const counted = async () => Metrics.parse(await get("/v1/metrics?strategy=parallel")).all;
  const before = await counted();
  const first = await client.submit({ goal: "tell the turnover of the harbour shops" });
  expect(await client.ended(first.planId)).toMatchObject({ status: "failed" });
  const second = await client.submit({ goal: "the turnover of the harbour shops, tell it" });
  expect(await client.ended(second.planId)).toMatchObject({ status: "succeeded" });
  const [plain, taught] = shared.model.calls("plan").map((call) => JSON.stringify(call));
  expect(plain).not.toContain("past_plans");
  expect(taught).toMatch(
    /<past_plans>.*tell the turnover.*look files\.read \(failed: .*failed.*<\/past_plans>/,
  );
  expect(await counted()).toEqual({
    plans: before.plans + 2,
    planning: { plans: before.planning.plans + 2 },
  });
});
