// Tools of the user's own, in files beside the services: found, used, changed while everything runs, and broken.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { sharedSystem } from "./support/shared-system.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-tools-"));
const shared = sharedSystem({ services: { executor: { PLANWRIGHT_TOOLS: folder } } });
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A tool named `own.<name>` whose body is `run`. */
const toolFile = (name: string, run: string, kit = "@planwright/tools-kit") => `
import { defineTool, PermanentError, TransientError, z } from "${kit}";

export default defineTool({
  name: "own.${name}",
  description: 'Says what it is told. Output: {"said": "x"}; refer to it as {"$ref": "s1.output.said"}.',
  input: z.strictObject({ words: z.array(z.string()) }),
  output: z.object({ said: z.string() }),
  risk: "low",
  effect: "read",
  timeoutMs: 5_000,
  run: async ({ words }: { words: string[] }) => ${run},
});
`;
const write = (file: string, text: string) => writeFile(path.join(folder, file), text);

await write("say.ts", toolFile("say", '({ said: words.join(" ") })'));
await write(
  "refuse.ts",
  toolFile("refuse", '{ throw new PermanentError("not today", { code: "closed" }); }'),
);
await write("broken.ts", "export default 7;");
await write("worse.ts", "this is no program");
await write("twin.ts", toolFile("say", '({ said: "the second of its name" })'));
await write("say.test.ts", "throw new Error('a test is no tool');");

async function toolNames(): Promise<string[]> {
  const Tools = z.object({ tools: z.array(z.object({ name: z.string() })) });
  const { tools } = Tools.parse(await (await shared.system.client.fetch("/v1/tools")).json());
  return tools.map(({ name }) => name).filter((name) => name.startsWith("own."));
}

async function run(tool: string, args: object = { words: ["well", "done"] }) {
  const { planId } = await shared.system.client.submit({
    goal: "say it",
    plan: { steps: [{ id: "say", tool, args }] },
  });
  return await shared.system.client.ended(planId);
}

it("offers them like any other, with their schema", async () => {
  expect(await toolNames()).toEqual(["own.refuse", "own.say"]);
  expect(await run("own.say")).toMatchObject({
    status: "succeeded",
    steps: [{ output: { value: { said: "well done" } } }],
  });
  const refused = await shared.system.client.fetch("/v1/plans", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      goal: "x",
      plan: { steps: [{ id: "say", tool: "own.say", args: { words: 7 } }] },
    }),
  });
  expect([refused.status, await refused.text()]).toEqual([422, expect.stringContaining("words")]);
});

it("answers to the name that the kit had before", async () => {
  await write("old.ts", toolFile("old", '({ said: words.join(" ") })', "@planwright/executor/tools"));
  await expect.poll(toolNames).toContain("own.old");
  expect(await run("own.old")).toMatchObject({ status: "succeeded" });
  await rm(path.join(folder, "old.ts"));
  await expect.poll(toolNames).not.toContain("own.old");
});

it("knows the errors that they throw for its own", async () => {
  expect((await run("own.refuse")).steps[0]).toMatchObject({
    status: "failed",
    attempt: 1,
    error: { code: "closed" },
  });
});

it("reports a file that it cannot use, by name and reason, and continues", async () => {
  const workers = async () => await (await shared.system.client.fetch("/v1/workers")).text();
  await expect.poll(workers).toContain("broken.ts");
  const told = await workers();
  expect(told).toContain("wanted a tool as the default export");
  expect(told).toContain("worse.ts");
  expect(told).toContain("there is another tool named own.say");
});

it("loads added, changed and removed files while it runs", async () => {
  await write(
    "shout.mjs",
    toolFile("shout", "({ said: words.join(' ').toUpperCase() })").replace(": { words: string[] }", ""),
  );
  await expect.poll(toolNames).toContain("own.shout");
  expect((await run("own.shout")).steps[0]?.output).toEqual({ value: { said: "WELL DONE" } });
  await write("shout.mjs", "export default null;");
  await expect.poll(toolNames).not.toContain("own.shout");
  await write("say.ts", toolFile("say", '({ said: "changed" })'));
  await expect
    .poll(async () => (await run("own.say")).steps[0]?.output)
    .toEqual({ value: { said: "changed" } });
});

it("does not start with a missing folder", async () => {
  const missing = path.join(folder, "missing");
  const executor = await shared.system
    .start("executor", { PLANWRIGHT_TOOLS: missing })
    .catch((error: unknown) => error);
  expect(String(executor)).toContain(`PLANWRIGHT_TOOLS: folder ${missing} not found`);
});

it("sends the steps of a tool that claims to be light and is not alone, in plans that are submitted from then on", async () => {
  const slow = toolFile(
    "slow",
    "{ await new Promise((done) => setTimeout(done, 300)); return { said: 'late' }; }",
  );
  await write("slow.ts", slow.replace('effect: "read",', 'effect: "read", light: true,'));
  await expect.poll(toolNames).toContain("own.slow");
  const { client } = shared.system;
  const isLight = async () => {
    const Tools = z.object({ tools: z.array(z.object({ name: z.string(), light: z.boolean().optional() })) });
    const { tools } = Tools.parse(await (await client.fetch("/v1/tools")).json());
    return tools.find(({ name }) => name === "own.slow")?.light ?? false;
  };
  /** The units of a plan with two steps. */
  const unitsOf = async () => {
    const steps = ["a", "b"].map((id) => ({ id, tool: "own.slow", args: { words: [] } }));
    const { planId } = await client.submit({ goal: "be slow", plan: { steps } });
    const units: unknown[] = [];
    for await (const { event } of client.events(planId)) {
      if (event.type === "step.succeeded") units.push(event.data.unit);
      if (event.type === "plan.ended") break;
    }
    return units;
  };
  expect(await isLight()).toBe(true);
  expect(await unitsOf()).toEqual(["a", "a"]);
  await expect.poll(isLight).toBe(false);
  expect(await unitsOf()).toEqual([undefined, undefined]);
});
