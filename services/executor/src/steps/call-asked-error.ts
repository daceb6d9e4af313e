import type { AskedCall } from "@planwright/plan";

/**
 * Breaks a loop off at a call about which a person has to decide: whether it may be made, or whether it has taken effect.
 * The attempt ends, and holds no worker meanwhile.
 */
export class CallAskedError extends Error {
  override readonly name = "CallAskedError";
  readonly call: AskedCall;

  constructor(call: AskedCall) {
    super(`${call.tool} waits for approval`);
    this.call = call;
  }
}
