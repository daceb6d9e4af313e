/** The exit codes of `planwright`. Scripts rely on them: their meaning never changes. */
export const EXIT = {
  done: 0,
  /** An error of the gateway or of this command. */
  failed: 1,
  /** Invalid usage. */
  usage: 2,
  /** The gateway is unreachable. */
  unreachable: 3,
  /** The API key is missing or invalid. */
  unauthorized: 4,
  /** The request was refused. */
  refused: 5,
  /** The watched plan failed. */
  planFailed: 6,
  /** The watched plan waits for approval, and the output is not a terminal. */
  needsApproval: 7,
  /** The watched plan was cancelled. */
  planCancelled: 8,
  /** The watched plan partially succeeded: its answer is incomplete. */
  planPartial: 9,
  /** The watched plan succeeded, and its answer refuses the goal. */
  goalRefused: 10,
  /** Ctrl-C: the command detached; the plan continues. */
  detached: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command with an exit code, a message for the user, and a hint. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(
    exitCode: ExitCode,
    message: string,
    { hint, ...options }: ErrorOptions & { readonly hint?: string | undefined } = {},
  ) {
    super(message, options);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}
