// BACKUP-1 to BACKUP-3: a backup is taken while plans run, and restored into a new system. Every plan ends, and no effect is
// repeated unasked.
import { restoreBackup, takeBackup } from "@planwright/launcher/backup";
import { startNatsServer } from "@planwright/launcher";
import { findNatsServer } from "@planwright/launcher/nats";
import type { PlanView } from "@planwright/plan";
import { connectBus, readRestored, STREAMS } from "@planwright/shared/bus";
import { startEffectCounter, startSystem, type TestSystem } from "@planwright/testkit";
import { mkdtemp, readFile, rm, truncate, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const PLAIN_PLANS = 40;

const effects = await startEffectCounter();
const root = await mkdtemp(path.join(os.tmpdir(), "planwright-backup-"));
const folder = path.join(root, "backup");
const env = { HTTP_FETCH_ALLOW: effects.host };
const log = (): void => undefined;
const shared = sharedSystem({ services: { executor: env } });
afterAll(async () => {
  await effects[Symbol.asyncDispose]();
  await rm(root, { recursive: true, force: true });
});

const send = (id: string, more: object = {}) => ({
  id,
  tool: "http.send",
  args: { url: effects.url("plain"), body: { n: 1 } },
  ...more,
});
const wait = (id: string, ms: number, more: object = {}) => ({
  id,
  tool: "flow.wait",
  args: { ms, value: id },
  ...more,
});

/** Holds the steps that depend on it until {@link answer}. */
const ask = (id: string) => ({ id, tool: "human.ask", args: { question: "Continue?" } });

async function submit(on: TestSystem, steps: object[], more: object = {}): Promise<string> {
  const { planId } = await on.client.submit({
    goal: "survive",
    plan: { steps },
    approval: { risk: "never" },
    ...more,
  });
  return planId;
}

const keyOf = (planId: string, stepId: string): string => `${planId}/${stepId}/0/0`;

/** Waits for the question, and decides. */
async function decide(
  on: TestSystem,
  planId: string,
  {
    kind,
    ...decision
  }: { readonly kind: string; readonly decision: string; readonly [field: string]: unknown },
): Promise<PlanView["approvals"][number]> {
  const pending = async () => {
    // A sub-plan is named by its parent shortly before it is there.
    const { approvals } = await on.client.view(planId).catch(() => ({ approvals: [] }));
    return approvals.find((one) => one.kind === kind && one.status === "pending");
  };
  const approval = await vi.waitUntil(pending, { timeout: 30_000 });
  const answered = await on.client.fetch(`/v1/plans/${planId}/approvals/${approval.approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(decision),
  });
  if (!answered.ok) throw new Error(await answered.text());
  return approval;
}

/** Lets a plan continue that waits for an answer. */
async function answer(on: TestSystem, planId: string): Promise<void> {
  await decide(on, planId, { kind: "question", decision: "answer", answer: "yes" });
}

/** Ids of the plans, by what they were doing when the backup was taken. */
type Mix = Record<
  | "done"
  | "sending"
  | "beforeSending"
  | "beforeSubPlan"
  | "beforeProgram"
  | "asking"
  | "delayed"
  | "retrying"
  | "large",
  string
> & {
  readonly plain: readonly string[];
};
let mix: Mix;
/** Accepted while the backup was taken. */
const during: string[] = [];
let restored: TestSystem;

async function startMix(on: TestSystem): Promise<Mix> {
  const done = await submit(on, [send("act")]);
  await on.client.ended(done);
  const held = effects.hold("after");
  const sending = await submit(on, [send("act")]);
  await held.reached;
  const started: Mix = {
    done,
    sending,
    beforeSending: await submit(on, [ask("first"), send("act", { dependsOn: ["first"] })]),
    beforeSubPlan: await submit(on, [
      ask("first"),
      {
        id: "sub",
        tool: "plan.run",
        args: { goal: "send", plan: { steps: [send("act")] } },
        dependsOn: ["first"],
      },
    ]),
    beforeProgram: await submit(on, [
      ask("first"),
      {
        id: "act",
        tool: "code.run",
        dependsOn: ["first"],
        args: {
          language: "javascript",
          tools: ["http.send"],
          code: `return tools.http.send({ url: "${effects.url("plain")}", body: { n: 1 } }).status;`,
        },
      },
    ]),
    asking: await submit(on, [send("act")], { approval: { risk: "high" } }),
    delayed: await submit(on, [wait("only", 1)], { startAt: new Date(Date.now() + 8_000).toISOString() }),
    retrying: await submit(on, [
      {
        id: "try",
        tool: "http.fetch",
        args: { url: `http://${effects.host}/nothing-there` },
        retry: { maxAttempts: 2, backoffMs: 6_000 },
      },
    ]),
    large: await submit(on, [
      { id: "large", tool: "flow.echo", args: { value: "x".repeat(200_000) } },
      wait("then", 5_000, { dependsOn: ["large"] }),
      { id: "end", tool: "flow.echo", args: { value: { $ref: "large.output" } }, dependsOn: ["then"] },
    ]),
    plain: await Promise.all(
      Array.from({ length: PLAIN_PLANS }, (_, index) =>
        submit(on, [
          wait("a", index * 50),
          wait("b", 200, { dependsOn: ["a"] }),
          wait("c", 200, { dependsOn: ["b"] }),
        ]),
      ),
    ),
  };
  releases.push(() => held.release());
  return started;
}
const releases: (() => void)[] = [];

/** The system continues after the backup, and sends what it was about to send. */
beforeAll(async () => {
  const { system } = shared;
  const store = new DatabaseSync(path.join(system.data, "store.sqlite"));
  store.exec("PRAGMA journal_mode = WAL; CREATE TABLE pieces (n INTEGER); INSERT INTO pieces VALUES (7);");
  await writeFile(path.join(system.data, "agents.json"), JSON.stringify({ agents: {} }));
  mix = await startMix(system);
  let isOver = false;
  const submitting = (async () => {
    while (!isOver) during.push(await submit(system, [wait("a", 10)]));
  })();
  await takeBackup({ folder, dataDir: system.data, access: system.nats.access });
  isOver = true;
  await submitting;
  store.close();
  for (const release of releases) release();
  const asking = [mix.beforeSending, mix.beforeSubPlan, mix.beforeProgram];
  for (const planId of asking) await answer(system, planId);
  for (const planId of [mix.sending, ...asking]) {
    const { status } = await system.client.ended(planId);
    if (status !== "succeeded") throw new Error(`${planId} ${status} before the restore`);
  }
  await system.stopServices();
  // Its next file finds it as this one has.
  for (const name of ["store.sqlite", "agents.json"]) await rm(path.join(system.data, name));

  restored = await startSystem({
    alone: [],
    env,
    prepare: async ({ data, nats }) =>
      void (await restoreBackup({
        folder,
        dataDir: data,
        env: { NATS_URL: nats.url, PATH: process.env["PATH"] },
        log,
      })),
  });
}, 120_000);
afterAll(() => restored?.[Symbol.asyncDispose]());

describe("in the restored system", () => {
  it("has every plan that was accepted before the backup, and each ends", async () => {
    for (const planId of [mix.done, mix.delayed, mix.large, ...mix.plain]) {
      expect((await restored.client.ended(planId)).status).toBe("succeeded");
    }
    expect((await restored.client.ended(mix.retrying)).status).toBe("failed");
  });

  it("either ends or does not know each plan that was accepted during the backup", async () => {
    const outcomes = new Set<string>();
    for (const planId of during) {
      const found = await restored.client.fetch(`/v1/plans/${planId}`);
      await found.arrayBuffer();
      outcomes.add(found.status === 404 ? "never there" : (await restored.client.ended(planId)).status);
    }
    outcomes.delete("never there");
    expect([...outcomes].filter((status) => status !== "succeeded")).toEqual([]);
    expect(during.length).toBeGreaterThan(0);
  });

  it("requires approval before a step that was sending sends again", async () => {
    await decide(restored, mix.sending, { kind: "outcome-unknown", decision: "happened" });
    expect((await restored.client.ended(mix.sending)).status).toBe("succeeded");
    expect(effects.count(keyOf(mix.sending, "act"))).toBe(1);
  });

  it("a step that sent after the backup needs approval before it sends again, and reports why", async () => {
    await answer(restored, mix.beforeSending);
    const { question } = await decide(restored, mix.beforeSending, {
      kind: "outcome-unknown",
      decision: "happened",
    });
    expect(question).toContain("restored from a backup of");
    expect((await restored.client.ended(mix.beforeSending)).status).toBe("succeeded");
    expect(effects.count(keyOf(mix.beforeSending, "act"))).toBe(1);
  });

  it("requires the same approval for a sub-plan that was submitted after the backup", async () => {
    await answer(restored, mix.beforeSubPlan);
    const child = async () =>
      (await restored.client.view(mix.beforeSubPlan)).steps.find(({ id }) => id === "sub")?.child;
    await expect.poll(child, { timeout: 30_000 }).toBeDefined();
    await decide(restored, (await child()) ?? "", { kind: "outcome-unknown", decision: "happened" });
    expect((await restored.client.ended(mix.beforeSubPlan)).status).toBe("succeeded");
  });

  it("requires the same approval for a call of a program", async () => {
    await answer(restored, mix.beforeProgram);
    const output = { status: 200, contentType: "text/plain", body: "" };
    await decide(restored, mix.beforeProgram, { kind: "outcome-unknown", decision: "happened", output });
    expect((await restored.client.ended(mix.beforeProgram)).status).toBe("succeeded");
  });

  it("requires both approvals for a step that was waiting for one, and runs it once approved", async () => {
    await decide(restored, mix.asking, { kind: "tool-risk", decision: "approve" });
    await decide(restored, mix.asking, { kind: "outcome-unknown", decision: "run-again" });
    expect((await restored.client.ended(mix.asking)).status).toBe("succeeded");
    expect(effects.count(keyOf(mix.asking, "act"))).toBe(1);
  });

  it("runs the effects of a new plan without approval", async () => {
    const planId = await submit(restored, [send("act")]);
    expect((await restored.client.ended(planId)).status).toBe("succeeded");
    expect(effects.count(keyOf(planId, "act"))).toBe(1);
  });

  it("has run no effect twice", () => expect(effects.doubled()).toEqual([]));

  it("has the files of the backup, including a database that was being written to", async () => {
    using store = new DatabaseSync(path.join(restored.data, "store.sqlite"), { readOnly: true });
    expect(store.prepare("SELECT n FROM pieces").get()).toEqual({ n: 7 });
    expect(await readFile(path.join(restored.data, "agents.json"), "utf8")).toBe('{"agents":{}}');
  });
});

describe("a backup", () => {
  const restore = (from: string, dataDir: string) =>
    restoreBackup({ folder: from, dataDir, env: process.env, log });

  it("is restored into a data folder with its own nats-server", async () => {
    const dataDir = path.join(root, "own");
    const manifest = await restore(folder, dataDir);
    const { bin } = await findNatsServer({ env: process.env, log });
    await using server = await startNatsServer({
      bin,
      storeDir: path.join(dataDir, "nats"),
      endsWithParent: true,
      log,
    });
    await using bus = await connectBus({ url: server.url, name: "test" });
    for (const { name, state } of manifest.streams) {
      const found = (await bus.manager.streams.info(name)).state;
      expect(found.last_seq).toBeGreaterThanOrEqual(state.last_seq);
    }
    // Of other streams, what has a time to live may be over.
    const { messages } = (await bus.manager.streams.info(STREAMS.plans)).state;
    expect(messages).toBe(manifest.streams.find(({ name }) => name === STREAMS.plans)?.state.messages);
    expect(await readRestored(bus)).toEqual({ sequence: manifest.logSequence, backupAt: manifest.createdAt });
  });

  it("is never restored over existing data", async () => {
    await expect(restore(folder, path.join(root, "own"))).rejects.toThrow(/own is not empty \(.*nats.*\)/);
    const over = { folder, dataDir: path.join(root, "over"), env: { NATS_URL: restored.nats.url }, log };
    await expect(restoreBackup(over)).rejects.toThrow(/already has streams of a system/);
  });

  it("is taken only into an empty folder outside the data folder", async () => {
    const { data: dataDir, nats } = restored;
    await expect(takeBackup({ folder, dataDir, access: nats.access })).rejects.toThrow(/is not empty/);
    const inside = { folder: path.join(dataDir, "backups", "monday"), dataDir, access: nats.access };
    await expect(takeBackup(inside)).rejects.toThrow(/monday is in the data folder/);
  });

  it.each<[string, (copy: string) => Promise<void>, RegExp]>([
    ["without its manifest", (copy) => rm(path.join(copy, "manifest.json")), /is not a complete backup/],
    [
      "in another format",
      (copy) => edit(copy, '"format": 2', '"format": 1'),
      /format 1, but this version restores format 2/,
    ],
    [
      "with a truncated manifest",
      (copy) => truncate(path.join(copy, "manifest.json"), 100),
      /it is not valid JSON and may be truncated/,
    ],
    [
      "with a truncated stream",
      (copy) => truncate(path.join(copy, "streams", "PLANS"), 100),
      /PLANS: it has 100 bytes instead of \d+/,
    ],
    [
      "with a stream that was changed",
      (copy) => flip(path.join(copy, "streams", "PLANS")),
      /PLANS: its checksum does not match/,
    ],
    [
      "without one of its files",
      (copy) => rm(path.join(copy, "files", "agents.json")),
      /agents\.json: it is missing/,
    ],
    [
      "with a path outside its folder",
      (copy) => edit(copy, '"files/agents.json"', '"../../agents.json"'),
      /outside the folder/,
    ],
  ])("is refused %s, and nothing is restored", async (_what, damage, said) => {
    const copy = await mkdtemp(path.join(root, "copy-"));
    const { cp, readdir } = await import("node:fs/promises");
    await cp(folder, copy, { recursive: true });
    await damage(copy);
    const dataDir = path.join(copy, "data");
    await expect(restore(copy, dataDir)).rejects.toThrow(said);
    expect(await readdir(dataDir).catch(() => [])).toEqual([]);
  });
});

async function edit(copy: string, from: string, to: string): Promise<void> {
  const file = path.join(copy, "manifest.json");
  await writeFile(file, (await readFile(file, "utf8")).replace(from, to));
}

async function flip(file: string): Promise<void> {
  const bytes = await readFile(file);
  bytes[50] = (bytes[50] ?? 0) ^ 1;
  await writeFile(file, bytes);
}
