// What a step can say besides its tool, on the whole system. What follows from it in every case: packages/plan.
import { expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";
import { wait } from "./support/steps.ts";

const shared = sharedSystem();

async function run(plan: object) {
  const { client } = shared.system;
  const { planId } = await client.submit({ goal: "run it", plan });
  return { planId, view: await client.ended(planId) };
}

it("takes one of two ways, and goes on with whichever ran", async () => {
  const { view } = await run({
    steps: [
      { id: "total", tool: "math.evaluate", args: { expression: "50 * 3" } },
      { id: "big", tool: "flow.echo", args: { value: "big" }, when: "total.output.value > 100" },
      { id: "small", tool: "flow.echo", args: { value: "small" }, when: "not total.output.value > 100" },
      { id: "end", tool: "flow.echo", args: { value: "it is {{big.output}}{{small.output}}" } },
    ],
  });
  expect(view).toMatchObject({ status: "succeeded", answer: { text: "it is big", status: "success" } });
  expect(view.steps.map(({ status, passedOver }) => [status, passedOver])).toEqual([
    ["succeeded", undefined],
    ["succeeded", undefined],
    ["skipped", true],
    ["succeeded", undefined],
  ]);
});

it("runs a step for each of a list at once, and shows what failed in its place", async () => {
  const { view, planId } = await run({
    steps: [
      { id: "list", tool: "flow.echo", args: { value: { names: ["a", "../b", "c"] } } },
      {
        id: "files",
        tool: "files.write",
        args: { path: "{{item}}.txt", content: "the file {{item}}" },
        forEach: { $ref: "list.output.names" },
      },
      { id: "read", tool: "files.read", args: { path: "{{files.output[2].path}}" } },
    ],
  });
  const [, files] = view.steps;
  expect(files?.items).toMatchObject([
    { item: 0, value: "a", status: "succeeded" },
    { item: 1, value: "../b", status: "failed" },
    { item: 2, value: "c", status: "succeeded" },
  ]);
  expect(files).toMatchObject({ status: "succeeded", failedItems: 1 });
  expect(view.answer?.status).toBe("partial");
  expect(view.effects.map(({ key, status }) => [key, status])).toEqual([
    [`${planId}/files/0/0`, "done"],
    [`${planId}/files/1/0`, "failed"],
    [`${planId}/files/2/0`, "done"],
  ]);
  expect(view.answer?.text).toContain("the file c");
});

it("has as many items under way as workers have room for, and all of their results in order", async () => {
  const { view } = await run({
    steps: [{ ...wait("wait", 150), args: { ms: 150, value: "{{item}}" }, forEach: [1, 2, 3, 4] }],
  });
  const items = view.steps[0]?.items ?? [];
  const starts = items.map(({ startedAt }) => Date.parse(startedAt ?? ""));
  const ends = items.map(({ endedAt }) => Date.parse(endedAt ?? ""));
  expect(Math.max(...starts)).toBeLessThan(Math.min(...ends));
  expect(view.answer?.data).toEqual(["1", "2", "3", "4"]);
});
