/**
 * Limits how many plans the gateway accepts, so that it can keep and finish all of them.
 *
 * Accepted plans wait in the log, on disk. Only two kinds of data use memory, and each has a limit: submissions about to be
 * stored, by number and by bytes; and open plans, which every gateway and the planners hold. Above a limit, a submission is
 * refused before any of it is stored: the client can send the same request again with the same `Idempotency-Key`.
 */
import { Problem } from "../http/problem.ts";

/** Of all submissions about to be stored. */
export const SUBMISSION_BYTES_IN_FLIGHT_MAX = 64 * 1024 * 1024;
/** The log responds within milliseconds. */
const RETRY_SUBMISSION_S = 1;
/** Capacity returns as plans end. */
const RETRY_OPEN_PLANS_S = 5;

export type Admission = {
  /**
   * Admits a submission until the result is disposed.
   *
   * @throws {Problem} `too_many_submissions`
   */
  enter(bytes: number): Disposable;
  /**
   * Call this for a new plan once its submission is admitted.
   *
   * @throws {Problem} `too_many_open_plans`
   */
  refuseAboveOpenPlans(): void;
};

/** @param options.openPlans - Returns the number of open plans known to this gateway. */
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
      // On its own, a submission of any size is admitted: the log's limit applies.
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
      // All admitted submissions, including this one, will soon be open as well.
      if (openPlans() + inFlight <= openPlansMax) return;
      throw new Problem(
        "too_many_open_plans",
        `there are already ${openPlansMax} open plans; nothing was stored, send it again later`,
        { retryAfterS: RETRY_OPEN_PLANS_S },
      );
    },
  };
}
