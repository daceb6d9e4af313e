/** Reports each finished model call once, for metrics: role, model, duration, usage and error. */
import { z } from "zod";
import { type Bus, MODEL_CALLS } from "../bus/index.ts";
import { PermanentError, TransientError } from "../errors.ts";
import type { ModelReply, ModelRequest, ModelUsage } from "./model-client.ts";
import type { ModelContext } from "./model-context.ts";

const MODEL_CHARS_MAX = 256;

const Count = z.int().nonnegative();

export const ToldCall = z.object({
  /** The calling role, such as `planner`. */
  role: z.string().max(64),
  /** The requested model. */
  model: z.string().max(MODEL_CHARS_MAX),
  /** From the call to its reply or its failure, including retries and waits. */
  durationMs: z.number().nonnegative(),
  /** As counted by the server; absent when it did not. The breakdowns of input and output are optional. */
  tokens: z
    .object({
      input: Count,
      cacheRead: Count.optional(),
      cacheWrite: Count.optional(),
      output: Count,
      reasoning: Count.optional(),
    })
    .optional(),
  /** Why it failed, as a stable code; absent when it succeeded. */
  error: z.string().max(64).optional(),
});
export type ToldCall = z.infer<typeof ToldCall>;

/** Reports calls to the processes that count them. Nothing is stored: if a message is lost, that call is not counted. */
export function tellCallsOver({ connection }: Pick<Bus, "connection">): (call: ToldCall) => void {
  return (call) => {
    if (!connection.isClosed() && !connection.isDraining())
      connection.publish(MODEL_CALLS, JSON.stringify(call));
  };
}

/** Makes a call and reports its result. @throws Any error of `call`. */
export async function withTold(
  { role, now, onCall }: Pick<ModelContext, "role" | "now" | "onCall">,
  { model, signal }: { readonly model: string } & Pick<ModelRequest, "signal">,
  call: () => Promise<ModelReply>,
): Promise<ModelReply> {
  const startedMs = now();
  const tell = (more: Pick<ToldCall, "tokens" | "error">): void =>
    // The clock may be set back meanwhile.
    onCall({
      role,
      model: model.slice(0, MODEL_CHARS_MAX),
      durationMs: Math.max(0, now() - startedMs),
      ...more,
    });
  try {
    const reply = await call();
    tell(reply.usage.estimated ? {} : { tokens: tokensOf(reply.usage) });
    return reply;
  } catch (error) {
    tell({ error: errorType(error, signal) });
    throw error;
  }
}

function tokensOf({ inputTokens: input, outputTokens: output, ...parts }: ModelUsage): ToldCall["tokens"] {
  const { cachedInputTokens: cacheRead, cacheWriteInputTokens: cacheWrite } = parts;
  const { reasoningOutputTokens: reasoning } = parts;
  return {
    input,
    ...(cacheRead === undefined ? {} : { cacheRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
    output,
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

function errorType(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return "cancelled";
  if (error instanceof PermanentError) return error.code;
  // Callers throw their own errors at replies that they reject.
  return error instanceof TransientError ? "unavailable" : "_OTHER";
}
