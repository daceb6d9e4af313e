/** Refusals as errors, and in the form in which they are sent. The codes are those of `@planwright/api`. */
import { type FieldIssue, type ProblemBody, PROBLEMS, type ProblemCode } from "@planwright/api";

type ProblemDetails = {
  /** The individual faults, one entry each. */
  readonly issues?: readonly FieldIssue[];
  /** When to retry, in seconds. */
  readonly retryAfterS?: number;
  /** Whether its cause is already in the log, so that it is not logged for each request. */
  readonly isLogged?: boolean;
};

/** A refusal that is sent to the client. The message is written for users. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly details: ProblemDetails;

  constructor(code: ProblemCode, message: string, options: ErrorOptions & ProblemDetails = {}) {
    super(message, options);
    this.code = code;
    this.details = options;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** The body of a refusal, as defined by RFC 9457. */
export function problemBody(problem: Problem): ProblemBody {
  const { code, status, message, details } = problem;
  return {
    type: `urn:planwright:problem:${code}`,
    title: PROBLEMS[code].title,
    status,
    code,
    detail: message,
    ...(details.issues === undefined ? {} : { issues: [...details.issues] }),
    ...(details.retryAfterS === undefined ? {} : { retryAfterSeconds: details.retryAfterS }),
  };
}
