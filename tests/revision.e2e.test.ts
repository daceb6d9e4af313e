// When the results do not answer the goal: the plan is revised, what is finished stays, and there is an end to it.
import { judgementText, planPieces } from "@planwright/testkit";
import { expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const shared = sharedSystem();

const echo = (id: string, value: unknown) => ({ id, tool: "flow.echo", args: { value } });

it("revises the plan once, keeps what is finished, and answers from both", async () => {
  shared.model.play({
    plan: [
      () => planPieces({ steps: [echo("first", "half of it")] }),
      () =>
        planPieces({ steps: [echo("second", "the {{first.output}}, and the rest")], answerFrom: "second" }),
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
    plan: (call) => planPieces({ steps: [echo(`try-${call.number}`, call.number)] }),
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
  expect(view).toMatchObject({ status: "failed", revision: 2, answer: { status: "partial" } });
  expect(view.reason).toContain("max replans exceeded (2)");
  expect(view.answer?.text).toContain("as far as try 3");
  expect(view.steps.map(({ id, status }) => `${id} ${status}`)).toEqual([
    "try-1 succeeded",
    "try-2 succeeded",
    "try-3 succeeded",
  ]);
});
