/** What a script can tell from how `planwright` ends. They never change their meaning. */
export const EXIT = {
  done: 0,
  /** Something went wrong that is nobody's wish: a fault of the system, or one of ours. */
  failed: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** No gateway answers. */
  unreachable: 3,
  /** The gateway wants a key, or another one. */
  unauthorized: 4,
  /** What is wanted was understood and refused. */
  refused: 5,
  /** The plan that was watched has failed. */
  planFailed: 6,
  /** The plan that was watched waits for a person, and nobody is at this terminal. */
  needsApproval: 7,
  /** The plan that was watched was cancelled. */
  planCancelled: 8,
  /** The plan that was watched has an answer that lacks something. */
  planPartial: 9,
  /** The plan that was watched ran well, and its answer is that the goal was not acted on. */
  goalRefused: 10,
  /** Ctrl-C: the plan goes on without being watched. */
  detached: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends the command: the message is for the person who typed it. */
export class CliError extends Error {
  override readonly name = "CliError";
  readonly exitCode: ExitCode;

  constructor(exitCode: ExitCode, message: string, options: ErrorOptions = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}
