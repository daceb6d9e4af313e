// Tools of an MCP server in plans: found when their server has answered, used like any other, and gated.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { sharedSystem } from "./support/shared-system.ts";

const require = createRequire(import.meta.url);
const folder = await mkdtemp(path.join(os.tmpdir(), "planwright-mcp-"));
afterAll(() => rm(folder, { recursive: true, force: true }));
const config = path.join(folder, "mcp.json");
const main = require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js");
await writeFile(path.join(folder, "prices.txt"), "tea 3\n");
await writeFile(
  config,
  JSON.stringify({
    mcpServers: {
      files: { command: process.execPath, args: [main, "${DOCUMENTS}"] },
      nobody: { command: "there-is-no-such-program" },
    },
  }),
);
const shared = sharedSystem({ env: { PLANWRIGHT_MCP: config, DOCUMENTS: folder } });

it("runs a plan with the files of a server, and waits for a person before it writes", async () => {
  const { client } = shared.system;
  const get = async (url: string) => await (await client.fetch(url)).text();
  await expect.poll(() => get("/v1/tools")).toContain("files.write-file");
  await expect.poll(() => get("/v1/workers")).toContain("mcp: nobody");
  const { planId } = await client.submit({
    goal: "put the prices into another file",
    plan: {
      steps: [
        { id: "read", tool: "files.read-text-file", args: { path: path.join(folder, "prices.txt") } },
        {
          id: "write",
          tool: "files.write-file",
          args: { path: path.join(folder, "copy.txt"), content: "new: {{read.output.data.content}}" },
        },
      ],
    },
  });
  await expect.poll(async () => (await client.view(planId)).approvals).toHaveLength(1);
  const waiting = await client.view(planId);
  expect(waiting).toMatchObject({ approvals: [{ risk: "high", args: { content: "new: tea 3\n" } }] });
  const approval = waiting.approvals[0]?.approvalId ?? "";
  await client.fetch(`/v1/plans/${planId}/approvals/${approval}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision: "approve" }),
  });
  expect(await client.ended(planId)).toMatchObject({ status: "succeeded" });
  expect(await readFile(path.join(folder, "copy.txt"), "utf8")).toBe("new: tea 3\n");
});
