// A worker reads a log to which services of a newer version also write.
import { BARE_GOAL } from "@planwright/plan/testing";
import { GoalSubmitted } from "@planwright/plan";
import { newerFacts, openPlanLog } from "@planwright/testkit";
import { expect, it } from "vitest";
import { z } from "zod";
import { AnyJson, defineTool } from "../src/tools/define-tool.ts";
import { PLAN_ID, startExecutorBench } from "./support/executor-bench.ts";

const NAME = "test.put";
const put = defineTool({
  name: NAME,
  description: "Would leave the same state.",
  input: z.strictObject({}),
  output: AnyJson,
  risk: "low",
  effect: "idempotent",
  timeoutMs: 60_000,
  run: async () => "put",
});

it("skips unknown events, and starts although some of them arrived after its work was sent", async () => {
  await using bench = await startExecutorBench([put]);
  const submitted = GoalSubmitted.parse({
    id: `${PLAN_ID}/goal.submitted`,
    type: "goal.submitted",
    planId: PLAN_ID,
    at: "2026-01-01T00:00:00.000Z",
    data: {
      ...BARE_GOAL,
      goal: "put",
      tenant: "default",
      strategy: "parallel",
      plan: { steps: [{ id: "a", tool: NAME }] },
      grants: { [NAME]: { pool: "default", risk: "low", effect: "idempotent", timeoutMs: 60_000 } },
      maxReplans: 0,
    },
  });
  const log = openPlanLog(bench.bus);
  await log.put(submitted);
  const newer = newerFacts(bench.bus, PLAN_ID);
  await newer.store("meanwhile");
  expect(await bench.run("a", NAME, {}, { effect: "idempotent" })).toMatchObject({
    type: "step.succeeded",
    data: { output: { value: "put" } },
  });
  expect((await log.events(PLAN_ID)).map(({ type }) => type)).toEqual([
    "goal.submitted",
    "step.started",
    "step.succeeded",
  ]);
  expect(await newer.kept()).toBe(5);
});
