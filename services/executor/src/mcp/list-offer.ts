/** Decides which of a server's tools plans can use, and why the others are left out. */
import type { Logger } from "@planwright/shared/service";
import type { BrokenFile } from "../tool-files/watch-tool-files.ts";
import type { Tool } from "../tools/define-tool.ts";
import type { ListedTool } from "./listed-tool.ts";
import { EVERY_TOOL, type ServerSettings, type ToolOverride } from "./mcp-file.ts";
import { makeMcpTool, type McpTool } from "./mcp-tool.ts";
import { digestOf, type Pins } from "./pins.ts";
import { toolNameOf } from "./tool-names.ts";

export type ServerOffer = {
  readonly tools: readonly Tool[];
  readonly broken: readonly BrokenFile[];
  /** Names of tools that the server once had and no longer offers. */
  readonly gone: readonly string[];
};

export type OfferDeps = {
  readonly pins: Pins;
  /** Whether the name is already taken. */
  readonly isTaken: (name: string) => boolean;
  readonly session: McpTool["session"];
  readonly log: Logger;
};

/** Pins new tools, and leaves out tools that changed after they were pinned until their new digest is accepted. */
export async function listOffer(
  listed: readonly ListedTool[],
  { name: server, tools: overrides }: ServerSettings,
  { pins, isTaken, session, log }: OfferDeps,
): Promise<ServerOffer> {
  const pinned = await pins.ofServer(server);
  const tools = new Map<string, Tool>();
  const broken: BrokenFile[] = [];
  for (const one of listed) {
    const override = overrideOf(overrides, one.name);
    if (override.enabled === false) continue;
    try {
      const name = toolNameOf(server, one.name);
      if (tools.has(name) || isTaken(name)) throw new RangeError(`there is another tool named ${name}`);
      const tool = makeMcpTool({ listed: one, name, override, session });
      await checkPin(one, { server, pinned: pinned.get(one.name), override, pins, log });
      tools.set(name, tool);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      // Reported like a file, whose folders are left out.
      const shown = one.name.slice(0, 100).replaceAll(/[/\\]/g, "-");
      broken.push({ file: `mcp: ${server}.${shown}`, reason: error.message });
    }
  }
  const there = new Set(listed.map(({ name }) => name));
  for (const name of Object.keys(overrides)) {
    if (name === EVERY_TOOL || there.has(name)) continue;
    broken.push({ file: `mcp: ${server}`, reason: `tools.${name}: the server has no such tool` });
  }
  const had = [...pinned.keys()].flatMap((tool) => nameOrNone(server, tool));
  return {
    tools: [...tools.values()],
    broken,
    gone: had.filter((name) => !tools.has(name) && !isTaken(name)),
  };
}

/** @throws {RangeError} When the tool differs from the pinned one, and no operator has accepted the change. */
async function checkPin(
  tool: ListedTool,
  {
    server,
    pinned,
    override,
    pins,
    log,
  }: {
    readonly server: string;
    readonly pinned: string | undefined;
    readonly override: ToolOverride;
    readonly pins: Pins;
    readonly log: Logger;
  },
): Promise<void> {
  const digest = digestOf(tool);
  if (pinned === digest) return;
  if (pinned === undefined) return pins.note(server, tool.name, { digest });
  if (override.accept === digest) return pins.note(server, tool.name, { digest, replace: true });
  const { description, inputSchema, annotations } = tool;
  log.warn(
    { server, tool: tool.name, digest, description, inputSchema, annotations },
    "a tool of an MCP server has changed and is not offered",
  );
  throw new RangeError(
    `it has changed since it was first seen: read its new description, then add "accept": "${digest}" to its settings`,
  );
}

function overrideOf(overrides: ServerSettings["tools"], name: string): ToolOverride {
  const own = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  return { ...overrides[EVERY_TOOL], ...own };
}

function nameOrNone(server: string, tool: string): string[] {
  try {
    return [toolNameOf(server, tool)];
  } catch {
    return [];
  }
}
