/** Watches that the gateway has refused for now, because too many watch or it has too much to do: they are asked for again. */
import type { LiveMessage } from "./live-messages.ts";

const RETRY_MS_MIN = 5_000;

export type RefusedWatchesDeps = {
  readonly wait: (delayMs: number, callback: () => void) => () => void;
  readonly again: (planId: string) => void;
};

export function createRefusedWatches({ wait, again }: RefusedWatchesDeps) {
  /** By the id of the request. */
  let asked = new Map<string, string>();
  return {
    ask: (id: string, planId: string): void => {
      asked.set(id, planId);
    },
    receive: (message: LiveMessage): void => {
      if (message.type !== "ok" && message.type !== "error") return;
      const id = String(message.id ?? "");
      const planId = asked.get(id);
      asked.delete(id);
      // What is refused for good says nothing of a time.
      if (message.type === "ok" || planId === undefined || message.retryAfterSeconds === undefined) return;
      const current = asked;
      wait(Math.max(RETRY_MS_MIN, message.retryAfterSeconds * 1_000), () => {
        if (asked === current) again(planId);
      });
    },
    /** The connection is a new one, over which everything is asked for anyway. */
    clear: (): void => {
      asked = new Map();
    },
  };
}
