import { type Json, JsonValue } from "@planwright/plan";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { z } from "zod";
import type { Sender, Sent } from "./create-sender.ts";
import { RequestHeaders, withoutHeadersInSpec } from "./request-headers.ts";
import { AnyJson, type CheckResult, defineTool, type Tool } from "../tools/define-tool.ts";

const URL_CHARS_MAX = 4_000;
const TEXT_CHARS_MAX = 100_000;

const Url = z.string().trim().min(1).max(URL_CHARS_MAX);

const Input = z.strictObject({
  url: Url.describe("The full URL."),
  method: z.enum(["POST", "PUT", "PATCH", "DELETE"]).default("POST"),
  body: AnyJson.optional().describe("Sent as JSON."),
  headers: RequestHeaders.optional(),
  rejectsRepeats: z
    .boolean()
    .default(false)
    .describe("True if the target ignores a repeated Idempotency-Key."),
  checkUrl: Url.optional().describe(
    "URL that answers GET with 200 if the request with this Idempotency-Key took effect, else 404.",
  ),
});
type Input = z.infer<typeof Input>;

/** Sends a request that changes something, with the effect key as its `Idempotency-Key`. */
export function httpSend({ sender }: { readonly sender: Sender }): Tool {
  const tool = defineTool({
    name: "http.send",
    description:
      "Send one request that changes something to an exact URL. Use it only if the goal asks for it. " +
      "Output: {status, contentType, body}; body is a value if the reply is JSON, else text.",
    input: Input,
    output: z.object({ status: z.int(), contentType: z.string(), body: AnyJson }),
    // It sends the plan's data to an outside host, and causes an effect there.
    risk: "high",
    effect: "once",
    timeoutMs: 60_000,
    rejectsRepeatedKeys: ({ rejectsRepeats }) => rejectsRepeats,
    run: async ({ url, method, headers, body }, { effectKey, signal }) => {
      const json = body === undefined ? {} : { body: JSON.stringify(body) };
      const sent = await sender.send({ url, method, headers, key: effectKey(), signal, ...json });
      if (sent.status >= 500) throw new TransientError(`${url} answered ${sent.status}`);
      if (sent.status < 200 || sent.status >= 300) {
        throw new PermanentError(`${url} answered ${sent.status}`, { code: "http_status" });
      }
      return outputOf(sent);
    },
    check: (args, context) => checkAt(sender, args, context),
  });
  return withoutHeadersInSpec(tool);
}

async function checkAt(
  sender: Sender,
  { url: target, checkUrl: url, headers }: Input,
  { effectKey, signal }: { readonly effectKey: () => string; readonly signal: AbortSignal },
): Promise<CheckResult> {
  if (url === undefined) return { kind: "unknown" };
  // The headers are for the target: another origin does not get them.
  const own = URL.parse(url)?.origin === URL.parse(target)?.origin ? { headers } : {};
  const answer = await sender.send({ url, method: "GET", key: effectKey(), signal, ...own });
  if (answer.status === 404) return { kind: "not-done" };
  return answer.status === 200 ? { kind: "done", output: outputOf(answer) } : { kind: "unknown" };
}

function outputOf({ status, contentType, bytes }: Sent): { status: number; contentType: string; body: Json } {
  const text = bytes.toString("utf8").slice(0, TEXT_CHARS_MAX);
  return { status, contentType, body: /\bjson\b/i.test(contentType) ? valueOf(text) : text };
}

/** What says that it is JSON and is not, is text. */
function valueOf(text: string): Json {
  try {
    return JsonValue.parse(JSON.parse(text));
  } catch {
    return text;
  }
}
