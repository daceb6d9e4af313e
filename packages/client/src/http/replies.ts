/** Reads responses: JSON of limited size, and refusals. */
import type { ProblemBody } from "@planwright/api";
import { UnexpectedResponseError } from "../errors.ts";

/** The response header with the gateway's version. */
export const VERSION_HEADER = "planwright-version";
const BYTES_MAX = 64 * 1024 * 1024;
const EXCERPT_CHARS_MAX = 200;
const SECONDS_MAX = 86_400;

/** @throws {UnexpectedResponseError} Beyond 64 MiB; in a page, the browser's own limit applies. */
export async function readText(response: Response): Promise<string> {
  // Browsers list a request as aborted when its body is taken before its end was reported.
  if ("document" in globalThis) return response.text();
  const body: ReadableStream<Uint8Array> | null = response.body;
  const reader = body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > BYTES_MAX) {
      void reader.cancel().catch(() => undefined);
      throw new UnexpectedResponseError(`the reply is larger than ${BYTES_MAX} bytes`, response.status);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** @throws {UnexpectedResponseError} When the text is not JSON. */
export function parseJson(text: string, response: Response): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw unexpected(text, response, error);
  }
}

/** Returns undefined when the body is not a refusal in the gateway's format. */
export function problemOf(text: string, response: Response): Omit<ProblemBody, "type"> | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof body !== "object" || body === null || !("code" in body) || typeof body.code !== "string") {
    return undefined;
  }
  // The contract describes the rest; a proxy's response has no code.
  const problem = body as ProblemBody;
  const title = typeof problem.title === "string" ? problem.title : problem.code;
  return {
    ...problem,
    title,
    status: response.status,
    detail: typeof problem.detail === "string" ? problem.detail : title,
    issues: Array.isArray(problem.issues) ? problem.issues : [],
    ...retryAfter(problem.retryAfterSeconds, response),
  };
}

export function unexpected(text: string, response: Response, cause?: unknown): UnexpectedResponseError {
  const { status, statusText } = response;
  const said = text.trim().slice(0, EXCERPT_CHARS_MAX);
  const who = response.headers.has(VERSION_HEADER)
    ? "the gateway answered"
    : `${originOf(response)} is not a Planwright gateway: it answered`;
  const message = `${who} ${`${status} ${statusText}`.trim()}${said === "" ? "" : `: ${said}`}`;
  return new UnexpectedResponseError(message, status, { cause });
}

function originOf({ url }: Response): string {
  return URL.canParse(url) ? new URL(url).origin : "this address";
}

/** `Retry-After` holds seconds or a date. */
function retryAfter(said: unknown, { headers }: Response): { retryAfterSeconds?: number } {
  const header = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1_000;
  const wanted = typeof said === "number" ? said : seconds;
  return Number.isFinite(wanted) ? { retryAfterSeconds: Math.min(SECONDS_MAX, Math.max(0, wanted)) } : {};
}
