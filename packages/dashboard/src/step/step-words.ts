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
  arguments: "Arguments for the new run (references allowed)",
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
  compensating: "Compensation, ",
  attempt: (attempt: string | number) => `attempt ${attempt}`,
  in: (durationMs: string | number) => `in ${durationMs}`,
  notRetryable: " (not retryable)",
  mayHaveTakenEffect: "It failed but may have taken effect.",
  reused: "Reused the output of an identical call in this plan.",
  worker: "worker",
  started: (startedAt: string | number) => `started ${startedAt}`,
  delivered: (deliveries: string | number) => `delivered ${deliveries} times: a worker was lost`,
  inUnit: (stepId: string | number) => `in the work unit of ${stepId}`,
  retryAt: (retryAt: string | number) => `next attempt at ${retryAt}`,
  tokens: (value: string | number) => `${value} tokens`,
  itsSubPlan: "its sub-plan",
  stoppedForApproval: "stopped for approval",
  lost: "lost: outcome unknown",
} as const;

export const STEP_DECISIONS = {
  signedAs: (signedAs: string | number) => `Signed as ${signedAs}`,
  reason: (reason: string | number) => `Reason: ${reason}`,
  withEditedArguments: "with edited arguments",
  undecided: "Waiting for a decision",
  noDecisionNeeded: "No longer needs a decision",
  expiredRejected: "Expired: rejected",
  decided: "Decided",
  aReviewer: "a reviewer",
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
  noModelCalls: "No model calls in the retained trace. Traces are kept in memory and cleared on restart.",
  attempts: "Attempts",
  loadingLog: "Loading log",
  files: "Files",
} as const;

export const STEP_DRAWER = {
  closeStep: "Close step",
  thisStep: "this step",
} as const;

export const STEP_EFFECTS = {
  compensation: "compensation",
  item: (item: number) => `item ${item}`,
  turn: (turn: number) => `turn ${turn}`,
  call: (call: number) => `call ${call}`,
  attempt: (attempt: number) => `attempt ${attempt}`,
  copyEffectKey: "Copy effect key",
  reportedBy: (by: string | number) => `reported by ${by}`,
  late: "The outcome arrived after the step was abandoned.",
  openCompensation: "Open the compensating plan",
  running: "in progress",
  needsApproval: "needs approval",
  tookEffect: "took effect",
  failedNoEffect: "failed, no effect",
  outcomeUnknown: "outcome unknown, may have taken effect",
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
  successCriteria: "Success criteria",
  expected: "Expected",
  confidence: "Confidence",
  compensation: "Compensation",
  plannedIn: "Planned in",
  carriedOver: "Carried over",
  fromOriginal: "from the plan this one was forked from",
  costUnknown: ", cost unknown",
  upTo: (maxAttempts: string | number) => `up to ${maxAttempts}`,
  theSecondAfter: (backoffMs: string | number) => `the second after ${backoffMs}`,
} as const;

export const STEP_ITEMS = {
  itemsByStatus: "Items by status",
  all: (items: string | number) => `All ${items}`,
  noItemsInThis: "No items in this state.",
  arguments: "Arguments",
  attempts: "Attempts",
} as const;

export const STEP_MODEL_CALLS = {
  notRecorded: "Prompts and replies are not recorded. Start the services with",
  toRecord: "to record those of later calls.",
  setting: "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true",
  requestedBy: (agent: string | number) => `requested by the ${agent}`,
  in: (inputTokens: string | number) => `${inputTokens} in`,
  out: (outputTokens: string | number) => `${outputTokens} out`,
  inTheTrace: "in the trace",
  messageOf: (role: string | number) => `Message of ${role}`,
} as const;

export const STEP_RESULT = {
  error: "Error",
  whyNotRun: "Why it did not run",
  missing: "Missing",
  output: "Output",
  partialOutput: "Partial output",
  copyOutput: "Copy output",
} as const;

export const STEP_REVIEWS = {
  reviews: "Reviews",
  attempt: (attempt: string | number) => `Attempt ${attempt}`,
  scored: (score: string | number) => `scored ${score}`,
  confidence: (confidence: string | number) => `confidence ${confidence}`,
  suggested: (suggestion: string | number) => `Suggested: ${suggestion}`,
  notReviewed: "not reviewed",
} as const;

export const STEP_TIES = {
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
  copyStepId: "Copy step ID",
  id: "ID",
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
  edited: "a reviewer edited this call",
  observation: "Observation",
  mayHaveTakenEffect: " It may have taken effect.",
  turnOfItem: (turn: string | number, item: string | number) => `turn ${turn} of item ${item}`,
} as const;

export const SUB_PLAN = {
  loadingSubPlan: "Loading sub-plan",
  andMoreSteps: (value: string | number) => `and ${value} more steps`,
  itsSubPlan: "its sub-plan",
  itsSubPlans: (children: string | number) => `its ${children} sub-plans`,
} as const;

export const STEP_PLACE = {
  noItems: (item: string | number) => `This step runs once; it has no item ${item}.`,
  noSuchItem: (item: string | number, has: string | number) =>
    `This step has no item ${item}: it has ${has}.`,
  item: (item: string | number) => `Item ${item}`,
  selectItem: (named: string | number) => `Turns belong to items: select an item to see turn ${named}.`,
  thisStep: "This step",
  noSuchTurn: (owner: string | number, named: string | number, has: string | number) =>
    `${owner} has no turn ${named}: it has ${has}.`,
} as const;
