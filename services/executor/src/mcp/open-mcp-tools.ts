/** The tools of all MCP servers in the file; the file is read again when it changes. */
import { unwatchFile, watchFile } from "node:fs";
import type { Bus } from "@planwright/shared/bus";
import type { Logger } from "@planwright/shared/service";
import type { BrokenFile, ToolFiles } from "../tool-files/watch-tool-files.ts";
import { type McpSettings, readMcpFile, type ServerSettings } from "./mcp-file.ts";
import { type McpServer, startMcpServer } from "./mcp-server.ts";
import { openPins } from "./pins.ts";
import type { Environment } from "./substitute-env.ts";

const LOOK_EVERY_MS = 1_000;

export type McpTools = Omit<ToolFiles, typeof Symbol.dispose> &
  AsyncDisposable & {
    /** Whether a tool of this name may come from one of the servers once it is available. */
    readonly mayHave: (name: string) => boolean;
  };

export type McpToolsOptions = {
  readonly file: string;
  readonly env: Environment;
  readonly bus: Bus;
  /** Whether the name is already taken. */
  readonly isTaken: (name: string) => boolean;
  readonly log: Logger;
};

/** Waits for no server: a server's tools are offered once it has answered. */
export async function openMcpTools({ file, env, bus, isTaken, log }: McpToolsOptions): Promise<McpTools> {
  const pins = await openPins(bus);
  const unheard: string[] = [];
  let heard: (gone: readonly string[]) => void = (gone) => void unheard.push(...gone);
  let servers: readonly McpServer[] = [];
  let broken: readonly BrokenFile[] = [];
  let reading = Promise.resolve();
  const start = (settings: ServerSettings): McpServer =>
    startMcpServer(settings, { pins, isTaken, onChange: (gone) => heard(gone), log });
  const take = async (settings: McpSettings): Promise<void> => {
    broken = settings.broken;
    for (const one of broken) log.error(one, "cannot use MCP server");
    const isSame = (server: McpServer, wanted: ServerSettings): boolean =>
      JSON.stringify(server.settings) === JSON.stringify(wanted);
    const kept = servers.filter((server) => settings.servers.some((wanted) => isSame(server, wanted)));
    const left = servers.filter((server) => !kept.includes(server));
    const gone = left.flatMap((server) => server.tools().map(({ spec }) => spec.name));
    servers = kept;
    await Promise.all(left.map((server) => server[Symbol.asyncDispose]()));
    if (gone.length > 0) heard(gone);
    const added = settings.servers.filter((wanted) => !kept.some((server) => isSame(server, wanted)));
    servers = [...kept, ...added.map(start)];
  };
  await take(await readMcpFile(file, env));
  const readAgain = (): void => {
    reading = reading
      .then(async () => take(await readMcpFile(file, env)))
      .catch((err: unknown) => log.error({ err, file }, "could not reload MCP servers"));
  };
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, readAgain);
  return {
    tools: () => servers.flatMap((server) => server.tools()),
    broken: () => [...broken, ...servers.flatMap((server) => server.broken())],
    onChange(callback) {
      heard = callback;
      if (unheard.length > 0) callback(unheard);
    },
    mayHave: (name) => servers.some(({ settings }) => name.startsWith(`${settings.name}.`)),
    async [Symbol.asyncDispose]() {
      unwatchFile(file, readAgain);
      await reading;
      await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    },
  };
}
