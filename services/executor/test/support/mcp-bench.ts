/** The tools of MCP servers with a real nats-server, as an executor has them. */
import { type Bus, connectBus, provision } from "@planwright/shared/bus";
import { createLogger } from "@planwright/shared/service";
import { createRequire } from "node:module";
import { expect } from "vitest";
import { type McpTools, openMcpTools } from "../../src/mcp/open-mcp-tools.ts";
import { tempFolder } from "../../src/testing/temp-folder.ts";
import type { Tool, ToolContext } from "../../src/tools/define-tool.ts";
import { testContext } from "../../src/tools/testing/test-context.ts";

const require = createRequire(import.meta.url);

export type McpBench = AsyncDisposable & {
  readonly mcp: McpTools;
  /** Withdrawn names, in order. */
  readonly gone: readonly string[];
  /** Waits until the tool is available. */
  tool(name: string): Promise<Tool>;
  call(name: string, args: object, context?: Partial<ToolContext>): Promise<unknown>;
  /** Rewrites the file, which is then read again. */
  configure(mcpServers: object): void;
  names(): string[];
  /** Waits for a fault of a server or a tool, and returns it. */
  brokenness(of: string): Promise<string>;
};

/** @param mcpServers - As written in the file. */
export async function openMcpBench(
  natsUrl: string,
  mcpServers: object,
  env: Readonly<Record<string, string>> = {},
): Promise<McpBench> {
  await using cleanup = new AsyncDisposableStack();
  const folder = cleanup.use(tempFolder());
  const bus: Bus = cleanup.use(await connectBus({ url: natsUrl, name: "test" }));
  await provision(bus);
  const configure = (servers: object): string =>
    folder.write("mcp.json", JSON.stringify({ mcpServers: servers }));
  const file = configure(mcpServers);
  const log = createLogger({ name: "test", level: "silent" });
  const isTaken = (name: string): boolean => name === "http.fetch";
  const mcp = cleanup.use(await openMcpTools({ file, env, bus, isTaken, log }));
  const gone: string[] = [];
  mcp.onChange((names) => void gone.push(...names));
  const find = (name: string) => mcp.tools().find(({ spec }) => spec.name === name);
  const tool = async (name: string): Promise<Tool> => {
    await expect.poll(() => find(name)?.spec.name ?? mcp.broken(), { timeout: 20_000 }).toBe(name);
    const found = find(name);
    if (found === undefined) throw new Error(`${name} is gone again`);
    return found;
  };
  const owned = cleanup.move();
  return {
    mcp,
    gone,
    tool,
    call: async (name, args, context) => (await tool(name)).run(args, testContext(context)),
    configure: (servers) => void configure(servers),
    names: () => mcp.tools().map(({ spec }) => spec.name),
    async brokenness(of) {
      const reasons = () => mcp.broken().filter(({ file: where }) => where === `mcp: ${of}`);
      await expect.poll(reasons).not.toEqual([]);
      return reasons()
        .map(({ reason }) => reason)
        .join("\n");
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** The command that starts one of the installed public servers. */
export function publicServer(name: "filesystem" | "memory" | "everything", ...args: string[]) {
  const main = require.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
  return { command: process.execPath, args: [main, ...args] };
}
