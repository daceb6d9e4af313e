/** Plans of the demo model. */
import { decide, type Scenario, until, untilTraced } from "./scenario.ts";
import { wait } from "@planwright/testkit";
import { planPage, shell, systemPages } from "./page-asks.ts";

/** A plan that a person has edited before it ran, and all pages about the system. */
const edited: Scenario = async (recorder) => {
  const { client } = recorder;
  const plan = { steps: [wait("a", 1)], answerFrom: "a" };
  const { planId } = await client.submit({ goal: "wait", plan, approval: { plan: true } });
  recorder.name("edited", planId);
  await until(async () => (await client.view(planId)).approvals.length === 1);
  await decide(client, planId, "plan-0", { edits: { ...plan, steps: [wait("a", 2)] } });
  await client.ended(planId);
  await untilTraced(client, planId, "execute_tool");
  await recorder.get(...shell(), ...systemPages(), ...planPage(planId));
  await recorder.get("/v1/plans?q=wait&limit=20");
};

export const DEMO_PLANS: Readonly<Record<string, Scenario>> = { edited };
