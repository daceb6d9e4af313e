// Both sides of the Model Context Protocol: plans use a server's tools, and a client uses plans.
import { Client, type ClientOptions, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import { sharedSystem } from "./support/shared-system.ts";

const require = createRequire(import.meta.url);
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-mcp-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const config = path.join(folder, "mcp.json");
const main = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
const hostile = path.resolve("services/executor/test/support/hostile-mcp-server.ts");
await writeFile(path.join(folder, "prices.txt"), "tea 3\n");
await writeFile(
  config,
  JSON.stringify({
    mcpServers: {
      files: { command: process.execPath, args: [main, "${DOCUMENTS}"] },
      nobody: { command: "there-is-no-such-program" },
      // Its tool `die` runs at most once, since it declares nothing, and dies in the call.
      mortal: { command: process.execPath, args: [hostile], tools: { "*": { risk: "low" } } },
    },
  }),
);
const shared = sharedSystem({ services: { executor: { PLANWRIGHT_MCP: config, DOCUMENTS: folder } } });

const Summary = z.object({
  planId: z.string(),
  status: z.string(),
  ended: z.boolean(),
  approvals: z.array(z.looseObject({ approvalId: z.string() })),
  steps: z.array(z.looseObject({ id: z.string(), status: z.string(), output: z.unknown().optional() })),
  answer: z.object({ text: z.string(), status: z.string(), data: z.unknown().optional() }).optional(),
});

type Asking = {
  readonly era?: NonNullable<ClientOptions["versionNegotiation"]>["mode"];
  readonly key?: string;
  readonly url?: string;
};

/** An ordinary client. */
async function connect({ era = "auto", key, url = shared.system.url }: Asking = {}) {
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const transport = new StreamableHTTPClientTransport(new URL("/mcp", url), { requestInit: { headers } });
  const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode: era } });
  await client.connect(transport);
  // With its tools known, the client holds every result against the schema that was promised.
  await client.listTools();
  return {
    client,
    async call(name: string, args: object, onprogress?: () => void) {
      const options = onprogress === undefined ? {} : { onprogress };
      const result = await client.callTool({ name, arguments: { ...args } }, options);
      const text = result.content.map((part) => (part.type === "text" ? part.text : "")).join("");
      return { isError: result.isError === true, text, value: result.structuredContent };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

const copying = (content: string) => ({
  steps: [
    { id: "read", tool: "files.read-text-file", args: { path: path.join(folder, "prices.txt") } },
    { id: "write", tool: "files.write-file", args: { path: path.join(folder, "copy.txt"), content } },
  ],
});
const slow = { steps: [{ id: "slow", tool: "flow.wait", args: { ms: 600_000 } }] };

it("runs a plan with a server's files, which a client submits, approves with edits, and waits for", async () => {
  const get = async (url: string) => await (await shared.system.client.fetch(url)).text();
  await expect.poll(() => get("/v1/tools")).toContain("files.write-file");
  await expect.poll(() => get("/v1/workers")).toContain("mcp: nobody");

  await using mcp = await connect();
  const plan = copying("new: {{read.output.data.content}}");
  const previewed = await mcp.call("plan_preview", { goal: "copy the prices", plan });
  expect(previewed.value).toMatchObject({ steps: [{ id: "read" }, { id: "write" }] });
  const submitted = await mcp.call("plan_submit", {
    goal: "copy the prices",
    plan,
    idempotencyKey: "copy-1",
  });
  const { planId } = z.object({ planId: z.string() }).parse(submitted.value);
  const again = await mcp.call("plan_submit", { goal: "copy the prices", plan, idempotencyKey: "copy-1" });
  expect(again.value).toEqual(submitted.value);

  const waiting = Summary.parse((await mcp.call("plan_wait", { planId, timeoutSeconds: 60 })).value);
  expect(waiting).toMatchObject({
    ended: false,
    approvals: [{ stepId: "write", risk: "high", args: { content: "new: tea 3\n" } }],
  });
  const approvalId = waiting.approvals[0]?.approvalId;
  const edits = { path: path.join(folder, "copy.txt"), content: "edited" };
  const approved = await mcp.call("plan_approve", { planId, approvalId, decision: "approve", edits });
  expect(Summary.parse(approved.value).approvals).toEqual([]);
  const second = await mcp.call("plan_approve", { planId, approvalId, decision: "reject" });
  expect(second).toMatchObject({ isError: true, text: expect.stringMatching(/^approval_decided: /) });

  const ended = Summary.parse((await mcp.call("plan_wait", { planId, timeoutSeconds: 60 })).value);
  expect(ended).toMatchObject({ ended: true, status: "succeeded", answer: { status: "success" } });
  expect(await readFile(path.join(folder, "copy.txt"), "utf8")).toBe("edited");
  const status = await mcp.call("plan_status", { planId, outputsOf: ["read"] });
  expect(Summary.parse(status.value).steps[0]?.output).toMatchObject({ data: { content: "tea 3\n" } });
  expect((await shared.system.client.view(planId)).approvals[0]?.decidedBy).toBe("default (MCP)");
});

it.each(["legacy", "auto"] as const)("reports progress while it waits, and cancels, %s", async (era) => {
  await using mcp = await connect({ era });
  const { value } = await mcp.call("plan_submit", { goal: "wait", plan: slow });
  const { planId } = z.object({ planId: z.string() }).parse(value);
  const early = await mcp.call("plan_wait", { planId, timeoutSeconds: 0 });
  expect(Summary.parse(early.value)).toMatchObject({ ended: false });
  const told = Promise.withResolvers<void>();
  const waiting = mcp.call("plan_wait", { planId, timeoutSeconds: 60 }, () => told.resolve());
  await shared.system.client.fetch(`/v1/plans/${planId}/pause`, { method: "POST" });
  await told.promise;
  const cancelled = await mcp.call("plan_cancel", { planId, reason: "enough" });
  expect(cancelled.isError).toBe(false);
  expect(Summary.parse((await waiting).value)).toMatchObject({ ended: true, status: "cancelled" });
  expect((await mcp.call("plan_cancel", { planId })).text).toMatch(/^plan_ended: /);
});

it("asks a user about the outcome of a call whose server died in it, and never repeats it without a decision", async () => {
  const tools = async () => await (await shared.system.client.fetch("/v1/tools")).text();
  await expect.poll(tools).toContain("mortal.die");
  await using mcp = await connect();
  const plan = { steps: [{ id: "act", tool: "mortal.die", args: {} }] };
  const { value } = await mcp.call("plan_submit", { goal: "act once", plan });
  const { planId } = z.object({ planId: z.string() }).parse(value);
  const waiting = Summary.parse((await mcp.call("plan_wait", { planId, timeoutSeconds: 60 })).value);
  expect(waiting.approvals).toMatchObject([
    { kind: "outcome-unknown", choices: ["happened", "run-again", "reject"] },
  ]);
  const approvalId = waiting.approvals[0]?.approvalId;
  await mcp.call("plan_approve", { planId, approvalId, decision: "happened", output: { text: "it did" } });
  const ended = Summary.parse((await mcp.call("plan_wait", { planId, timeoutSeconds: 60 })).value);
  expect(ended).toMatchObject({ status: "succeeded", steps: [{ output: { text: "it did" } }] });
});

it("reports errors as the other interfaces do", async () => {
  await using mcp = await connect();
  const wrong = await mcp.call("plan_submit", {
    goal: "x",
    plan: { steps: [{ id: "a", tool: "no.tool", args: {} }] },
  });
  expect(wrong).toMatchObject({ isError: true, text: expect.stringContaining("no.tool") });
  const unknown = await mcp.call("plan_submit", { goal: "x", options: { wishes: 3 } });
  expect(unknown.text).toMatch(/^invalid_request: .*wishes/);
  expect((await mcp.call("plan_status", { planId: "nobody" })).text).toMatch(/^plan_not_found: /);
  expect((await mcp.call("plan_status", { plan: "nobody" })).isError).toBe(true);
  const { client } = shared.system;
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const foreign = { ...headers, origin: "https://evil.example" };
  expect((await client.fetch("/mcp", { method: "POST", headers, body })).status).toBe(200);
  expect((await client.fetch("/mcp", { method: "POST", headers: foreign, body })).status).toBe(403);
  expect((await client.fetch("/mcp", { method: "POST", headers, body: "{" })).status).toBe(400);
  expect((await client.fetch("/mcp")).status).toBe(405);
});

it("admits no client without a key, and shows no client the plans of others", async () => {
  const gateway = await shared.system.start("gateway", {
    PORT: "0",
    PLANWRIGHT_DATA: path.join(folder, "second"),
    PLANWRIGHT_API_KEYS: "ann:key-of-ann,bob:key-of-bob",
  });
  const url = gateway.url ?? "";
  await expect(connect({ url })).rejects.toThrow(/401|authoriz/i);
  await expect(connect({ url, key: "wrong" })).rejects.toThrow(/401|authoriz/i);
  await using ann = await connect({ url, key: "key-of-ann" });
  await using bob = await connect({ url, key: "key-of-bob" });
  await expect
    .poll(
      async () => (await ann.call("plan_submit", { goal: "wait", plan: slow, idempotencyKey: "ann-1" })).text,
    )
    .toContain("planId");
  const { value } = await ann.call("plan_submit", { goal: "wait", plan: slow, idempotencyKey: "ann-1" });
  const { planId } = z.object({ planId: z.string() }).parse(value);
  for (const tool of ["plan_status", "plan_wait", "plan_cancel"]) {
    expect((await bob.call(tool, { planId })).text).toMatch(/^plan_not_found: /);
  }
  expect((await ann.call("plan_cancel", { planId })).isError).toBe(false);
});
