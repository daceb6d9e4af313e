// Examples of plans that hand work to sub-plans, and of plans in waves.
import type { PlanView } from "@planwright/plan";
import { expect, it } from "vitest";
import { exampleStage } from "../support/example-stage.ts";
import { sharedSystem } from "../support/shared-system.ts";

const shared = sharedSystem();
const { play, runToEnd } = exampleStage(shared);

it("blog-platform: divides to a depth of 3, runs the leaves, and nests their results", async () => {
  const view = await runToEnd(await play("blog-platform"));
  expect(view).toMatchObject({ status: "succeeded", strategy: "hierarchical" });
  expect(view.answer?.text).toBe(
    "Blog platform: an API over a store of posts(id, title, body); a page that lists posts.",
  );
  const family = await familyOf(view);
  expect(
    family.map(({ goal, parent }) => [parent?.depth ?? 0, goal.split(" ").slice(0, 3).join(" ")]),
  ).toEqual([
    [0, "Build a blog"],
    [1, "Build the backend"],
    [2, "Design the storage"],
    [3, "Write the schema"],
    [1, "Build the frontend"],
  ]);
  const leaves = family.filter(({ steps }) => steps.every(({ child }) => child === undefined));
  expect(
    leaves.map(({ status, steps }) => [status, steps.map(({ id, status: step }) => `${id} ${step}`)]),
  ).toEqual([
    ["succeeded", ["table succeeded"]],
    ["succeeded", ["page succeeded"]],
  ]);
  expect(new Set(family.map(({ traceId }) => traceId)).size).toBe(1);
  // Five plans were drafted, and counted once each where they belong.
  expect(view.usage.modelCalls).toBe(5);
  // At the deepest level, no further one is offered.
  const offered = shared.model.calls("plan").map(({ request }) => textOf(request));
  expect(offered.filter((text) => !text.includes('"plan.run"'))).toEqual([
    expect.stringContaining("Write the schema"),
  ]);
});

it("marketing-campaign: 3a and 3b overlap, and sprint 2 is planned from the results of sprint 1", async () => {
  const view = await runToEnd(await play("marketing-campaign"));
  expect(view).toMatchObject({ status: "succeeded", strategy: "waves", revision: 1 });
  expect(view.revisions).toMatchObject([{ cause: "wave", added: ["4"] }]);
  const [left, right] = ["3a", "3b"].map((id) => timesOf(view, id));
  if (left === undefined || right === undefined) throw new Error("wanted both channels");
  expect(Math.max(left.start, right.start)).toBeLessThan(Math.min(left.end, right.end));
  const sprints = shared.model
    .calls("plan")
    .map(({ request }) => textOf(request))
    .filter((text) => !text.includes("Research who buys"));
  expect(sprints).toHaveLength(2);
  expect(sprints[0]).not.toContain("120 visits");
  expect(sprints[1]).toContain("three posts, 120 visits");
  expect(sprints[1]).toContain("one newsletter, 45 visits");
  expect(view.answer?.text).toBe("More of three posts, 120 visits");
});

/** A plan and all its sub-plans, in the order of their steps. */
async function familyOf(view: PlanView): Promise<PlanView[]> {
  const family = [view];
  for (const { child } of view.steps) {
    if (child !== undefined) family.push(...(await familyOf(await shared.system.client.view(child))));
  }
  return family;
}

function timesOf({ steps }: PlanView, id: string): { start: number; end: number } {
  const { startedAt = "", endedAt = "" } = steps.find((step) => step.id === id) ?? {};
  return { start: Date.parse(startedAt), end: Date.parse(endedAt) };
}

/** The words of a request, as the model reads them. */
function textOf(request: unknown): string {
  const { messages } = request as { messages: { content: string }[] };
  return messages.map(({ content }) => content).join("\n");
}
