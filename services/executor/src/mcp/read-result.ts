/** Turns a tool's result into an output that other steps can refer to, and files. */
import type { CallToolResult } from "@modelcontextprotocol/client";
import { type Json, JsonValue, LIMITS, nestsDeeper } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import type { ToolContext } from "../tools/define-tool.ts";

const TEXT_CHARS_MAX = 200_000;
const FILES_MAX = 20;
const LINKS_MAX = 100;
const REASON_CHARS_MAX = 1_000;
const MEDIA_TYPE = /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/;

export const McpOutput = z.object({
  text: z.string(),
  truncated: z.boolean().optional(),
  data: z.unknown().optional(),
  files: z.array(z.object({ path: z.string(), contentType: z.string() })).optional(),
  links: z.array(z.object({ uri: z.string(), name: z.string() })).optional(),
});
export type McpOutput = z.output<typeof McpOutput>;

type Reading = Pick<ToolContext, "stepId" | "item" | "workspace">;

/**
 * Texts are joined; pictures, sounds and other bytes become files of the plan.
 *
 * @throws {PermanentError} `mcp_tool_error` when the tool says that it failed.
 */
export async function readResult(result: CallToolResult, name: string, context: Reading): Promise<McpOutput> {
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

/** The same names for every attempt: writing them again leaves the same files. */
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
    // Not JSON, or nested so deeply that it cannot be walked.
  }
  throw new PermanentError(`${name} returned structured content that is not JSON, or nested too deeply`, {
    code: "invalid_output",
  });
}
