// A program's changes are made only to the rows that a person has approved: when the rows have changed meanwhile, the plan is revised.
import { loadExample } from "@planwright/testkit";
import { afterAll, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";
import { copyStore } from "./support/sunglasses-store.ts";

const store = await copyStore();
afterAll(() => store[Symbol.asyncDispose]());
const stage = sharedSystem({ services: { executor: { PLANWRIGHT_SOURCES: store.sources } } });

it("makes no approved change to rows that changed meanwhile, and makes those of the revised program", async () => {
  const { client } = stage.system;
  const { script, request } = await loadExample("sunglasses-store");
  stage.model.play(script ?? {});
  const { planId } = await client.submit({ ...request, maxReplans: 1 });
  const approvals = async () => (await client.view(planId)).approvals;
  const approveLast = async () => {
    const { approvalId = "" } = (await approvals()).at(-1) ?? {};
    await client.api.plans.approvals.approve(planId, approvalId);
  };
  await expect.poll(async () => (await approvals()).length).toBe(1);
  store.sellClassicUntil(4);
  await approveLast();
  await expect.poll(async () => (await approvals()).length).toBe(2);
  expect(store.classicInStock()).toBe(4);
  await approveLast();
  await client.ended(planId);
  expect(store.classicInStock()).toBe(1);
});
