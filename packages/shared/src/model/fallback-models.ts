/** Tries fallback models when a model cannot answer. */
import { PermanentError } from "../errors.ts";
import type { ModelReply, ModelRequest } from "./model-client.ts";
import type { ModelContext } from "./model-context.ts";
import { ModelUnavailableError } from "./call/model-patience.ts";

/** How long a server that did not answer is not called while another one answers. */
const REST_MS = 60_000;

/** Failures after which another model would fail too. */
const OTHERS_FAIL_TOO = new Set(["model_reply_too_large", "no_token_limit"]);

export type Target = {
  readonly context: ModelContext;
  /** Milliseconds since the epoch; until then it is tried only if no other target is left. */
  restsUntilMs: number;
};

/**
 * Makes a call to the first target that can answer it.
 *
 * @throws The last target's error, with the earlier targets' failures in the message.
 */
export async function completeWithFallbacks(
  targets: readonly Target[],
  request: ModelRequest,
  complete: (context: ModelContext, request: ModelRequest) => Promise<ModelReply>,
): Promise<ModelReply> {
  const failures: string[] = [];
  let seen = false;
  const { onText } = request;
  const watched: ModelRequest =
    onText === undefined
      ? request
      : {
          ...request,
          onText: (piece) => {
            seen = true;
            onText(piece);
          },
        };
  const order = inOrder(targets, request);
  for (const [index, target] of order.entries()) {
    const { context } = target;
    const isOwn = target === targets[0];
    // A step's own choice of model applies only to the role's server.
    const { model: _model, ...onFallback } = watched;
    try {
      return await complete(context, isOwn ? watched : onFallback);
    } catch (error) {
      const isLast = index === order.length - 1;
      if (!(error instanceof PermanentError) || OTHERS_FAIL_TOO.has(error.code)) throw error;
      if (isLast || request.signal.aborted || (seen && request.onRestart === undefined)) {
        throw failures.length === 0 ? error : withEarlier(error, failures);
      }
      if (error instanceof ModelUnavailableError) target.restsUntilMs = context.now() + REST_MS;
      // Each server gets the full number of attempts.
      request.patience?.reset();
      request.onRestart?.();
      failures.push(`${request.model ?? context.model}: ${error.message}`);
      context.log?.warn(
        { role: context.role, model: context.model, reason: error.message },
        "model cannot answer, trying its fallback",
      );
    }
  }
  throw new TypeError("expected at least one model, got none");
}

/** A budget in dollars cannot be enforced for a model whose price is unknown. */
function inOrder(targets: readonly Target[], { metered }: ModelRequest): Target[] {
  const [own] = targets;
  const usable = targets.filter(
    (target) =>
      target === own || metered !== true || Object.hasOwn(target.context.prices, target.context.model),
  );
  const isRested = ({ context, restsUntilMs }: Target): boolean => context.now() >= restsUntilMs;
  return [...usable.filter(isRested), ...usable.filter((target) => !isRested(target))];
}

function withEarlier(error: PermanentError, failures: readonly string[]): PermanentError {
  const message = `${error.message} (before that, ${failures.join("; ")})`;
  if (error instanceof ModelUnavailableError) return new ModelUnavailableError(message, error.last);
  return new PermanentError(message, { cause: error.cause, code: error.code });
}
