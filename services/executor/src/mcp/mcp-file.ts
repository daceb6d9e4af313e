/** The file that lists the MCP servers, in the format that other MCP clients also read. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { Effect, PoolName, Risk } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import type { BrokenFile } from "../tool-files/watch-tool-files.ts";
import { type Environment, substituteEnv } from "./substitute-env.ts";
import { nameForPlans } from "./tool-names.ts";

const SERVERS_MAX = 20;
const BYTES_MAX = 512 * 1024;
const TIMEOUT_MS_MAX = 86_400_000;
/** Stands for every tool of a server. */
export const EVERY_TOOL = "*";
/** Lets an operator correct or distrust the server's hints. */
const ToolOverride = z.strictObject({
  enabled: z.boolean().optional(),
  risk: Risk.optional(),
  effect: Effect.optional(),
  timeoutMs: z.int().positive().max(TIMEOUT_MS_MAX).optional(),
  idleMs: z.int().positive().max(TIMEOUT_MS_MAX).optional(),
  pool: PoolName.optional(),
  accept: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "wanted the digest that was reported, 32 hexadecimal digits")
    .optional(),
});
export type ToolOverride = z.output<typeof ToolOverride>;

const Texts = z.record(z.string(), z.string());
const Tools = z.record(z.string(), ToolOverride).default({});
/** Fields that other clients write, without meaning here. */
const Ignored = {
  autoApprove: z.unknown().optional(),
  alwaysAllow: z.unknown().optional(),
  timeout: z.unknown().optional(),
};
const Common = {
  tools: Tools,
  disabled: z.boolean().default(false),
  description: z.string().optional(),
  ...Ignored,
};

const StdioServer = z
  .strictObject({
    type: z.literal("stdio").optional(),
    command: z.string().min(1),
    args: z.array(z.string()).default([]),
    env: Texts.default({}),
    cwd: z.string().min(1).optional(),
    ...Common,
  })
  .transform((server) => ({ ...server, type: "stdio" as const }));
const HttpServer = z
  .strictObject({
    type: z.enum(["http", "streamable-http", "streamableHttp"]).optional(),
    url: z.string().min(1),
    headers: Texts.default({}),
    ...Common,
  })
  .transform((server) => ({ ...server, type: "http" as const }));

const McpFile = z.object({ mcpServers: z.record(z.string(), z.unknown()) });

/** One server, with environment variables substituted. */
export type ServerSettings = {
  /** Prefix of its tools' names, such as `files` in `files.read-file`. */
  readonly name: string;
  readonly target: StdioTarget | HttpTarget;
  /** By the server's own tool names; `*` stands for all. */
  readonly tools: Readonly<Record<string, ToolOverride>>;
  /** Never shown. */
  readonly secrets: readonly string[];
};
export type StdioTarget = {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
};
export type HttpTarget = {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
};

export type McpSettings = {
  readonly servers: readonly ServerSettings[];
  readonly broken: readonly BrokenFile[];
};

/**
 * Finds the file: the configured one, else `mcp.json` in one of the folders.
 *
 * @returns Undefined when none is configured and none is found.
 * @throws {PermanentError} `no_mcp_file` when the configured file does not exist.
 */
export async function findMcpFile({
  named,
  folders,
}: {
  readonly named: string | undefined;
  readonly folders: readonly string[];
}): Promise<string | undefined> {
  const files = named === undefined ? folders.map((folder) => path.join(folder, "mcp.json")) : [named];
  for (const file of files) {
    const text = await readFile(file, "utf8").catch(() => undefined);
    if (text !== undefined) return file;
  }
  if (named === undefined) return undefined;
  throw new PermanentError(`PLANWRIGHT_MCP: cannot read the file ${named}`, {
    code: "no_mcp_file",
  });
}

/** Reads the file's current content. An invalid server is reported; the others are used. */
export async function readMcpFile(file: string, env: Environment): Promise<McpSettings> {
  try {
    return parseMcpFile(await readFile(file, "utf8"), env);
  } catch (error) {
    const reason = error instanceof z.ZodError ? faultsOf(error) : String(error);
    return { servers: [], broken: [{ file, reason }] };
  }
}

/** @throws {z.ZodError | SyntaxError | RangeError} When the file as a whole cannot be used. */
export function parseMcpFile(text: string, env: Environment): McpSettings {
  if (Buffer.byteLength(text) > BYTES_MAX) throw new RangeError(`wanted at most ${BYTES_MAX} bytes`);
  const { mcpServers } = McpFile.parse(JSON.parse(text));
  const entries = Object.entries(mcpServers);
  if (entries.length > SERVERS_MAX) throw new RangeError(`wanted at most ${SERVERS_MAX} MCP servers`);
  const servers: ServerSettings[] = [];
  const broken: BrokenFile[] = [];
  for (const [label, entry] of entries) {
    try {
      const server = serverOf(label, entry, env);
      if (server === undefined) continue;
      if (servers.some(({ name }) => name === server.name)) {
        throw new RangeError(`another server also has the name ${server.name} in plans`);
      }
      servers.push(server);
    } catch (error) {
      const reason = error instanceof z.ZodError ? faultsOf(error) : messageOf(error);
      broken.push({ file: `mcp: ${label}`, reason });
    }
  }
  return { servers, broken };
}

function serverOf(label: string, entry: unknown, env: Environment): ServerSettings | undefined {
  const isHttp = typeof entry === "object" && entry !== null && "url" in entry;
  const server = isHttp ? HttpServer.parse(entry) : StdioServer.parse(entry);
  if (server.disabled) return undefined;
  const name = nameForPlans(label);
  if (name === undefined) throw new RangeError("wanted a name with a letter in it");
  const put = (text: string): string => substituteEnv(text, env);
  const putAll = (texts: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(texts).map(([key, value]) => [key, put(value)]));
  if (server.type === "http") {
    const target: HttpTarget = { kind: "http", url: urlOf(put(server.url)), headers: putAll(server.headers) };
    return { name, target, tools: server.tools, secrets: [...Object.values(target.headers), target.url] };
  }
  const target: StdioTarget = {
    kind: "stdio",
    command: put(server.command),
    args: server.args.map(put),
    env: putAll(server.env),
    ...(server.cwd === undefined ? {} : { cwd: put(server.cwd) }),
  };
  const substituted = target.args.filter((arg, index) => arg !== server.args[index]);
  return { name, target, tools: server.tools, secrets: [...Object.values(target.env), ...substituted] };
}

function urlOf(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === "http:" || url?.protocol === "https:") return url.href;
  throw new RangeError("wanted a URL that begins with http:// or https://");
}

function faultsOf(error: z.ZodError): string {
  return error.issues
    .slice(0, 5)
    .map(({ path: where, message }) => `${where.length === 0 ? "the server" : where.join(".")}: ${message}`)
    .join("; ");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
