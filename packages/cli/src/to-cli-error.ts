/** Turns errors of the client into the messages and exit codes of the command line. */
import {
  ConnectionError,
  PlanwrightError,
  type ProblemCode,
  ProblemError,
  RequestTimeoutError,
  UnexpectedResponseError,
} from "@planwright/client";
import { COMMAND } from "./command-context.ts";
import { CliError, EXIT, type ExitCode } from "./exit-codes.ts";
import { PREFIX_CHARS_MIN } from "./plans/short-ids.ts";

const UNAUTHORIZED: ReadonlySet<number> = new Set([401, 403]);
const ISSUES_MAX = 10;

const PENDING = `List plans that wait for approval with \`${COMMAND} list --status awaiting-approval\`.`;
const PLANS = `List plans with \`${COMMAND} list\`. The first ${PREFIX_CHARS_MIN} characters of an ID are enough if no other begins with them.`;
const DOCTOR = `Check the installation with \`${COMMAND} doctor\`.`;

/** The command that helps, by the code of the problem. */
const HINTS: Readonly<Partial<Record<ProblemCode, string>>> = {
  unauthorized: `Pass the API key with --api-key or PLANWRIGHT_API_KEY. Admins create keys with \`${COMMAND} keys create NAME --role ROLE\`.`,
  role_required: `Use a key with another role. Admins list keys and roles with \`${COMMAND} keys\`.`,
  plan_not_found: PLANS,
  plan_deleted: PLANS,
  step_not_found: `List the steps with \`${COMMAND} show ID\`.`,
  step_not_settled: `Follow the plan with \`${COMMAND} watch ID\`.`,
  approval_not_found: PENDING,
  approval_decided: PENDING,
  approval_expired: PENDING,
  approval_withdrawn: PENDING,
  artifact_not_found: `List the files of a plan with \`${COMMAND} show ID --json artifacts\`.`,
  source_not_found: `List data sources with \`${COMMAND} data\`.`,
  unknown_source: `List data sources with \`${COMMAND} data\`.`,
  unknown_tool: `List tools with \`${COMMAND} tools\`.`,
  dead_letter_not_found: `List dead letters with \`${COMMAND} dead-letters\`.`,
  key_not_found: `List keys with \`${COMMAND} keys\`.`,
  keys_not_set: "Set PLANWRIGHT_API_KEYS at the gateway: see docs/keys-and-roles.md.",
  plan_not_paused: `See its status with \`${COMMAND} show ID\`.`,
  plan_not_ended: `Cancel it first with \`${COMMAND} cancel ID\`.`,
  plan_ended: `Run it again with \`${COMMAND} rerun ID\`.`,
  invalid_plan: `List every problem of a plan file with \`${COMMAND} check FILE\`.`,
  model_needed: DOCTOR,
  model_failed: DOCTOR,
  no_planner: DOCTOR,
  not_ready: DOCTOR,
  unavailable: DOCTOR,
  quota_reached: `See your quotas with \`${COMMAND} quotas\`.`,
  too_many_open_plans: `List open plans with \`${COMMAND} list --status open\`, and cancel those that you no longer need.`,
};

/** Returns undefined for an error that is neither the client's nor a `CliError`: a bug in this program. */
export function toCliError(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (error instanceof ProblemError) return refusalOf(error);
  if (error instanceof ConnectionError || error instanceof RequestTimeoutError) {
    const hint = "Start the system with `npm start`, or set the gateway with --url or PLANWRIGHT_URL.";
    return new CliError(EXIT.unreachable, error.message, { cause: error, hint });
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
  return new CliError(exitCodeOf(status), lines.join("\n"), { cause: problem, hint: HINTS[code] });
}

function exitCodeOf(status: number): ExitCode {
  if (UNAUTHORIZED.has(status)) return EXIT.unauthorized;
  return status >= 400 && status < 500 ? EXIT.refused : EXIT.failed;
}
