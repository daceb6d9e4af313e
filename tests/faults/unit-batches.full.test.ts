// A worker dies before or after it stores the first, middle or last outcomes of a unit: which steps run again.
import { PlanId } from "@planwright/plan";
import { connectBus, readPlanEvents } from "@planwright/shared/bus";
import { brokenPromises } from "@planwright/testkit";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { sharedSystem } from "../support/shared-system.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-tools-"));
const executor = { PLANWRIGHT_TOOLS: folder };
const shared = sharedSystem({ alone: ["executor"], services: { executor } });
afterAll(() => rm(folder, { recursive: true, force: true }));

// It takes longer than outcomes wait for others, so that each outcome of a chain is stored by itself.
await writeFile(
  path.join(folder, "note.ts"),
  `
import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { defineTool, z } from "@planwright/tools-kit";

export default defineTool({
  name: "own.note",
  description: "Notes which process runs which step.",
  input: z.strictObject({}),
  output: z.string(),
  risk: "low",
  effect: "read",
  light: true,
  timeoutMs: 5_000,
  run: async (_, { planId, stepId }) => {
    appendFileSync(${JSON.stringify(folder)} + "/runs-" + planId, process.pid + " " + stepId + "\\n");
    await delay(8);
    return stepId;
  },
});
`,
);

const STEPS = ["first", "middle", "last"];
const chain = STEPS.map((id, index) => ({
  id,
  tool: "own.note",
  args: {},
  dependsOn: STEPS.slice(Math.max(0, index - 1), index),
}));

/** The steps that the first process of a plan has run, and those that others have run, each as often as it ran. */
async function runsOf(planId: string): Promise<{ pid: string; own: string[]; others: string[] }> {
  const lines = (await readFile(path.join(folder, `runs-${planId}`), "utf8")).trim().split("\n");
  const runs = lines.map((line) => line.split(" "));
  const pid = runs[0]?.[0] ?? "";
  const stepsOf = (isOwn: boolean) =>
    runs.flatMap(([by, stepId = ""]) => ((by === pid) === isOwn ? [stepId] : []));
  return { pid, own: stepsOf(true), others: stepsOf(false) };
}

const points = ["unit.before-publish", "unit.after-publish"].flatMap((point) =>
  STEPS.map((batch, index) => ({ point, batch, passage: index + 1 })),
);

it.each(points)(
  "repeats only steps without a stored outcome when a worker dies at $point of the $batch batch",
  async ({ point, passage }) => {
    const { system } = shared;
    await using bus = await connectBus({ url: system.nats.url, name: "test" });
    await system.kill("executor");
    const doomed = await system.start("executor", {
      ...executor,
      EXECUTOR_CONCURRENCY: "1",
      PLANWRIGHT_FAULTS: `${point}=kill@${passage}`,
    });
    const submit = async () =>
      (await system.client.submit({ goal: "a chain", plan: { steps: chain, answerFrom: "last" } })).planId;
    let planId = await submit();
    // On a slow machine, a unit may be taken apart before it has stored so much.
    while ((await Promise.race([doomed.ended, system.client.ended(planId)])) !== "SIGKILL")
      planId = await submit();
    await system.start("executor", executor);

    expect((await system.client.ended(planId)).status).toBe("succeeded");
    const stored = await Array.fromAsync(readPlanEvents(bus, PlanId.parse(planId)));
    expect(brokenPromises({ planId: PlanId.parse(planId), stored })).toEqual([]);
    const ends = stored.flatMap(({ event }) => (event.type === "step.succeeded" ? [event.data] : []));
    expect(ends.map(({ stepId }) => stepId)).toEqual(STEPS);
    const { pid, own, others } = await runsOf(planId);
    const kept = ends.filter(({ workerId }) => workerId.startsWith(`executor-${pid}-`)).length;
    // What was stored has run once. Everything else runs after the death, also what had run before it.
    expect(own.slice(0, kept)).toEqual(STEPS.slice(0, kept));
    expect(others).toEqual(STEPS.slice(kept));
  },
);
