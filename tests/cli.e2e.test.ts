// The command line against the whole system: the demo store is created, queried, and recreated while the system uses it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { DatabaseSync } from "node:sqlite";
import { createProgram, jsonFieldsOf, processContext } from "@planwright/cli";
import { echo } from "@planwright/testkit";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { runCli } from "../packages/cli/src/testing/run-cli.ts";
import manifest from "../package.json" with { type: "json" };
import { sharedSystem } from "./support/shared-system.ts";

const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-cli-"));
afterAll(() => rm(folder, { recursive: true, force: true }));

async function planwright(...args: string[]): Promise<unknown> {
  const { code, out, err } = await runCli([...args, "--json"], { env: { PLANWRIGHT_DATA: folder } });
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out);
}

const run = (args: readonly string[], input = "") =>
  runCli(args, {
    env: {
      PLANWRIGHT_URL: shared.system.url,
      PLANWRIGHT_CONFIG: folder,
      NATS_URL: shared.system.nats.url,
    },
    input,
  });

/** Runs the installed command as a process, for signals and readers that stop early. */
function start(...args: string[]) {
  const env = { PATH: process.env["PATH"] ?? "", PLANWRIGHT_URL: shared.system.url };
  const child = spawn("node_modules/.bin/planwright", args, { env, stdio: "pipe" });
  const closed = once(child, "close");
  const ended = Promise.all([text(child.stdout), text(child.stderr), closed]).then(([out, err, [code]]) => ({
    code: z.int().nullable().parse(code),
    out,
    err,
  }));
  return { child, ended };
}

const planOf = (...steps: object[]) => JSON.stringify({ steps });

async function submit(plan: string, ...options: string[]): Promise<string> {
  const { code, out } = await run(["submit", "--plan", "-", ...options, "from a terminal"], plan);
  expect(code).toBe(0);
  return out.trim();
}

await planwright("seed");
const shared = sharedSystem({
  services: { executor: { PLANWRIGHT_SOURCES: path.join(folder, "sources.json") } },
});

const Sources = z.array(
  z.looseObject({ name: z.string(), writable: z.boolean(), tables: z.json().optional() }),
);
const data = async () => Sources.parse(await planwright("data", "--url", shared.system.url));

async function ask(sql: string) {
  const { client } = shared.system;
  const steps = [{ id: "ask", tool: "sql.query", args: { source: "store", sql } }];
  const { planId } = await client.submit({ goal: "ask the store", data: ["store"], plan: { steps } });
  return client.ended(planId);
}

it("lists every tool with its risk and effect", async () => {
  const Tools = z.array(
    z.object({ name: z.string(), risk: z.string(), effect: z.string(), pool: z.string() }),
  );
  const listed = Tools.parse(await planwright("tools", "--url", shared.system.url));
  const { tools } = z
    .object({ tools: Tools })
    .parse(await (await shared.system.client.fetch("/v1/tools")).json());
  expect(listed).toEqual(tools);
  expect(listed).toContainEqual({ name: "sql.query", risk: "low", effect: "read", pool: "default" });
});

it("creates a store that plans query, and recreates it while they do", async () => {
  await expect
    .poll(async () => (await data()).find(({ name }) => name === "store"))
    .toMatchObject({ writable: true, origin: "configuration", tables: [{ rows: 6 }, { rows: 1 }] });
  const sql =
    "SELECT item_id, price FROM inventory WHERE ' ' || description LIKE '% round %' AND price < 100";
  expect(await ask(sql)).toMatchObject({
    status: "succeeded",
    steps: [{ output: { value: { rows: [{ item_id: "SG005", price: 60 }] } } }],
  });
  using other = new DatabaseSync(path.join(folder, "store.db"));
  other.exec("UPDATE inventory SET quantity_in_stock = 0 WHERE item_id = 'SG005'");
  const stock = "SELECT quantity_in_stock AS n FROM inventory WHERE item_id = 'SG005'";
  expect(await ask(stock)).toMatchObject({ steps: [{ output: { value: { rows: [{ n: 0 }] } } }] });
  expect(await planwright("seed", "--force")).toMatchObject({ database: "renewed" });
  expect(await ask(stock)).toMatchObject({ steps: [{ output: { value: { rows: [{ n: 10 }] } } }] });
});

it("does not change the store when a plan runs a query", async () => {
  const before = new DatabaseSync(path.join(folder, "store.db"), { readOnly: true });
  const stock = before.prepare("SELECT sum(quantity_in_stock) AS n FROM inventory").get();
  expect(await ask("UPDATE inventory SET quantity_in_stock = 0 RETURNING 1")).toMatchObject({
    status: "failed",
  });
  expect(before.prepare("SELECT sum(quantity_in_stock) AS n FROM inventory").get()).toEqual(stock);
  before.close();
});

it("submits a plan, follows it, and prints only its answer to stdout", async () => {
  const plan = planOf(echo("a", { value: "the answer" }));
  const { code, out, err } = await run(["submit", "--plan", "-", "--watch", "say it"], plan);
  expect([code, out]).toEqual([0, "the answer\n"]);
  const submission = JSON.stringify({ goal: "say it", plan: JSON.parse(plan) });
  for (const command of [
    ["check", "-"],
    ["submit", "--plan", "-", "say it"],
  ]) {
    const refused = await run(command, submission);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining('only the value of its "plan"') });
  }
  expect(err).toMatch(/^plan [\w-]+\n[\s\S]*succeeded {2}100%, 1 of 1 steps\n$/);
});

it("requires sources in an answer, and lists the sentences without one", async () => {
  const steps = planOf(echo("a", { value: "It costs 10 [a]. Ask Ada Lovelace, e.g. by mail. It is cheap." }));
  const { code, out } = await run(["submit", "--plan", "-", "--require-sources", "--watch", "say it"], steps);
  expect(code).toBe(9);
  expect(out).toContain('Without a source: "Ask Ada Lovelace, e.g. by mail.".');
  expect(await run(["submit", "--plan", "-", "--watch", "say it"], steps)).toMatchObject({ code: 0 });
});

it("shows which plans are sub-plans, and which were submitted with their steps", async () => {
  const inner = { goal: "the inner goal", plan: { steps: [echo("x", { value: "inside" })] } };
  const planId = await submit(planOf({ id: "run", tool: "plan.run", args: inner }));
  const { steps } = await shared.system.client.ended(planId);
  const listed = await run(["list", "--search", "inner"]);
  expect(listed.out).toMatch(/^PLAN +STATUS +STEPS +SUBMITTED +PARENT +GOAL\n/);
  expect(listed.out).toMatch(new RegExp(`^${steps[0]?.child} .* ${planId} +the inner goal$`, "m"));
  expect((await run(["show", planId])).out).toMatch(/^\S.* {2}predefined plan {2}trace /m);
  expect((await run(["show", planId, "--format", "markdown"])).out).toMatch(
    /^\| `run` \| {2}\| `plan\.run` \| succeeded \|/m,
  );
  expect((await run(["show", planId, "--format", "mermaid"])).out).toMatch(
    /^flowchart LR\n {2}n0\["run"\]:::succeeded$/m,
  );
});

it("lists pending approvals, and accepts decisions and answers", async () => {
  const ask = { id: "q", tool: "human.ask", args: { question: "Which region?" } };
  const steps = [echo("a", { value: "as planned" }), ask];
  const planId = await submit(JSON.stringify({ steps, answerFrom: "a" }), "--risk", "low");
  const { client } = shared.system;
  await expect.poll(async () => (await client.view(planId)).approvals).toHaveLength(2);
  expect((await run(["show", planId])).out).toContain("answer");
  const waiting = await run(["watch", planId]);
  expect(waiting.code).toBe(7);
  expect(waiting.out).toContain(`planwright approve ${planId} risk-a-0`);
  expect(waiting.out).toContain(`planwright answer ${planId} ask-q-0-1`);
  expect(await run(["approve", planId])).toMatchObject({ code: 2, err: expect.stringContaining("risk-a-0") });
  expect(await run(["answer", planId, "risk-a-0", "yes"])).toMatchObject({
    code: 5,
    err: "planwright: risk-a-0 is an approval, not a question: use approve or reject\n",
  });
  expect(await run(["approve", planId, "ask-q-0-1"])).toMatchObject({
    code: 5,
    err: "planwright: ask-q-0-1 is a question: use answer or reject\n",
  });
  const edits = ["--edits", '{"value": "as edited"}', "--by", "ann"];
  expect(await run(["approve", planId, "risk-a-0", ...edits])).toMatchObject({ code: 0 });
  expect(await run(["answer", planId, "ask-q-0-1", "the", "north"])).toMatchObject({ code: 0 });
  expect(await run(["watch", planId])).toMatchObject({ code: 0 });
  const view = await shared.system.client.view(planId);
  expect(view.steps.map(({ output }) => output)).toMatchObject([
    { value: "as edited" },
    { value: { answer: "the north" } },
  ]);

  const lines = (await run(["watch", planId, "--json"])).out.trim().split("\n");
  const Entry = z.object({ seq: z.int(), event: z.looseObject({ type: z.string() }) });
  const read = lines.map((line) => Entry.parse(JSON.parse(line)));
  expect(read.map(({ seq }) => seq)).toEqual(lines.map((_, index) => index + 1));
  expect(read.at(-1)?.event.type).toBe("plan.ended");

  const again = await run([
    "rerun",
    planId,
    "--goal",
    "asked again",
    "--edits",
    '{"constraints": ["be brief"]}',
  ]);
  expect(await client.view(again.out.trim())).toMatchObject({
    rerunOf: planId,
    goal: "asked again",
    constraints: ["be brief"],
    steps: [{ id: "a", args: { value: "as planned" } }, { id: "q" }],
  });
  await run(["cancel", again.out.trim()]);
  const answered = await run(["rerun", "--watch", await submit(planOf(echo("a", { value: "again" })))]);
  expect(answered).toMatchObject({ code: 0, out: "again\n", err: expect.stringContaining("plan ") });
  const fork = await run(["fork", planId, "a", "--edits", '{"value": "forked"}']);
  expect((await shared.system.client.view(fork.out.trim())).fork).toMatchObject({ planId, fromStep: "a" });
  await run(["cancel", fork.out.trim()]);
  const followed = await run(["fork", planId, "a", "--watch"]);
  expect([followed.code, followed.err]).toEqual([7, expect.stringContaining("waiting for approval")]);
});

it("shows a plan that is waiting for approval, and again when it is approved", async () => {
  const steps = planOf(echo("first", { value: "one" }), {
    id: "second",
    tool: "flow.echo",
    description: "say it again",
    args: { value: "{{first.output}} two" },
  });
  const planId = await submit(steps, "--approve-plan");
  await expect.poll(async () => (await shared.system.client.view(planId)).approvals).toHaveLength(1);
  const plan = [
    /^ {4}first {2}flow\.echo$/m,
    /^ {8}\{"value":"one"\}$/m,
    /^ {4}second {2}flow\.echo {2}say it again {2}after first$/m,
    /^ {8}\{"value":"\{\{first\.output\}\} two"\}$/m,
  ];
  const watched = await run(["watch", planId]);
  expect(watched.code).toBe(7);
  for (const line of plan) expect(watched.out).toMatch(line);
  const approved = await run(["approve", planId]);
  expect(approved.out).toMatch(/^approved: /);
  for (const line of plan) expect(approved.out).toMatch(line);
  expect(await run(["watch", planId])).toMatchObject({ code: 0 });
});

it("exits with a code for each outcome of a plan, and with another after detaching", async () => {
  const failing = await submit(planOf({ id: "a", tool: "files.read", args: { path: "nothing.txt" } }));
  expect(await run(["watch", failing])).toMatchObject({
    code: 6,
    out: expect.stringContaining("nothing.txt"),
  });

  const missing = { id: "b", tool: "files.read", args: { path: "nothing.txt" } };
  const partial = await submit(
    JSON.stringify({ steps: [echo("a", { value: "half of it" }), missing], answerFrom: "b" }),
  );
  expect(await run(["watch", partial])).toMatchObject({
    code: 9,
    out: expect.stringMatching(/half of it[\s\S]*partially succeeded: step b failed: .*nothing\.txt/),
  });
  expect((await run(["list", "--status", "partial"])).out).toContain(partial);
  const refusal = { text: "That cannot be done here.", status: "unsupported_intent" };
  const refused = await submit(planOf({ id: "a", tool: "flow.echo", args: { value: refusal } }));
  expect(await run(["watch", refused])).toMatchObject({
    code: 10,
    out: "That cannot be done here.\n\nrefused: not supported\n",
  });

  const long = await submit(planOf({ id: "a", tool: "flow.wait", args: { ms: 600_000 } }));
  const watching = start("watch", long);
  await once(watching.child.stderr, "data");
  watching.child.kill("SIGINT");
  const left = await watching.ended;
  expect([left.code, left.err]).toEqual([130, expect.stringContaining(`planwright watch ${long}`)]);
  expect((await shared.system.client.view(long)).status).toBe("running");

  expect(await run(["pause", long, "--reason", "lunch"])).toMatchObject({ code: 0, out: "paused\n" });
  expect(await run(["resume", long])).toMatchObject({ code: 0 });
  expect(await run(["cancel", long])).toMatchObject({ code: 0 });
  expect(await run(["watch", long])).toMatchObject({ code: 8 });
  expect(await run(["list", "--status", "cancelled"])).toMatchObject({
    code: 0,
    out: expect.stringContaining(long),
  });
});

it("lists the errors of a plan, and checks the installation", async () => {
  expect(await run(["check", "-"], planOf(echo("a", { value: "x" })))).toMatchObject({
    code: 0,
    out: "the plan is valid\n",
  });
  const wrong = await run(["check", "-"], planOf({ id: "a", tool: "flow.ecko" }));
  expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('there is no tool "flow.ecko"')]);
  expect(await run(["check", "-"], "{")).toMatchObject({
    code: 2,
    err: expect.stringContaining("standard input is not valid JSON"),
  });

  shared.model.play({ check: '{"ok": true}' });
  const doctor = await run(["doctor"]);
  expect(doctor.code).toBe(0);
  for (const what of ["gateway", "workers", "wall around code", "tools", "data", "dead letters"]) {
    expect(doctor.out).toContain(`${what}: `);
  }
  for (const role of ["planner", "executor", "reflector"]) {
    const finding = `${role} model: test-${role} at ${new URL(shared.model.url).origin} responds`;
    expect(doctor.out).toContain(finding);
  }
  expect(doctor.out).toContain("structured output with a JSON schema");
  // A worker may still be running the last step, and a busy server may omit its queues.
  const workers = async (...options: string[]) => (await run(["workers", ...options])).out;
  await expect
    .poll(() => workers())
    .toMatch(/^POOL +QUEUED +IN PROGRESS +OLDEST MESSAGE AGE\n(?:.+\n)*default +0 +0 +-$/m);
  await expect
    .poll(async () => JSON.parse(await workers("--json")) as unknown)
    .toMatchObject({
      // Workers that an earlier test file has killed, and their pools, may still be listed.
      workers: expect.arrayContaining([expect.objectContaining({ pool: "default" })]),
      pools: expect.arrayContaining([expect.objectContaining({ pool: "default", queued: 0 })]),
    });
  expect((await run(["metrics"])).out).toMatch(/^all +\d/m);
  expect(await run(["dead-letters"])).toMatchObject({ code: 0 });
  const unknown = await run(["dead-letters", "--retry", "nope"]);
  expect([unknown.code, unknown.err]).toEqual([
    5,
    expect.stringContaining('dead-letter group "nope" not found'),
  ]);
  const alive = await (await shared.system.client.fetch("/healthz")).json();
  const { child, ended } = start("--version");
  child.stdin.end();
  expect(await ended).toMatchObject({ code: 0, out: `${manifest.version}\n`, err: "" });
  expect(alive).toEqual({ alive: true, version: manifest.version });
});

/** Their documents hold lists, of whose entries fields are selected. */
const IN_LISTS = /^(list|quotas|keys|dead-letters$|audit$)/;

/** Returns the fields of these documents that `--json` would not select. */
function strayFields(line: string, documents: readonly string[]): string[] {
  if (IN_LISTS.test(line)) return [];
  const [name = "", sub = ""] = line.split(" ");
  const known = new Set(jsonFieldsOf(name === "template" ? `${name} ${sub}` : name));
  const objects = documents.flatMap((text) => z.union([z.array(z.json()), z.json()]).parse(JSON.parse(text)));
  return objects.flatMap((one) => Object.keys(one ?? {})).filter((field) => !known.has(field));
}

it("prints JSON to stdout and text to stderr, and exits with a documented code, for every command", async () => {
  const { client } = shared.system;
  const plan = path.join(folder, "plan.json");
  const question = { id: "q", tool: "human.ask", args: { question: "Which?" } };
  const [gated, asking] = [{ steps: [echo("a", { value: "x" })] }, { steps: [question] }];
  await writeFile(plan, JSON.stringify(asking));
  const approval = { risk: "low" };
  const given = [
    { plan: gated, approval },
    { plan: gated, approval },
    { plan: asking },
    { plan: asking },
    { plan: gated },
  ];
  const accepted = await Promise.all(given.map((body) => client.submit({ goal: "a plan", ...body })));
  const [asked = "", refused = "", open = "", unwanted = "", ended = ""] = accepted.map(
    ({ planId }) => planId,
  );
  for (const planId of [asked, refused, open, unwanted]) {
    await expect.poll(async () => (await client.view(planId)).approvals).toHaveLength(1);
  }
  await client.ended(ended);
  shared.model.play({ check: '{"ok": true}' });
  const inTurn: readonly (readonly [line: string, code: number])[] = [
    [`submit --plan ${plan} goal`, 0],
    ["submit --strategy none goal", 5],
    [`submit --watch --plan ${plan} goal`, 7],
    [`watch ${ended}`, 0],
    ["watch no-such-plan", 5],
    ["list", 0],
    ["list --status none", 5],
    [`show ${ended}`, 0],
    [`show ${ended.slice(0, 10)}`, 0],
    [`show ${ended} --format markdown`, 0],
    [`show ${ended} --format pdf`, 2],
    ["show no-such-plan", 5],
    [`step ${ended} a`, 0],
    [`step ${ended} none`, 5],
    [`logs ${ended}`, 0],
    [`logs --follow ${ended}`, 0],
    ["logs no-such-plan", 5],
    [`diff ${ended} ${open}`, 0],
    [`diff ${ended} no-such-plan`, 5],
    [`open ${ended} a --print`, 0],
    ["open no-such-plan", 5],
    [`template save ${ended} again --parameter what=plan`, 0],
    [`template save ${ended} again`, 5],
    [`template save ${ended} other --parameter what=nowhere`, 2],
    ["template list", 0],
    ["template show again", 0],
    ["template show none", 5],
    ["submit --template again --set what=goal", 0],
    ["submit --template again --set who=me", 2],
    ["template delete again", 0],
    ["template delete again", 5],
    [`approve ${asked}`, 0],
    [`approve ${asked}`, 5],
    [`reject ${refused} --reason no`, 0],
    [`pause ${open}`, 0],
    [`pause ${ended}`, 5],
    [`resume ${open}`, 0],
    [`answer ${open} ask-q-0-1 this`, 0],
    [`cancel ${unwanted}`, 0],
    [`cancel ${ended}`, 5],
    [`rerun ${ended}`, 0],
    [`rerun ${ended} --goal other`, 0],
    [`rerun ${ended} --strategy none`, 5],
    [`rerun ${ended} --edits []`, 2],
    ["rerun no-such-plan", 5],
    [`fork ${ended} a`, 0],
    [`fork ${ended} none`, 5],
    [`check ${plan}`, 0],
    [`check ${path.join(folder, "sources.json")}`, 1],
    ["tools", 0],
    ["data", 0],
    ["workers", 0],
    ["kpis", 0],
    ["metrics", 0],
    ["quotas", 0],
    // Without configured keys, there are none to manage.
    ["keys", 5],
    ["keys create ci --role viewer --expires 90d", 5],
    ["keys create ci --role boss", 2],
    ["keys create ci --role viewer --expires soon", 2],
    ["keys revoke none", 5],
    ["sessions end ann", 5],
    ["audit", 5],
    ["audit --verify", 5],
    ["audit --verify --file -", 0],
    ["metrics --from never", 5],
    ["dead-letters", 0],
    ["dead-letters --redrive all", 0],
    ["dead-letters --retry all", 0],
    ["dead-letters --retry nope", 5],
    ["dead-letters --discard nope", 5],
    ["dead-letters --retry all --discard all", 2],
    [`seed --data ${path.join(folder, "another")}`, 0],
    ["doctor", 0],
    [`backup ${path.join(folder, "backup")} --data ${path.join(folder, "data")}`, 0],
    [`backup ${path.join(folder, "backup")} --data ${path.join(folder, "data")}`, 5],
    [`restore ${path.join(folder, "none")} --data ${path.join(folder, "new")}`, 5],
    [`restore ${path.join(folder, "backup")} --data ${path.join(folder, "new")}`, 5],
    [`delete ${ended}`, 0],
    ["delete no-such-plan", 5],
  ];
  const commands = createProgram(processContext({})).commands.map((command) => command.name());
  // These do not use the gateway: two for shells, two that start something, and two that set up nats-server.
  const others = ["completion", "complete", "start", "worker", "provision", "credentials"];
  const walked = new Set([...inTurn.map(([line]) => line.split(" ")[0]), ...others]);
  expect(walked).toEqual(new Set(commands));
  for (const [line, code] of inTurn) {
    const done = await run([...line.split(" "), "--json"]);
    expect(done.code, `${line}: ${done.err}`).toBe(code);
    // Watching prints one line per event; other commands print one line.
    const documents = done.out.split("\n").filter((text) => text !== "");
    expect(() => documents.map((text) => JSON.parse(text)), line).not.toThrow();
    expect(strayFields(line, documents), line).toEqual([]);
    const hasResult = [0, 1, 7].includes(code);
    expect([documents.length > 0, done.err === ""], line).toEqual([hasResult, hasResult]);
  }
});

it("exits silently when its reader stops early, and reports an unreachable gateway", async () => {
  for (const args of [["tools"], ["list", "--json"], ["--help"]]) {
    const { child, ended } = start(...args);
    child.stdout.destroy();
    ended.catch(() => undefined);
    expect(await once(child, "exit"), args.join()).toEqual([0, null]);
  }
  const away = await run(["list", "--url", "http://127.0.0.1:1"]);
  expect(away).toMatchObject({ code: 3, out: "", err: expect.stringContaining("npm start") });
});
