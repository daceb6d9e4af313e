// A light step that kills its worker: the unit that it is part of is taken apart, and it fails alone.
import { echo } from "@planwright/testkit";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { sharedSystem } from "../support/shared-system.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-tools-"));
const executor = { PLANWRIGHT_TOOLS: folder };
const shared = sharedSystem({ alone: ["executor"], services: { executor } });
afterAll(() => rm(folder, { recursive: true, force: true }));

await writeFile(
  path.join(folder, "die.ts"),
  `
import { defineTool, z } from "@planwright/tools-kit";

export default defineTool({
  name: "own.die",
  description: "Kills its worker.",
  input: z.strictObject({}),
  output: z.string(),
  risk: "low",
  effect: "read",
  light: true,
  timeoutMs: 5_000,
  run: async () => {
    process.kill(process.pid, "SIGKILL");
    return "never";
  },
});
`,
);

it("fails alone, and every other step of its unit runs", async () => {
  const { system } = shared;
  const steps = [
    echo("a"),
    { id: "killer", tool: "own.die", args: {}, dependsOn: ["a"], retry: { maxAttempts: 1 } },
    echo("b", { dependsOn: ["a"] }),
    echo("c", { dependsOn: ["b"] }),
    echo("after", { dependsOn: ["killer"] }),
  ];
  const { planId } = await system.client.submit({ goal: "survive", plan: { steps } });
  let deaths = 0;
  for (;;) {
    const [process] = system.processes("executor");
    const { endedAt } = await system.client.view(planId);
    if (endedAt !== undefined) break;
    if (process?.isRunning() !== true) {
      deaths += 1;
      await system.start("executor", executor);
    }
    await Promise.race([process?.ended, new Promise((resolve) => setTimeout(resolve, 200))]);
  }
  const view = await system.client.view(planId);
  const statuses = Object.fromEntries(view.steps.map(({ id, status }) => [id, status]));
  expect(statuses).toEqual({
    a: "succeeded",
    killer: "failed",
    b: "succeeded",
    c: "succeeded",
    after: "skipped",
  });
  expect(view.steps.find(({ id }) => id === "killer")?.error).toMatchObject({ code: "deliveries_exhausted" });
  expect(deaths).toBeGreaterThanOrEqual(5);
  const types: string[] = [];
  for await (const { event } of system.client.events(planId)) {
    types.push(event.type);
    if (event.type === "plan.ended") break;
  }
  expect(types.filter((type) => type === "unit.closed")).toHaveLength(1);
});
