/** The texts of re-runs. */

export const RERUN_BUTTON = {
  runAgain: "Run again",
} as const;

export const RERUN_COMPOSER = {
  loadingSubmission: "Loading submission",
  newGoal: "Write a new goal instead",
} as const;

export const RERUN_OF = {
  theSubmittedText: "The submitted text",
} as const;
