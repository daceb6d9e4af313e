/**
 * How many plans the gateway takes, so that whatever it has taken it also keeps and finishes.
 *
 * What was accepted waits in the log, on disk; only two things of it take up memory, and each has a limit:
 * submissions on their way to the log, by number and by bytes, and plans that have not ended, which every gateway
 * and the planners hold. Above a limit a submission is refused before anything of it is stored: the same request,
 * with the same `Idempotency-Key`, may come again.
 */
import { Problem } from "../http/problem.ts";

/** Of all submissions that are on their way to the log. */
export const SUBMISSION_BYTES_IN_FLIGHT_MAX = 64 * 1024 * 1024;
/** The log answers within milliseconds. */
const RETRY_SUBMISSION_S = 1;
/** Plans end. */
const RETRY_OPEN_PLANS_S = 5;

export type Admission = {
  /**
   * Takes a submission in until the result is disposed.
   *
   * @throws {Problem} `too_many_submissions`
   */
  enter(bytes: number): Disposable;
  /**
   * To be called for a new plan from inside.
   *
   * @throws {Problem} `too_many_open_plans`
   */
  refuseAboveOpenPlans(): void;
};

/** @param options.openPlans - How many plans have not ended, as far as this gateway knows. */
export function createAdmission({
  inFlightMax,
  openPlansMax,
  openPlans,
}: {
  readonly inFlightMax: number;
  readonly openPlansMax: number;
  readonly openPlans: () => number;
}): Admission {
  let inFlight = 0;
  let bytesInFlight = 0;
  return {
    enter(bytes) {
      // Alone, a submission of any size is let in: its own limit is the log's.
      if (
        inFlight >= inFlightMax ||
        (inFlight > 0 && bytesInFlight + bytes > SUBMISSION_BYTES_IN_FLIGHT_MAX)
      ) {
        throw new Problem(
          "too_many_submissions",
          `${inFlight} submissions of ${bytesInFlight} bytes are waiting for the log; nothing was stored, send it again`,
          { retryAfterS: RETRY_SUBMISSION_S },
        );
      }
      inFlight += 1;
      bytesInFlight += bytes;
      let left = false;
      return {
        [Symbol.dispose]() {
          if (left) return;
          left = true;
          inFlight -= 1;
          bytesInFlight -= bytes;
        },
      };
    },
    refuseAboveOpenPlans() {
      // Those inside, this one among them, will soon be open as well.
      if (openPlans() + inFlight <= openPlansMax) return;
      throw new Problem(
        "too_many_open_plans",
        `there are already ${openPlansMax} open plans; nothing was stored, send it again later`,
        { retryAfterS: RETRY_OPEN_PLANS_S },
      );
    },
  };
}
