// The public MCP servers as published, over real pipes and real HTTP.
import { PermanentError } from "@planwright/shared/errors";
import { startNats } from "@planwright/testkit";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { afterAll, expect, it } from "vitest";
import { tempFolder } from "../src/testing/temp-folder.ts";
import { memoryWorkspace } from "../src/tools/testing/test-context.ts";
import { openMcpBench, publicServer } from "./support/mcp-bench.ts";

const cleanup = new AsyncDisposableStack();
afterAll(() => cleanup.disposeAsync());
const nats = cleanup.use(await startNats());
const folder = cleanup.use(tempFolder());
folder.write("notes/plan.md", "# The plan\nbuy tea\n");

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" && address !== null ? address.port : 0;
}

const port = await freePort();
const { command, args } = publicServer("everything", "streamableHttp");
const remote = spawn(command, args, { env: { PORT: String(port) }, stdio: "ignore" });
cleanup.defer(() => void remote.kill("SIGKILL"));

const bench = cleanup.use(
  await openMcpBench(
    nats.url,
    {
      files: { ...publicServer("filesystem", "${FOLDER}"), tools: { edit_file: { enabled: false } } },
      memory: {
        ...publicServer("memory"),
        env: { MEMORY_FILE_PATH: "${FOLDER}/memory.jsonl" },
        tools: {
          "*": { risk: "low" },
          create_entities: { effect: "idempotent", pool: "memory", timeoutMs: 5_000 },
        },
      },
      everything: publicServer("everything"),
      remote: { url: `http://127.0.0.1:${port}/mcp`, headers: { authorization: "Bearer ${TOKEN:-none}" } },
    },
    { FOLDER: folder.path },
  ),
);

it("offers the filesystem server's tools with the risk and effect from their hints", async () => {
  const read = await bench.tool("files.read-text-file");
  expect(read.spec).toMatchObject({
    risk: "low",
    effect: "read",
    untrusted: true,
    pool: "default",
    input: { type: "object", required: ["path"], properties: { path: { type: "string" } } },
  });
  expect(read.spec.description).toContain("Output: {text, data: {content}}.");
  expect((await bench.tool("files.write-file")).spec).toMatchObject({ risk: "high", effect: "idempotent" });
  expect((await bench.tool("files.move-file")).spec).toMatchObject({ risk: "high", effect: "once" });
  expect((await bench.tool("files.create-directory")).spec).toMatchObject({
    risk: "medium",
    effect: "idempotent",
  });
  expect(bench.names()).not.toContain("files.edit-file");
});

it("reads and writes files with it, and reports its errors", async () => {
  expect(await bench.call("files.read-text-file", { path: `${folder.path}/notes/plan.md` })).toEqual({
    text: "# The plan\nbuy tea\n",
    data: { content: "# The plan\nbuy tea\n" },
  });
  await bench.call("files.write-file", { path: `${folder.path}/new.txt`, content: "made" });
  expect(await bench.call("files.read-text-file", { path: `${folder.path}/new.txt` })).toMatchObject({
    text: "made",
  });
  await expect(bench.call("files.read-text-file", { path: "/etc/passwd" })).rejects.toMatchObject({
    code: "mcp_tool_error",
    message: expect.stringContaining("Access denied"),
  });
  const wrong = (await bench.tool("files.read-text-file")).parseInput;
  expect(() => wrong({ path: 7 })).toThrow(PermanentError);
  expect(() => wrong({})).toThrow(/path/);
});

it("prefers an operator's settings to the hints", async () => {
  const { spec } = await bench.tool("memory.create-entities");
  expect(spec).toMatchObject({ risk: "low", effect: "idempotent", pool: "memory", timeoutMs: 5_000 });
  const entities = [{ name: "tea", entityType: "drink", observations: ["is hot"] }];
  await bench.call("memory.create-entities", { entities });
  expect(await bench.call("memory.search-nodes", { query: "tea" })).toMatchObject({
    data: { entities, relations: [] },
  });
});

it.each(["everything", "remote"])("connects to the everything server, %s", async (server) => {
  expect(await bench.call(`${server}.echo`, { message: "hello" })).toEqual({ text: "Echo: hello" });
  expect(await bench.call(`${server}.get-structured-content`, { location: "New York" })).toMatchObject({
    data: { temperature: expect.any(Number), conditions: expect.any(String) },
  });
  const workspace = memoryWorkspace();
  const picture = await bench.call(`${server}.get-tiny-image`, {}, { workspace, stepId: "look" });
  expect(picture).toMatchObject({ files: [{ path: "mcp/look-0-1.png", contentType: "image/png" }] });
  expect([...((await workspace.read("mcp/look-0-1.png"))?.slice(1, 4) ?? [])]).toEqual([0x50, 0x4e, 0x47]);
  expect(await bench.call(`${server}.get-resource-links`, { count: 3 })).toMatchObject({
    links: [{}, {}, {}],
  });
});

it.each(["everything", "remote"])(
  "shows its progress, and cancels calls that are no longer needed, %s",
  async (server) => {
    const shown: string[] = [];
    const long = `${server}.trigger-long-running-operation`;
    const progress = (text: string): void => void shown.push(text);
    await bench.call(long, { duration: 1, steps: 2 }, { progress });
    expect(shown[0]).toMatch(/^1\/2/);
    const stopping = new AbortController();
    const running = bench.call(
      long,
      { duration: 600, steps: 6_000 },
      { progress: () => stopping.abort(), signal: stopping.signal },
    );
    await expect(running).rejects.toMatchObject({ name: "AbortError" });
    expect(await bench.call(`${server}.echo`, { message: "still there" })).toEqual({
      text: "Echo: still there",
    });
  },
);

it("gives a server no environment of this process except its path and home", async () => {
  process.env["PLANWRIGHT_TEST_SECRET"] = "s3cret";
  const { text } = (await bench.call("everything.get-env", {})) as { text: string };
  expect(Object.keys(JSON.parse(text) as object).sort()).toEqual(["HOME", "PATH"]);
});
