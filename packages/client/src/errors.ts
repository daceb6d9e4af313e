/** Every error that the client itself throws; an aborted signal's own reason is thrown unchanged. */
import type { FieldIssue, PlanView, ProblemBody, ProblemCode } from "@planwright/api";

/** The base of all errors of this client. */
export abstract class PlanwrightError extends Error {
  /** Stable, for programs. */
  abstract readonly code: string;
}

/**
 * The gateway refused a request. Branch on `code`; `isProblem(error, "plan_not_found")` narrows it.
 *
 * A newer gateway may send codes that this version does not list.
 */
export class ProblemError extends PlanwrightError {
  override readonly name = "ProblemError";
  readonly code: ProblemCode;
  /** The HTTP status; 0 when the refusal came over the WebSocket. */
  readonly status: number;
  /** The meaning of the code, in one sentence. */
  readonly title: string;
  /** Every error in the request, by field; empty when there is only the message. */
  readonly issues: readonly FieldIssue[];
  /** Seconds after which the same request may succeed; absent when the gateway does not state them. */
  readonly retryAfterSeconds: number | undefined;
  /** How often the request was sent. */
  readonly attempts: number;

  constructor(problem: Omit<ProblemBody, "type">, { attempts = 1 }: { readonly attempts?: number } = {}) {
    super(problem.detail);
    this.code = problem.code;
    this.status = problem.status;
    this.title = problem.title;
    this.issues = problem.issues ?? [];
    this.retryAfterSeconds = problem.retryAfterSeconds;
    this.attempts = attempts;
  }
}

/** Whether an error is a refusal by the gateway and, if codes are given, has one of them. */
export function isProblem<Code extends ProblemCode = ProblemCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is ProblemError & { readonly code: Code } {
  if (!(error instanceof ProblemError)) return false;
  const wanted: readonly ProblemCode[] = codes;
  return wanted.length === 0 || wanted.includes(error.code);
}

/** No gateway answered: nothing is listening at the address, or the connection broke. */
export class ConnectionError extends PlanwrightError {
  override readonly name = "ConnectionError";
  readonly code = "unreachable";
}

/** The gateway did not answer in time. */
export class RequestTimeoutError extends PlanwrightError {
  override readonly name = "RequestTimeoutError";
  readonly code = "timeout";
  readonly timeoutMs: number;

  constructor(message: string, timeoutMs: number, options?: ErrorOptions) {
    super(message, options);
    this.timeoutMs = timeoutMs;
  }
}

/** The server that answered is not a Planwright gateway, or its response is unreadable. */
export class UnexpectedResponseError extends PlanwrightError {
  override readonly name = "UnexpectedResponseError";
  readonly code = "unexpected_response";
  /** The HTTP status. */
  readonly status: number;

  constructor(message: string, status: number, options?: ErrorOptions) {
    super(message, options);
    this.status = status;
  }
}

/** The plan ended without a usable answer; `plan` is its last view. */
export class PlanFailedError extends PlanwrightError {
  override readonly name = "PlanFailedError";
  readonly code: "plan_failed" | "plan_cancelled";
  readonly plan: PlanView;

  constructor(plan: PlanView) {
    const ending = plan.outcome === "cancelled" ? "was cancelled" : "failed";
    super(`plan ${plan.planId} ${ending}${plan.reason === undefined ? "" : `: ${plan.reason}`}`);
    this.code = plan.outcome === "cancelled" ? "plan_cancelled" : "plan_failed";
    this.plan = plan;
  }
}

/** The plan did not end within the time-out of `wait`; it continues. `plan` is its last view. */
export class WaitTimeoutError extends PlanwrightError {
  override readonly name = "WaitTimeoutError";
  readonly code = "wait_timeout";
  readonly plan: PlanView | undefined;

  constructor(planId: string, timeoutMs: number, plan: PlanView | undefined) {
    const status = plan === undefined ? "" : `; it is ${plan.status}`;
    super(`plan ${planId} did not end within ${timeoutMs} ms${status}`);
    this.plan = plan;
  }
}
