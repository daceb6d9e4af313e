/** The texts of a step and its parts. */
import type { Approval, StepView } from "../api/api-types.ts";

export const DECISION_NAMES: Readonly<Record<NonNullable<Approval["decision"]>, string>> = {
  approve: "Approved",
  reject: "Rejected",
  answer: "Answered",
  happened: "Confirmed to have taken effect",
  "run-again": "Allowed to run again",
};

export const EFFECTS: Readonly<Record<StepView["grant"]["effect"], string>> = {
  read: "read-only",
  idempotent: "idempotent write",
  once: "runs at most once",
};

export const FORK_FORM = {
  forkFromThisStep: "Fork from this step",
  forkWithTheseArguments: "Fork with these arguments",
  fork: "Fork",
  dismiss: "Dismiss",
  argumentsForTheNew: "Arguments for the new run (references allowed)",
} as const;

export const OUTPUT_VIEW = {
  beginningOfTheOutput: "Beginning of the output",
} as const;

export const STEP_ARGUMENTS = {
  noArguments: "No arguments.",
  editedBy: (editedBy: string | number) => `edited by ${editedBy}`,
  removed: "removed",
  literalValue: "literal value",
  asPlanned: "as planned",
  from: "from",
  perItem: ", per item",
  notKnownHere: " (not known here)",
} as const;

export const STEP_ATTEMPTS = {
  noAttemptsYet: "No attempts yet.",
  undoing: "Undoing, ",
  attempt: (attempt: string | number) => `attempt ${attempt}`,
  in: (durationMs: string | number) => `in ${durationMs}`,
  notRetryable: " (not retryable)",
  itFailedButMay: "It failed but may have taken effect.",
  reusedTheOutputOf: "Reused the output of an identical call in this plan.",
  worker: "worker",
  started: (startedAt: string | number) => `started ${startedAt}`,
  deliveredTimesAWorker: (deliveries: string | number) => `delivered ${deliveries} times: a worker was lost`,
  broughtBy: (stepId: string | number) => `brought by ${stepId}`,
  triedAgainFrom: (retryAt: string | number) => `tried again from ${retryAt}`,
  tokens: (value: string | number) => `${value} tokens`,
  itsSubPlan: "its sub-plan",
  stoppedForApproval: "stopped for approval",
  lostOutcomeUnknown: "lost: outcome unknown",
} as const;

export const STEP_DECISIONS = {
  signedAs: (signedAs: string | number) => `Signed as ${signedAs}`,
  reason: (reason: string | number) => `Reason: ${reason}`,
  withEditedArguments: "with edited arguments",
  waitingForADecision: "Waiting for a decision",
  noLongerNeedsA: "No longer needs a decision",
  expiredRejected: "Expired: rejected",
  decided: "Decided",
  aPerson: "a person",
} as const;

export const STEP_DETAILS = {
  subPlan: "Sub-plan",
  arguments: "Arguments",
  items: "Items",
  turns: "Turns",
  effects: "Effects",
  approvals: "Approvals",
  reviews: "Reviews",
  about: "About",
  modelCalls: "Model calls",
  loadingModelCalls: "Loading model calls",
  noModelCallsIn: "No model calls in the retained trace. Traces are kept in memory and cleared on restart.",
  attempts: "Attempts",
  loadingLog: "Loading log",
  files: "Files",
  andMore: (value: string | number) => `and ${value} more`,
} as const;

export const STEP_DRAWER = {
  closeStep: "Close step",
  thisStep: "this step",
} as const;

export const STEP_EFFECTS = {
  copyEffectKey: "Copy effect key",
  saidBy: (by: string | number) => `said by ${by}`,
  itsOutcomeCameAfter: "Its outcome came after the step had been given up.",
  openTheCompensatingPlan: "Open the compensating plan",
  andMore: (value: string | number) => `and ${value} more`,
  underWay: "under way",
  needsApproval: "needs approval",
  tookEffect: "took effect",
  failedNoEffect: "failed, no effect",
  outcomeUnknownMayHave: "outcome unknown, may have taken effect",
} as const;

export const STEP_FACTS = {
  criticalPath: "Critical path",
  took: "Took",
  started: "Started",
  ended: "Ended",
  modelUse: "Model use",
  reviews: "Reviews",
  worker: "Worker",
  pool: "Pool",
  model: "Model",
  risk: "Risk",
  timeLimit: "Time limit",
  retries: "Retries",
  condition: "Condition",
  successMeans: "Success means",
  expected: "Expected",
  confidence: "Confidence",
  compensation: "Compensation",
  plannedIn: "Planned in",
  carriedOver: "Carried over",
  fromThePlanThis: "from the plan this one was forked from",
  costUnknown: ", cost unknown",
  upTo: (maxAttempts: string | number) => `up to ${maxAttempts}`,
  theSecondAfter: (backoffMs: string | number) => `the second after ${backoffMs}`,
} as const;

export const STEP_ITEMS = {
  itemsByStatus: "Items by status",
  all: (items: string | number) => `All ${items}`,
  noItemsInThis: "No items in this state.",
  showMoreLeft: (value: string | number) => `Show more (${value} left)`,
  arguments: "Arguments",
  attempts: "Attempts",
} as const;

export const STEP_MODEL_CALLS = {
  andMore: (value: string | number) => `and ${value} more`,
  whatWasAskedAnd: "What was asked and said is not recorded. Start the services with",
  toSeeTheMessages: "to see the messages of later calls here.",
  otelInstrumentationGenaiCapture: "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true",
  failed: "failed:",
  askedByThe: (agent: string | number) => `asked by the ${agent}`,
  in: (inputTokens: string | number) => `${inputTokens} in`,
  out: (outputTokens: string | number) => `${outputTokens} out`,
  inTheTrace: "in the trace",
  messageOf: (role: string | number) => `Message of ${role}`,
} as const;

export const STEP_RESULT = {
  error: "Error",
  whyItDidNot: "Why it did not run",
  missing: "Missing",
  output: "Output",
  partialOutput: "Partial output",
  copyOutput: "Copy output",
} as const;

export const STEP_REVIEWS = {
  reviews: "Reviews",
  attempt: (attempt: string | number) => `Attempt ${attempt}`,
  scored: (score: string | number) => `scored ${score}`,
  theJudgeIsSure: (confidence: string | number) => `the judge is ${confidence} sure`,
  suggested: (suggestion: string | number) => `Suggested: ${suggestion}`,
  notReviewed: "not reviewed",
} as const;

export const STEP_TIES = {
  andMore: (value: string | number) => `and ${value} more`,
  needs: "Needs",
  neededBy: "Needed by",
  verifies: "Verifies",
  verifiedBy: "Verified by",
  fallback: "Fallback",
  fallbackFor: "Fallback for",
  outputFrom: "Output from",
} as const;

export const STEP_TOOLS = {
  showInTheTrace: "Show in the trace",
  downloadJson: "Download JSON",
  copyStepId: "Copy step id",
  id: "id",
  copyStepAsJson: "Copy step as JSON",
  json: "JSON",
} as const;

export const STEP_TURNS = {
  thought: "Thought",
  callsOfTurn: (turn: string | number) => `Calls of turn ${turn}`,
  calls: (calls: string | number) => `${calls} calls`,
  noCall: "no call",
  failed: "failed:",
  callOf: "Call of",
  noOutcomeYet: "no outcome yet",
  aReviewerEditedThis: "a reviewer edited this call",
  observation: "Observation",
  itMayHaveTaken: " It may have taken effect.",
  turnOfItem: (turn: string | number, item: string | number) => `turn ${turn} of item ${item}`,
} as const;

export const SUB_PLAN = {
  loadingSubPlan: "Loading sub-plan",
  andMoreSteps: (value: string | number) => `and ${value} more steps`,
  itsSubPlan: "its sub-plan",
  itsSubPlans: (children: string | number) => `its ${children} sub-plans`,
} as const;
