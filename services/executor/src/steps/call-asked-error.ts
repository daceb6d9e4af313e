import type { AskedCall } from "@planwright/plan";

/** Breaks a loop off at a call that needs a person's approval: the attempt ends, and holds no worker meanwhile. */
export class CallAskedError extends Error {
  override readonly name = "CallAskedError";
  readonly call: AskedCall;

  constructor(call: AskedCall) {
    super(`${call.tool} waits for a person's approval`);
    this.call = call;
  }
}
