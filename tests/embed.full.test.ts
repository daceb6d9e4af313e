// docs/guides/embed.md: every block of it, compiled and run in a project that has only the published packages. With it, the
// other blocks that need such a project: the testkit's README, and the login for a worker elsewhere.
import { freePort } from "@planwright/launcher";
import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { blocksRunBy } from "./support/documents/block-runners.ts";
import { commandsOf, settingsOf } from "./support/documents/shell-settings.ts";
import { emptyProject, packAll } from "./support/installed-packages.ts";

const GUIDE = path.resolve(import.meta.dirname, "../docs/guides/embed.md");
/** What the guide's own project has besides, in the versions that this test knows. */
const OTHERS = ["express@5.3.0", "@types/express@5.0.6", "@types/node@26.6.6"];
/** What a project of Next.js has, in the versions that this test knows. */
const NEXT = [
  "next@16.4.6",
  "react@19.3.1",
  "react-dom@19.3.1",
  "typescript@5.9.3",
  "@types/react@19.3.0",
  "@types/node@26.6.6",
];
const ROUTE = "app/api/ask/route.ts";
const BLOCK = /^```ts\n\/\/ (\S+)\n([\s\S]*?)^```$/gm;

await using disposed = new AsyncDisposableStack();
const stack = disposed.move();
afterAll(() => stack.disposeAsync());
const { packed } = stack.use(await packAll());
const project = stack.use(await emptyProject(packed, OTHERS));
const blocks = [...(await readFile(GUIDE, "utf8")).matchAll(BLOCK)].map(([, file = "", code = ""]) => ({
  file,
  code,
}));
for (const { file, code } of blocks) await project.write(file, code);
const files = blocks.map(({ file }) => file);
const claimed = blocksRunBy("tests/embed.full.test.ts");
const shell = claimed
  .filter(({ language }) => language === "sh")
  .flatMap(({ code }) => commandsOf(code))
  .map((line) => ({ line, ...settingsOf(line) }));
const TESTKIT = "testkit-readme.ts";
for (const { file, code } of claimed)
  if (file === "packages/testkit/README.md") await project.write(TESTKIT, code);

it("has a block for each embedding, whose files import published packages only", () => {
  expect(files).toEqual(["ask.ts", "server.ts", "app/api/ask/route.ts", "tools/price.ts", "price.test.ts"]);
  const ours = blocks.flatMap(({ code }) =>
    [...code.matchAll(/from "(@?planwright[^"]*)"/g)].map(([, name]) => name),
  );
  const names = new Set<string | undefined>(packed.map(({ name }) => name));
  expect(ours.length).toBeGreaterThan(0);
  expect(ours.filter((name) => !names.has(name))).toEqual([]);
});

it("shows commands that install published packages, start a worker, and create a login for one", () => {
  const names = new Set<string>(packed.map(({ name }) => name));
  const installed = shell.flatMap(({ line }) =>
    line.startsWith("npm install ") ? line.split(" ").slice(2) : [],
  );
  expect(installed.length).toBeGreaterThan(3);
  expect(installed.filter((name) => !name.startsWith("--") && !names.has(name))).toEqual([]);
  const others = shell.filter(({ line }) => !line.startsWith("npm install "));
  expect(others.map(({ command }) => command).toSorted()).toEqual([
    "npx planwright credentials worker --pool shop",
    "npx planwright worker",
  ]);
});

it("compiles under strict TypeScript", async () => {
  expect(await project.faults([...files, TESTKIT], { types: ["node"] })).toBe("");
});

it("submits from a script and from Express, and runs the tool on a separate worker", async () => {
  // From another folder, so that its own worker does not have the tool.
  await using system = await project.start([], {}, "app");
  const env = { PLANWRIGHT_URL: system.url };

  const script = await project.run(process.execPath, ["ask.ts", "What is 12 * 7?"], env);
  expect(script.printed).toContain("plan.ended");
  expect(script.printed).toContain("12 * 7 = 84");
  expect(script.code).toBe(0);

  await askServer(env);

  await project.write(
    "plan.json",
    JSON.stringify({ steps: [{ id: "a", tool: "shop.price", args: { product: "tent" } }] }),
  );
  const submit = () => project.planwright(["submit", "--plan", "plan.json", "--watch", "the price"], env);
  expect(await submit()).toMatchObject({ code: 5, printed: expect.stringContaining("shop.price") });
  const { env: shown = {} } = shell.find(({ command }) => command === "npx planwright worker") ?? {};
  expect(shown).toEqual({ PLANWRIGHT_DATA: "../system/.planwright", EXECUTOR_POOLS: "shop" });
  const data = { PLANWRIGHT_DATA: path.join("app", ".planwright") };
  await using _worker = await startWorker({ ...shown, ...data });
  expect(await submit()).toMatchObject({ code: 0, printed: expect.stringContaining("usd: 120") });

  const login = await project.planwright(["credentials", "worker", "--pool", "shop"], data);
  expect(login.printed).toMatch(/^NATS_URL=nats:\/\/\S+\nNATS_NKEY_SEED=\S+\nEXECUTOR_POOLS=shop\n$/);
});

it("submits from a route inside of Next.js, which passes each event on as it arrives", async () => {
  const own = packed.filter(({ name }) => name === "@planwright/client");
  await using next = await emptyProject(own, NEXT);
  // Next.js fills it in.
  await next.write("tsconfig.json", JSON.stringify({ compilerOptions: { strict: true } }));
  await next.write(ROUTE, blocks.find(({ file }) => file === ROUTE)?.code ?? "");
  await using system = await project.start([], {}, "app");
  const env = { PLANWRIGHT_URL: system.url, NEXT_TELEMETRY_DISABLED: "1" };
  const built = await next.run(path.join("node_modules", ".bin", "next"), ["build"], env);
  expect(built.printed).toContain("/api/ask");
  expect(built.code).toBe(0);
  const port = String(await freePort("127.0.0.1"));
  await using server = run(path.join("node_modules", ".bin", "next"), ["start", "-p", port], env, next);
  await vi.waitUntil(() => /Ready in/.test(server.printed()), { timeout: 60_000 });
  const ask = (body: object) =>
    fetch(`http://localhost:${port}/api/ask`, { method: "POST", body: JSON.stringify(body) });

  expect((await ask({})).status).toBe(400);
  const response = await ask({ question: "What is 2 * 21?" });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const chunks = await Array.fromAsync(response.body ?? [], (chunk) => new TextDecoder().decode(chunk));
  expect(chunks.length).toBeGreaterThan(1);
  expect(chunks.join("")).toMatch(/^id: 1\nevent: goal\.submitted\n/);
  expect(chunks.join("")).toMatch(/event: answer\ndata: "2 \* 21 = 42[^\n]*\n\n$/);
});

it("names the missing setting when a worker has no system", async () => {
  const { code, printed } = await project.planwright(["worker"]);
  expect([code, printed]).toEqual([2, expect.stringContaining("NATS_URL is not set")]);
});

it("runs the testkit's example as its README shows it", async () => {
  const { code, printed } = await project.run(process.execPath, [TESTKIT]);
  expect([code, printed.trim()]).toEqual([0, "succeeded 12 dollars { product: 'tent' }"]);
});

it("runs the tool's test in a system of the test's own", async () => {
  const { code, printed } = await project.run(process.execPath, ["--test", "price.test.ts"]);
  expect(printed).toMatch(/pass 1\b/);
  expect(code).toBe(0);
});

/** Submits twice with one key, and reads the answer and a refusal. */
async function askServer(env: NodeJS.ProcessEnv): Promise<void> {
  await using server = run(process.execPath, ["server.ts"], { ...env, PORT: "0" });
  await vi.waitUntil(() => /port: \d+/.test(server.printed()), { timeout: 60_000 });
  const url = `http://127.0.0.1:${/port: (\d+)/.exec(server.printed())?.[1]}`;
  const ask = async (body: object) => {
    const headers = { "content-type": "application/json", "idempotency-key": "once" };
    return fetch(`${url}/questions`, { method: "POST", headers, body: JSON.stringify(body) });
  };
  expect((await ask({})).status).toBe(400);
  const first = await ask({ question: "What is 3 * 7?" });
  expect(first.status).toBe(202);
  const accepted: unknown = await first.json();
  expect(await (await ask({ question: "What is 3 * 7?" })).json()).toEqual(accepted);
  const answer = async () => (await fetch(url + (first.headers.get("location") ?? ""))).json();
  await expect
    .poll(answer)
    .toMatchObject({ status: "succeeded", answer: expect.stringContaining("3 * 7 = 21") });
  const unknown = await fetch(`${url}/questions/nope`);
  expect([unknown.status, await unknown.json()]).toEqual([
    404,
    expect.objectContaining({ code: "plan_not_found" }),
  ]);
}

/** Runs the worker of the guide until it is disposed. */
async function startWorker(env: NodeJS.ProcessEnv) {
  const worker = run(path.join("node_modules", ".bin", "planwright"), ["worker"], env);
  await vi.waitUntil(() => /"started"/.test(worker.printed()), { timeout: 60_000 });
  return worker;
}

function run(file: string, args: readonly string[], env: NodeJS.ProcessEnv, { folder } = project) {
  const child = spawn(file, args, {
    cwd: folder,
    env: project.environment(env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += String(chunk)));
  const closed = new Promise((resolve) => child.once("close", resolve));
  return {
    printed: () => printed,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await closed;
    },
  };
}
