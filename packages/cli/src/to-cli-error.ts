/** Turns errors of the client into the messages and exit codes of the command line. */
import {
  ConnectionError,
  PlanwrightError,
  ProblemError,
  RequestTimeoutError,
  UnexpectedResponseError,
} from "@planwright/client";
import { CliError, EXIT, type ExitCode } from "./exit-codes.ts";

const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 403]);
const ISSUES_MAX = 10;

/** Returns undefined for an error that is neither the client's nor a `CliError`: a bug in this program. */
export function toCliError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof ProblemError) return refusalOf(error);
  if (error instanceof ConnectionError || error instanceof RequestTimeoutError) {
    const message = `${error.message}\nStart the system with \`npm start\`, or set the gateway with --url or PLANWRIGHT_URL.`;
    return new CliError(EXIT.unreachable, message, { cause: error });
  }
  if (error instanceof UnexpectedResponseError) {
    return new CliError(exitCodeOf(error.status), error.message, { cause: error });
  }
  return error instanceof PlanwrightError
    ? new CliError(EXIT.failed, error.message, { cause: error })
    : undefined;
}

function refusalOf(problem: ProblemError): CliError {
  const { message, code, issues, status } = problem;
  const lines = [`${message} (${code})`];
  const listed = issues.map((issue) => `${issue.field ?? ""}: ${issue.message}`);
  // A single issue is already in the message.
  if (listed.join() !== message) lines.push(...listed.slice(0, ISSUES_MAX).map((issue) => `  ${issue}`));
  if (status === 401) lines.push("Pass the API key with --api-key or PLANWRIGHT_API_KEY.");
  return new CliError(exitCodeOf(status), lines.join("\n"), { cause: problem });
}

function exitCodeOf(status: number): ExitCode {
  if (UNAUTHORIZED.has(status)) return EXIT.unauthorized;
  return status >= 400 && status < 500 ? EXIT.refused : EXIT.failed;
}
