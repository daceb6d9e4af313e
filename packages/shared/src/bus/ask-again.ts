import { setTimeout as delay } from "node:timers/promises";
import { isUnavailable } from "./is-unavailable.ts";

const ASKED_MAX = 3;
const WAIT_MS = 100;

/**
 * Asks again when no answer came: a server loses calls of its API while it takes in other users, and refuses them while
 * it elects a leader. For calls that may be made twice.
 */
export async function askAgain<T>(ask: () => Promise<T>): Promise<T> {
  for (let asked = 1; ; asked++) {
    try {
      return await ask();
    } catch (error) {
      if (!isUnavailable(error) || asked === ASKED_MAX) throw error;
    }
    await delay(WAIT_MS * asked);
  }
}
