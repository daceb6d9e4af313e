/**
 * Model checks over core NATS: each service that calls a model answers for its own role, because only it has the key.
 */
import type { Bus } from "../../bus/index.ts";
import { describeError } from "../../errors.ts";
import type { ModelClientOptions } from "../model-context.ts";
import { checkModels, type ModelCheck, ModelChecks } from "./check-model.ts";

export const MODEL_ROLES = ["planner", "executor", "reflector"] as const;

/** Longer than a check takes at most. */
const REPLY_TIMEOUT_MS = 28_000;
/** A reply is given again for so long: a check costs tokens. */
const KEPT_MS = 5_000;

/** Answers checks of one role until disposed. */
export function serveModelCheck(
  { connection }: Pick<Bus, "connection">,
  options: ModelClientOptions,
): AsyncDisposable {
  const stopping = new AbortController();
  let last: { readonly atMs: number; readonly checks: Promise<ModelCheck[]> } | undefined;
  const current = (): Promise<ModelCheck[]> => {
    const nowMs = performance.now();
    if (last === undefined || nowMs - last.atMs > KEPT_MS) {
      last = { atMs: nowMs, checks: checkModels(options, stopping.signal) };
    }
    return last.checks;
  };
  const subscription = connection.subscribe(subjectOf(options.role), {
    queue: options.role,
    callback(error, message) {
      if (error !== null) return;
      current()
        .then((checks) => void message.respond(JSON.stringify(checks)))
        .catch((fault: unknown) => options.log?.error({ err: fault }, "model check not answered"));
    },
  });
  return {
    async [Symbol.asyncDispose]() {
      subscription.unsubscribe();
      stopping.abort(new DOMException("the service stops", "AbortError"));
      await last?.checks;
    },
  };
}

/** Asks one service of each role to check its models, all at the same time. */
export async function askForModelChecks({ connection }: Pick<Bus, "connection">): Promise<ModelCheck[]> {
  const ask = async (role: string): Promise<ModelCheck[]> => {
    try {
      const reply = await connection.request(subjectOf(role), "", { timeout: REPLY_TIMEOUT_MS });
      return ModelChecks.parse(reply.json());
    } catch (error) {
      const message = `no ${role} answers: ${describeError(error)}; start one`;
      return [{ role, model: "", server: "", error: { code: "no_service", message } }];
    }
  };
  return (await Promise.all(MODEL_ROLES.map(ask))).flat();
}

function subjectOf(role: string): string {
  return `rpc.model.check.${role}`;
}
