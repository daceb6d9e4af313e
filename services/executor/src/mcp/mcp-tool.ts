/** A server's tool as a Planwright tool. */
import {
  isJsonObject,
  type JsonObject,
  ToolSpec,
  type Json,
  JsonValue,
  LIMITS,
  nestsDeeper,
} from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { parseFor, type Tool, type ToolContext } from "../tools/define-tool.ts";
import type { ListedTool } from "./listed-tool.ts";
import type { ToolOverride } from "./mcp-file.ts";
import type { Session } from "./open-session.ts";
import { simplifySchema } from "./simplify-schema.ts";
import { riskOf } from "./tool-risk.ts";
import type { CallToolResult } from "@modelcontextprotocol/client";

const DESCRIPTION_CHARS_MAX = 1_000;
/** Maximum duration of a step that calls it, and of the server's silence. */
const TIMEOUT_MS = 600_000;
const IDLE_MS = 60_000;
/** Maximum number of output field names shown; more would only add untrusted text. */
const FIELDS_MAX = 20;
const FIELD_NAME = /^[\w.-]{1,64}$/;
const PROGRESS_EVERY_MS = 500;
const PROGRESS_CHARS_MAX = 200;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f]/g;

export type McpTool = {
  readonly listed: ListedTool;
  /** The name in plans. */
  readonly name: string;
  readonly override: ToolOverride;
  /** Waits a while for a server that is restarting. */
  readonly session: (signal: AbortSignal) => Promise<Session>;
};

/** @throws {RangeError} When its schemas cannot be used. */
export function makeMcpTool({ listed, name, override, session }: McpTool): Tool {
  const input = simplifySchema({ ...listed.inputSchema, type: "object" });
  const output = listed.outputSchema === undefined ? undefined : simplifySchema(listed.outputSchema);
  const checksInput = compile(input);
  const checksData = output === undefined ? undefined : compile(output);
  const hints = riskOf(listed.annotations);
  const spec = ToolSpec.parse({
    name,
    description: describe(listed),
    input,
    output: outputSchema(output),
    risk: override.risk ?? hints.risk,
    effect: override.effect ?? hints.effect,
    timeoutMs: override.timeoutMs ?? TIMEOUT_MS,
    ...(override.pool === undefined ? {} : { pool: override.pool }),
    untrusted: true,
  });
  const parseInput = (args: unknown): JsonObject => {
    parseFor(checksInput, args, { code: "invalid_arguments", tool: name });
    return JsonObjectSchema.parse(args);
  };
  return {
    spec,
    parseInput,
    parseOutput: (value) => parseFor(McpOutput, value, { code: "invalid_output", tool: name }),
    rejectsRepeatedKeys: () => false,
    check: async () => ({ kind: "unknown" }),
    async run(args, context) {
      const parsed = parseInput(args);
      const open = await session(context.signal);
      const result = await open.call({
        name,
        tool: listed,
        args: parsed,
        signal: context.signal,
        idleMs: Math.min(override.idleMs ?? IDLE_MS, spec.timeoutMs),
        timeoutMs: spec.timeoutMs,
        onProgress: showProgress(context),
      });
      const read = await readResult(result, name, context);
      if (checksData !== undefined) checkData(checksData, read, name);
      return read;
    },
  };
}

const JsonObjectSchema = z.custom<JsonObject>((value) => isJsonObject(value as JsonObject));

/** @throws {RangeError} */
function compile(schema: JsonObject): z.ZodType {
  try {
    return z.fromJSONSchema(schema);
  } catch (cause) {
    throw new RangeError("its schema cannot be read", { cause });
  }
}

function checkData(schema: z.ZodType, { data }: McpOutput, name: string): void {
  if (data === undefined) {
    throw new PermanentError(`${name} declares structured content but returned none`, {
      code: "invalid_output",
    });
  }
  parseFor(schema, data, { code: "invalid_output", tool: name });
}

function describe({ name, description = "", outputSchema: data }: ListedTool): string {
  const said = description.replaceAll(CONTROL, " ").trim().slice(0, DESCRIPTION_CHARS_MAX).toWellFormed();
  const output = data === undefined ? "{text}" : `{text, data${fieldsOf(data)}}`;
  return `${said === "" ? name : said} Output: ${output}.`;
}

/** The names of the output fields that a server promises, which plans can refer to. */
function fieldsOf({ properties }: NonNullable<ListedTool["outputSchema"]>): string {
  const names = properties !== undefined && isJsonObject(properties) ? Object.keys(properties) : [];
  const shown = names.filter((name) => FIELD_NAME.test(name)).slice(0, FIELDS_MAX);
  if (shown.length === 0) return "";
  return `: {${shown.join(", ")}${shown.length < names.length ? ", …" : ""}}`;
}

function outputSchema(data: JsonObject | undefined): JsonObject {
  const properties = { text: { type: "string" }, ...(data === undefined ? {} : { data }) };
  return { type: "object", properties, required: ["text"] };
}

/** A server can report as often as it likes; users read more slowly. */
function showProgress({
  progress,
}: ToolContext): (said: {
  progress: number;
  total?: number | undefined;
  message?: string | undefined;
}) => void {
  let shownMs = Number.NEGATIVE_INFINITY;
  return ({ progress: done, total, message }) => {
    if (performance.now() - shownMs < PROGRESS_EVERY_MS) return;
    shownMs = performance.now();
    const count = total === undefined ? `${done}` : `${done}/${total}`;
    progress(`${count}${message === undefined ? "" : ` ${message.slice(0, PROGRESS_CHARS_MAX)}`}\n`);
  };
}

const TEXT_CHARS_MAX = 200_000;
const FILES_MAX = 20;
const LINKS_MAX = 100;
const REASON_CHARS_MAX = 1_000;
const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/;

/** Converts a tool's result into an output that other steps can refer to, and files. */
const McpOutput = z.object({
  text: z.string(),
  truncated: z.boolean().optional(),
  data: z.unknown().optional(),
  files: z.array(z.object({ path: z.string(), contentType: z.string() })).optional(),
  links: z.array(z.object({ uri: z.string(), name: z.string() })).optional(),
});
type McpOutput = z.output<typeof McpOutput>;

type Reading = Pick<ToolContext, "stepId" | "item" | "workspace">;

/**
 * Joins texts; images, audio and other binary data become files of the plan.
 *
 * @throws {PermanentError} `mcp_tool_error` when the tool reports a failure.
 */
async function readResult(result: CallToolResult, name: string, context: Reading): Promise<McpOutput> {
  const text = result.content
    .map(textOf)
    .filter((part) => part !== "")
    .join("\n");
  if (result.isError === true) {
    throw new PermanentError(`${name} reported an error: ${text.slice(0, REASON_CHARS_MAX)}`, {
      code: "mcp_tool_error",
    });
  }
  const files = await writeFiles(result, context);
  const links = result.content.flatMap((block) =>
    block.type === "resource_link" ? [{ uri: block.uri, name: block.name }] : [],
  );
  const data = result.structuredContent === undefined ? undefined : jsonOf(result.structuredContent, name);
  return {
    text: text.slice(0, TEXT_CHARS_MAX).toWellFormed(),
    ...(text.length > TEXT_CHARS_MAX ? { truncated: true } : {}),
    ...(data === undefined ? {} : { data }),
    ...(files.length === 0 ? {} : { files }),
    ...(links.length === 0 ? {} : { links: links.slice(0, LINKS_MAX) }),
  };
}

type Block = CallToolResult["content"][number];

function textOf(block: Block): string {
  if (block.type === "text") return block.text;
  if (block.type === "resource" && "text" in block.resource) return block.resource.text;
  return "";
}

/** Uses the same names for every attempt, so that a second attempt leaves the same files. */
async function writeFiles(
  { content }: CallToolResult,
  context: Reading,
): Promise<NonNullable<McpOutput["files"]>> {
  const found = content.flatMap((block) => {
    const bytes = bytesOf(block);
    return bytes === undefined ? [] : [bytes];
  });
  const files: NonNullable<McpOutput["files"]> = [];
  for (const [index, { base64, type }] of found.slice(0, FILES_MAX).entries()) {
    const contentType = MEDIA_TYPE.test(type) ? type : "application/octet-stream";
    const path = `mcp/${context.stepId}-${context.item}-${index + 1}${endingOf(contentType)}`;
    await context.workspace.write(path, Buffer.from(base64, "base64"), contentType);
    files.push({ path, contentType });
  }
  return files;
}

function bytesOf(block: Block): { readonly base64: string; readonly type: string } | undefined {
  if (block.type === "image" || block.type === "audio") return { base64: block.data, type: block.mimeType };
  if (block.type === "resource" && "blob" in block.resource) {
    return { base64: block.resource.blob, type: block.resource.mimeType ?? "" };
  }
  return undefined;
}

function endingOf(contentType: string): string {
  const kind = contentType.split("/")[1] ?? "";
  return /^[a-z0-9]{1,8}$/.test(kind) ? `.${kind}` : "";
}

function jsonOf(value: unknown, name: string): Json {
  try {
    const json = JsonValue.parse(value);
    if (!nestsDeeper(json, LIMITS.levelsMax)) return json;
  } catch {
    // Not JSON, or nested too deeply to traverse.
  }
  throw new PermanentError(`${name} returned structured content that is not JSON, or nested too deeply`, {
    code: "invalid_output",
  });
}
