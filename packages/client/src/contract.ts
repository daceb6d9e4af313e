/**
 * The contract as plain types. Written by `npm run docs` from the schemas of packages/api; a test holds each type to
 * that of its schema.
 */

/** What `JSON.parse` can yield. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** The JSON that each endpoint answers with. */
export type Answers = {
  submitPlan: Accepted;
  listPlans: PlanPage;
  countPlans: PlanCounts;
  getPlan: PlanView;
  getEvents: EventPage;
  cancelPlan: Cancelled;
  pausePlan: PlanState;
  resumePlan: PlanState;
  deletePlan: Deleting;
  rerunPlan: Accepted;
  getSubmission: Submission;
  forkPlan: Accepted;
  ratePlan: Feedback;
  previewPlan: Preview;
  checkPlan: PlanCheck;
  getContinuity: never;
  listArtifacts: ArtifactList;
  getArtifact: never;
  listApprovals: PendingApprovals;
  decideApproval: ApprovalView;
  openSocket: never;
  listSources: DataSources;
  addSource: SourceInfo;
  deleteSource: never;
  listDeadLetters: DeadLetterPage;
  getDeadLetter: DeadLetterDetail;
  retryDeadLetter: Retried;
  retryDeadLetters: RetriedMany;
  discardDeadLetter: never;
  discardDeadLetters: DiscardedMany;
  listKeys: KeyList;
  createKey: CreatedKey;
  revokeKey: never;
  endSessions: never;
  exportAudit: never;
  getMe: Caller;
  getSignInOptions: SignInOptions;
  signOut: SignedOut;
  getTrace: Trace;
  receiveTraces: OtlpAnswer;
  listTools: Tools;
  listWorkers: Workers;
  listQuotas: QuotaList;
  getSystem: System;
  checkModels: ModelChecks;
  getMetrics: Metrics;
  getPrometheusMetrics: never;
  getHealth: Alive;
  getReadiness: Ready;
  callMcp: never;
  getOpenApi: OpenApi;
  getReference: never;
};

/** What the gateway sends, by name. */
export type Received = {
  Accepted: Accepted;
  Answer: Answer;
  AnswerStatus: AnswerStatus;
  ApprovalDecision: ApprovalDecision;
  ApprovalView: ApprovalView;
  ArtifactRef: ArtifactRef;
  AuditBreak: AuditBreak;
  AuditEntry: AuditEntry;
  Caller: Caller;
  CreatedKey: CreatedKey;
  CreateKeyBody: CreateKeyBody;
  Compensation: Compensation;
  DeadLetter: DeadLetter;
  DeadLetterDetail: DeadLetterDetail;
  DeadLetterPage: DeadLetterPage;
  DiscardedMany: DiscardedMany;
  DecisionBody: DecisionBody;
  EventPage: EventPage;
  Feedback: Feedback;
  FeedbackBody: FeedbackBody;
  FieldIssue: FieldIssue;
  KeyInfo: KeyInfo;
  KeyList: KeyList;
  Metrics: Metrics;
  MetricsRange: MetricsRange;
  ModelCheck: ModelCheck;
  NumberedEvent: NumberedEvent;
  PendingApproval: PendingApproval;
  PendingApprovals: PendingApprovals;
  Period: Period;
  PlanCheck: PlanCheck;
  PlanCounts: PlanCounts;
  PlanSort: PlanSort;
  SortOrder: SortOrder;
  PlanEvent: PlanEvent;
  PlanPage: PlanPage;
  PlanState: PlanState;
  PlanStatus: PlanStatus;
  PlanSummary: PlanSummary;
  PlanView: PlanView;
  Preview: Preview;
  ProblemBody: ProblemBody;
  Quota: Quota;
  QuotaList: QuotaList;
  Retried: Retried;
  RetriedMany: RetriedMany;
  ServerMessage: ServerMessage;
  SignedOut: SignedOut;
  SignInOptions: SignInOptions;
  SourceFromConfig: SourceFromConfig;
  SourceInfo: SourceInfo;
  Step: Step;
  StepView: StepView;
  Submission: Submission;
  System: System;
  Tools: Tools;
  ToolSpec: ToolSpec;
  Trace: Trace;
  WhichDeadLetters: WhichDeadLetters;
  Worker: Worker;
  Workers: Workers;
};

/** The plan is stored. Its view is at `GET /v1/plans/{planId}`. */
export type Accepted = {
  planId: string;
  /** 32 hexadecimal digits. */
  traceId: string;
};

export type ActionValue = {
  stepId: string;
  /** How close the action has come to the goal, from 0 to 1. */
  value: number;
  /** Whether the action reaches the goal. */
  solved: boolean;
  reason: string;
};

export type AgentInfo = {
  /** What it is for: what a planner's model goes by when it chooses. */
  description: string;
  /** The only tools that its steps may use. */
  tools: string[];
  /** The model of its `model.write` and `agent.react`, unless a step names one; otherwise the executor's. */
  model?: string | undefined;
  pool: string;
  /** How many of its pool's steps one executor runs at a time, where EXECUTOR_POOLS says nothing else. */
  concurrency?: number | undefined;
  name: string;
};

export type Alive = {
  alive: true;
  version: string;
};

export type Answer = {
  text: string;
  status: AnswerStatus;
  data?: Json | undefined;
  /** The steps on which the answer is based. */
  sources: string[];
  artifacts: ArtifactRef[];
};

export type AnswerDrafted = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "answer.drafted";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    join: number;
    answer: Answer;
    usage?: Usage | undefined;
    forfeited?: Forfeit | undefined;
  };
};

export type AnswerGiven = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "answer.given";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    /** Absent if the plan named the step that provides the answer. */
    join?: number | undefined;
    answer: Answer;
    usage?: Usage | undefined;
    forfeited?: Forfeit | undefined;
  };
};

export type AnswerReviewed = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "answer.reviewed";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    /** Number of the draft, from 1. Plan drafts and answer drafts are numbered separately. */
    draft: number;
    /** The number of this review of the draft, from 1. */
    review: number;
    verdict: Verdict;
    /** Quality, from 0 to 1. */
    score?: number | undefined;
    /** Confidence of the reviewing model, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** Suggested improvement; "" if there is none. */
    suggestion: string;
    /** For `unjudged`: the reason, and whether another review may help. */
    message?: string | undefined;
    cause?: "interrupted" | "allowance_spent" | "model_failed" | "model_unavailable" | "unusable" | undefined;
    /** The delay that the model server requested, in milliseconds. */
    retryAfterMs?: number | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
  };
};

export type AnswerStatus =
  | "success"
  | "partial"
  | "no_match"
  | "insufficient_stock"
  | "invalid_request"
  | "unsupported_intent"
  | "failed";

export type ApprovalDecided = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "approval.decided";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    approvalId: string;
    decision: ApprovalDecision;
    /** For `approve`: the complete edited arguments, or the complete edited plan. */
    edits?: JsonObject | undefined;
    /** Permissions of the tools that an edited plan uses, by tool name. */
    grants?: Record<string, ToolGrant> | undefined;
    /** For `happened`: the output of the step. */
    output?: Json | undefined;
    /** For `answer`: the answer. */
    answer?: Json | undefined;
    /** The identity of the key that decided, `tenant` or `tenant/name`. If no keys are set: the name in the request, or `default`. */
    by: string;
    /** The name in the request. It is not verified. */
    signedAs?: string | undefined;
    reason?: string | undefined;
  };
};

export type ApprovalDecision = "approve" | "reject" | "answer" | "happened" | "run-again";

export type ApprovalKind = "plan" | "tool-risk" | "confidence" | "question" | "outcome-unknown" | "budget";

export type ApprovalPolicy = {
  /** Whether each plan, and each of its revisions, needs approval before it runs. */
  plan: boolean;
  /** The lowest tool risk that needs approval; `never` if none does. */
  risk: "low" | "medium" | "high" | "never";
  /** Steps and plans with a lower confidence of the planner than this need approval. */
  confidenceBelow?: number | undefined;
  /** Time in milliseconds after which an undecided approval is rejected. */
  expiresAfterMs: number;
};

export type ApprovalPolicyInput = {
  /** Whether each plan, and each of its revisions, needs approval before it runs. */
  readonly plan?: boolean | undefined;
  /** The lowest tool risk that needs approval; `never` if none does. */
  readonly risk?: "low" | "medium" | "high" | "never" | undefined;
  /** Steps and plans with a lower confidence of the planner than this need approval. */
  readonly confidenceBelow?: number | undefined;
  /** Time in milliseconds after which an undecided approval is rejected. */
  readonly expiresAfterMs?: number | undefined;
};

export type ApprovalRequested = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "approval.requested";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    approvalId: string;
    kind: ApprovalKind;
    /** The question to the reviewer, as a sentence. */
    question: string;
    /** The step that needs approval; absent if the whole plan does. */
    stepId?: string | undefined;
    item?: number | undefined;
    /** Set if the approval is about the step's compensation. */
    undo?: true | undefined;
    attempt?: number | undefined;
    tool?: string | undefined;
    risk?: Risk | undefined;
    /** The exact arguments, with all references resolved. */
    args?: JsonObject | undefined;
    /** SHA-256 of `args`, or of the plan's steps, in canonical form. The approval is valid only for these. */
    argsHash?: string | undefined;
    /** Why the approval is required. `policy`: the installation's policy requires it, regardless of the submission. `submission`: only the submission requires it. `egress`: a model composed a URL after reading content. Absent for any other reason. */
    requiredBy?: "policy" | "submission" | "egress" | undefined;
    /** URLs in the arguments that a model composed after reading untrusted or private content, with their host, path and query. Absent if there are none. */
    composedUrls?: ComposedUrl[] | undefined;
    /** The identities that may approve it according to the installation's policy. If absent, any key of the tenant may. */
    approvers?: string[] | undefined;
    /** The submitter of the plan may not approve it. */
    submitterMayApprove?: false | undefined;
    /** Tools whose outputs are part of the arguments, or were read by the model that wrote the arguments. Absent if there are none. */
    argumentsFrom?: Provenance | undefined;
    /** Origin of each argument: who wrote it, and which outputs influenced it. Absent for questions. */
    argumentOrigins?: ({
      /** Its name. */
      argument: string;
      /** Who wrote the argument or the reference in it: the user, in a submitted plan; a model; or another plan, if this plan is its sub-plan, fork or follow-up. */
      author: "user" | "model" | "plan";
      /** Tools whose outputs are part of the argument, or were read by the model that wrote it; absent if there are none. */
      tools?: string[] | undefined;
      /** What those outputs can contain: content from the public web, or private content. Absent if they contain only content of the plan itself. */
      content?: "web" | "private" | undefined;
    })[] | undefined;
    /** Further details for the decision. They depend on `kind`. */
    details?: JsonObject | undefined;
    /** Time in milliseconds after which the approval is rejected if undecided. */
    expiresAfterMs: number;
  };
};

export type ApprovalView = {
  approvalId: string;
  kind: ApprovalKind;
  /** The question to the reviewer, as a sentence. */
  question: string;
  /** The step that needs approval; absent if the whole plan does. */
  stepId?: string | undefined;
  item?: number | undefined;
  /** Set if the approval is about the step's compensation. */
  undo?: true | undefined;
  attempt?: number | undefined;
  tool?: string | undefined;
  risk?: Risk | undefined;
  /** The exact arguments, with all references resolved. */
  args?: JsonObject | undefined;
  /** SHA-256 of `args`, or of the plan's steps, in canonical form. The approval is valid only for these. */
  argsHash?: string | undefined;
  /** Why the approval is required. `policy`: the installation's policy requires it, regardless of the submission. `submission`: only the submission requires it. `egress`: a model composed a URL after reading content. Absent for any other reason. */
  requiredBy?: "policy" | "submission" | "egress" | undefined;
  /** URLs in the arguments that a model composed after reading untrusted or private content, with their host, path and query. Absent if there are none. */
  composedUrls?: ComposedUrl[] | undefined;
  /** The identities that may approve it according to the installation's policy. If absent, any key of the tenant may. */
  approvers?: string[] | undefined;
  /** The submitter of the plan may not approve it. */
  submitterMayApprove?: false | undefined;
  /** Tools whose outputs are part of the arguments, or were read by the model that wrote the arguments. Absent if there are none. */
  argumentsFrom?: Provenance | undefined;
  /** Origin of each argument: who wrote it, and which outputs influenced it. Absent for questions. */
  argumentOrigins?: ({
    /** Its name. */
    argument: string;
    /** Who wrote the argument or the reference in it: the user, in a submitted plan; a model; or another plan, if this plan is its sub-plan, fork or follow-up. */
    author: "user" | "model" | "plan";
    /** Tools whose outputs are part of the argument, or were read by the model that wrote it; absent if there are none. */
    tools?: string[] | undefined;
    /** What those outputs can contain: content from the public web, or private content. Absent if they contain only content of the plan itself. */
    content?: "web" | "private" | undefined;
  })[] | undefined;
  /** Further details for the decision. They depend on `kind`. */
  details?: JsonObject | undefined;
  /** Time in milliseconds after which the approval is rejected if undecided. */
  expiresAfterMs: number;
  /** `withdrawn`: the step or plan ended before a decision. */
  status: "pending" | "decided" | "expired" | "withdrawn";
  /** The possible decisions. */
  choices: ApprovalDecision[];
  requestedAt: string;
  expiresAt: string;
  decision?: ApprovalDecision | undefined;
  edits?: JsonObject | undefined;
  answer?: Json | undefined;
  /** The identity that decided; `timer` if the approval expired. */
  decidedBy?: string | undefined;
  /** The name given with the decision. It is not verified. */
  signedAs?: string | undefined;
  decidedAt?: string | undefined;
  reason?: string | undefined;
};

export type ArtifactList = {
  artifacts: ArtifactRef[];
};

export type ArtifactRef = {
  name: string;
  contentType: string;
  bytes: number;
};

export type AskedCall = {
  turn: number;
  /** Position in a turn with several calls. */
  call?: number | undefined;
  thought: string;
  tool: string;
  args: JsonObject;
  /** The arguments that the loop proposed; set if a reviewer changed them. */
  proposed?: JsonObject | undefined;
  risk: Risk;
  /** Why it is unknown whether the call took effect; absent if the call was not made. */
  doubt?: string | undefined;
};

export type AuditBreak = {
  unreadable: {
    /** Of the message in the stream `AUDIT`. */
    sequence: number;
    /** When NATS stored it. */
    at: string;
    bytes: number;
    /** Of the message. */
    sha256: string;
  };
};

export type AuditEntry = {
  /** From 1, without gaps, for each tenant. */
  number: number;
  at: string;
  tenant: string;
  /** The identity of the key. */
  by: string;
  role: Role;
  /** The id of the operation, such as `cancelPlan`, regardless of the interface. */
  action: string;
  via: "http" | "websocket" | "mcp";
  /** Details of the request: ids, names, and choices such as `decision`. */
  on: Record<string, string>;
  /** The address of the client, or of the proxy before the gateway. */
  from: string;
  /** `done`, or the error code. */
  outcome: string;
  /** The hash of the previous entry; zeros for the first one. */
  previous: string;
  /** SHA-256 of the entry without this field, as canonical JSON. */
  hash: string;
};

export type Budget = {
  tokens?: number | undefined;
  usd?: number | undefined;
  seconds?: number | undefined;
  steps?: number | undefined;
  /** What happens when a limit is reached: `end` the plan with its results so far, or `ask` for approval of a higher limit. */
  onExhausted: "end" | "ask";
};

export type BudgetInput = {
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
  readonly seconds?: number | undefined;
  readonly steps?: number | undefined;
  /** What happens when a limit is reached: `end` the plan with its results so far, or `ask` for approval of a higher limit. */
  readonly onExhausted?: "end" | "ask" | undefined;
};

export type BudgetLimits = {
  tokens?: number | undefined;
  usd?: number | undefined;
  seconds?: number | undefined;
  steps?: number | undefined;
};

export type Caller = {
  tenant: string;
  /** As recorded with decisions and in the audit log; absent if no credentials are required. */
  identity?: string | undefined;
  /** Display name from the identity provider. */
  name?: string | undefined;
  role: Role;
  /** Credential of the request: an API key, a token from the identity provider, or a dashboard session. `none` if no credentials are required. */
  credential: "none" | "key" | "token" | "session";
  /** When the token or the session expires. */
  expiresAt?: string | undefined;
  /** Operations that the role permits, by their ids in `/openapi.json`. */
  calls: string[];
  /** Approval decisions that the role permits. The policy can permit fewer. */
  decisions: ApprovalDecision[];
};

export type CallStarted = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "call.started";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
    pool?: string | undefined;
    attempt: number;
    /** The turn of the call; also part of its effect key. */
    turn: number;
    /** Position in a turn with several calls. The effect key then ends with `<turn>_<call>`. */
    call?: number | undefined;
    thought: string;
    tool: string;
    args: JsonObject;
    /** The arguments that the loop proposed; set if a reviewer changed them. */
    proposed?: JsonObject | undefined;
    effect: Effect;
    /** The approval with which a reviewer allowed the call to be repeated; absent for the first call. */
    leave?: string | undefined;
    workerId: string;
  };
};

export type Cancelled = {
  planId: string;
  status: "cancelled";
};

export type CancelRequested = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "cancel.requested";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    reason: string;
    /** The identity of the key or user that sent the request; the tenant if no credentials are required. */
    by: string;
  };
};

export type CarriedFile = {
  item: number;
  artifact: ArtifactRef;
  lists?: Record<string, number> | undefined;
};

export type CarriedStep = {
  step: Step;
  grant: ToolGrant;
  output: StepOutput;
  /** Items of the list in `output` that are stored as files, to which references resolve. Absent if there are none. */
  files?: CarriedFile[] | undefined;
  /** Why the output is incomplete. */
  partial?: string | undefined;
  /** For a step with `forEach`: the number of failed items. */
  failedItems?: number | undefined;
  /** Files that the step wrote. The new plan has its own copies. */
  artifacts: ArtifactRef[];
};

export type ClientMessageInput = {
  readonly id: MessageId;
  readonly type: "submit";
  /** Same as the body of `POST /v1/plans`. */
  readonly body: unknown;
  readonly idempotencyKey?: string | undefined;
  /** Whether to watch the plan, starting with its first event. */
  readonly watch?: boolean | undefined;
} | {
  readonly id: MessageId;
  readonly type: "watch";
  readonly planId: string;
  /** Number of the last event that you have received. */
  readonly after?: number | undefined;
  /** `events`: all events. `view`: changes of the plan's view. `facts` is the deprecated old name of `events`. */
  readonly as?: "events" | "view" | "facts" | undefined;
} | {
  readonly id: MessageId;
  readonly type: "unwatch";
  readonly planId: string;
} | {
  readonly id: MessageId;
  readonly type: "watch-plans";
} | {
  readonly id: MessageId;
  readonly type: "unwatch-plans";
} | {
  readonly id: MessageId;
  readonly type: "resume";
  readonly planId: string;
} | {
  readonly id: MessageId;
  readonly type: "cancel" | "pause";
  readonly planId: string;
  readonly reason?: string | undefined;
} | {
  readonly id: MessageId;
  readonly type: "approve" | "reject";
  readonly planId: string;
  readonly approvalId: string;
  /** With `approve`: the complete edited arguments. For a plan: the complete edited plan. For a budget: the amount by which to raise each limit. */
  readonly edits?: Readonly<Record<string, unknown>> | undefined;
  /** Name to record with the decision. It is not verified. If keys are set, the identity of the key is recorded too. */
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
} | {
  readonly id: MessageId;
  readonly type: "answer";
  readonly planId: string;
  readonly approvalId: string;
  readonly answer: unknown;
  /** Name to record with the decision. It is not verified. If keys are set, the identity of the key is recorded too. */
  readonly by?: string | undefined;
};

export type Compensation = {
  /** Purpose of the step. */
  description: string;
  /** Name of the tool to call, as listed by `GET /v1/tools`. */
  tool: string;
  /** Arguments of the tool. They can contain references. */
  args: JsonObject;
  /** Agent type or worker pool that runs it. Default: the tool's pool. */
  agent?: string | undefined;
  /** Time limit for one attempt, in milliseconds. Default: the tool's time limit. */
  timeoutMs?: number | undefined;
  /** `maxAttempts`, including the first one, and `backoffMs`, the delay before the second attempt. The delay doubles with each further attempt. */
  retry?: RetryPolicy | undefined;
};

export type ComposedUrl = {
  /** Path of the argument, such as `url` or `pages[2].href`. */
  argument: string;
  /** Includes the port if the URL has one; absent if the URL is not known before the call. */
  host?: string | undefined;
  path?: string | undefined;
  /** Decoded, without the question mark. */
  query?: string | undefined;
};

export type CreatedKey = {
  /** Part of the key. It is not secret. */
  id: string;
  /** `tenant/name`, as recorded with decisions. Several keys can have the same name, such as an old key and its successor. */
  identity: string;
  role: Role;
  createdAt: string;
  /** The identity of the admin. */
  createdBy: string;
  /** Accurate to the hour; absent before the first use. */
  lastUsedAt?: string | undefined;
  /** The key is rejected from this time on. */
  expiresAt?: string | undefined;
  /** The key. It is shown only in this response; the gateway stores a hash. */
  key: string;
};

export type CreateKeyBody = {
  /** Name of the key's owner. The identity is `tenant/name`. */
  name: string;
  role: Role;
  /** When the key expires. Default: never. */
  expiresAt?: string | undefined;
};

export type DataRules = Record<string, TableRules>;

export type DataSources = {
  sources: SourceInfo[];
};

export type DeadLetter = {
  /** Stream sequence number. It is never reused. */
  id: string;
  /** Dead letters with the same cause are in the same group. */
  group: string;
  /** Kind of work; `unknown` for messages that dispatchers of this version do not send. */
  kind: "step" | "draft" | "synthesis" | "review" | "facts" | "unknown";
  pool?: string | undefined;
  planId?: string | undefined;
  stepId?: string | undefined;
  attempt?: number | undefined;
  /** For a step with `forEach`: the index of the item. Otherwise 0. */
  item?: number | undefined;
  /** Number of the draft or review. */
  number?: number | undefined;
  cause: string;
  deliveries: number;
  at: string;
};

export type DeadLetterDetail = {
  /** Stream sequence number. It is never reused. */
  id: string;
  /** Dead letters with the same cause are in the same group. */
  group: string;
  /** Kind of work; `unknown` for messages that dispatchers of this version do not send. */
  kind: "step" | "draft" | "synthesis" | "review" | "facts" | "unknown";
  pool?: string | undefined;
  planId?: string | undefined;
  stepId?: string | undefined;
  attempt?: number | undefined;
  /** For a step with `forEach`: the index of the item. Otherwise 0. */
  item?: number | undefined;
  /** Number of the draft or review. */
  number?: number | undefined;
  cause: string;
  deliveries: number;
  at: string;
  /** The message, as JSON if possible, otherwise as text. Limited to the first 100,000 characters. */
  payload: Json;
};

export type DeadLetterGroup = {
  group: string;
  /** Kind of work; `unknown` for messages that dispatchers of this version do not send. */
  kind: "step" | "draft" | "synthesis" | "review" | "facts" | "unknown";
  pool?: string | undefined;
  /** The cause, without numbers, ids and quoted text. */
  cause: string;
  count: number;
  firstAt: string;
  lastAt: string;
  /** The newest dead letter of the group. */
  sample: DeadLetter;
};

export type DeadLetterPage = {
  /** Number of all dead letters, regardless of filters. */
  total: number;
  /** Groups of the dead letters that match the filters, largest first. */
  groups: DeadLetterGroup[];
  /** Newest first. */
  deadLetters: DeadLetter[];
  nextCursor?: string | undefined;
};

export type DecisionBody = {
  /** One of the approval's `choices`. */
  decision: ApprovalDecision;
  /** With `approve`: the complete edited arguments. For a plan: the complete edited plan. For a budget: the amount by which to raise each limit. */
  edits?: JsonObject | undefined;
  /** With `happened`: the output of the step. Default: null. */
  output?: Json | undefined;
  /** With `answer`: the answer. If the question has `choices`, one of them. */
  answer?: Json | undefined;
  /** Name to record with the decision. It is not verified. If keys are set, the identity of the key is recorded too. */
  by?: string | undefined;
  reason?: string | undefined;
};

export type DeleteRequested = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "delete.requested";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    /** The tenant that owns the plan. */
    by: string;
    trace: PlanTrace;
  };
};

export type Deleting = {
  planId: string;
  status: "deleting";
};

export type DiscardedMany = {
  discarded: number;
  left: number;
};

export type DraftAbandoned = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "draft.abandoned";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    draft: number;
    /** `invalid`: the plan is invalid. `interrupted`: the planner died. `model_failed`: the model returned no usable reply. */
    cause: "invalid" | "interrupted" | "model_failed";
    message: string;
    issues: Issue[];
    /** Whether another draft may succeed. */
    retryable: boolean;
    /** For `model_failed`: the model server did not respond within the configured number of calls and time. */
    unavailable?: true | undefined;
    /** The delay that the model server requested, in milliseconds. */
    retryAfterMs?: number | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
    /** Its token allowance was too small. */
    allowanceSpent?: true | undefined;
  };
};

export type DraftStarted = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "draft.started";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    draft: number;
    /** The strategy of the draft. `strategyReason` says why it was chosen. */
    strategy: Strategy;
    strategyReason: string;
    workerId: string;
    /** The `seq` of the plan state that the planner used. */
    seen: number;
    /** Tools that the plan may use. */
    tools: string[];
  };
};

export type Effect = "read" | "idempotent" | "once";

export type EffectView = {
  /** The idempotency key that the tool sends to its target. It is the same for all attempts of a step. */
  key: string;
  stepId: string;
  /** For a step with `forEach`: the index of the item. */
  item?: number | undefined;
  /** For a call in a loop: its turn. */
  turn?: number | undefined;
  /** For a call in a turn with several calls: its position, from 1. */
  call?: number | undefined;
  /** Set for the effect of the step's compensation. */
  undo?: true | undefined;
  attempt: number;
  tool: string;
  effect: Effect;
  /** `asked`: the attempt ended with a question to a reviewer, and a later attempt continues. `unknown`: whether it took place could not be determined. */
  status: "started" | "asked" | "done" | "failed" | "unknown";
  /** When the status was recorded. */
  at: string;
  /** The worker or reviewer that reported it. */
  by: string;
  /** The plan that compensates the effect, or asks a reviewer to do so; set when the outcome arrived after this plan had ended. */
  followedUpBy?: string | undefined;
};

export type EgressRule = {
  /** Whether a call needs approval, runs or is forbidden if it contains a URL that a model composed after reading untrusted or private content. */
  composedUrls: "approve" | "allow" | "deny";
  /** Hosts to which such URLs are allowed: exact names, or `*.example.com` for all subdomains. */
  hosts: string[];
};

export type EventPage = {
  planId: string;
  events: NumberedEvent[];
  /** Value of `after` for the next page; absent if there are no more events. */
  nextAfter?: number | undefined;
};

export type FactClaim = {
  /** The subject: claims with the same key are about the same thing. */
  key: string;
  value: FactValue;
  /** From 0 to 1. */
  confidence: number;
  /** Where in the output it stands: a page, a file, a row. */
  source?: string | undefined;
};

export type FactRecorded = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "fact.recorded";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    facts: FactClaim[];
    openQuestions: string[];
    /** Questions that the output answers, word for word. */
    answeredQuestions: string[];
    replacePlan?: {
      steps: string[];
      reason: string;
    } | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
    /** Why no facts could be extracted from the output. */
    fault?: string | undefined;
  };
};

export type FactsPolicy = "off" | "large" | "all";

export type FactValue = string | number | boolean | null;

export type FactView = {
  key: string;
  value: FactValue;
  confidence: number;
  /** The step whose output contains the fact. */
  stepId: string;
  item: number;
  /** The artifact that contains the complete output. */
  artifact?: string | undefined;
  /** Position in the output. */
  source?: string | undefined;
  at: string;
  /** Number of times the fact was found. */
  claims: number;
  /** Conflicting claims that are not used, because they are older or less certain. */
  conflicts: ({
    value: FactValue;
    confidence: number;
    /** The step whose output contains the fact. */
    stepId: string;
    item: number;
    /** The artifact that contains the complete output. */
    artifact?: string | undefined;
    /** Position in the output. */
    source?: string | undefined;
    at: string;
  })[];
};

export type Feedback = {
  /** Number of this rating of the plan, from 1. The latest one counts. */
  number: number;
  /** From 1 (useless) to 5 (exactly right). */
  rating: number;
  comment?: string | undefined;
  by: string;
  at: string;
};

export type FeedbackBody = {
  /** From 1 (useless) to 5 (exactly right). */
  rating: number;
  comment?: string | undefined;
  /** Name, if there is no identity. */
  by?: string | undefined;
};

export type FeedbackGiven = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "feedback.given";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    /** Number of this rating of the plan, from 1. The latest one counts. */
    number: number;
    /** From 1 (useless) to 5 (exactly right). */
    rating: number;
    comment?: string | undefined;
    by: string;
  };
};

export type FieldIssue = {
  /** The path of the field, such as `review.plan` or `tools[0]`. */
  field: string;
  /** What was expected and what was received. */
  message: string;
  /** For a plan: the step with the problem. */
  stepId?: string | undefined;
  /** For a plan: the stable code of the problem. */
  code?: string | undefined;
};

export type FiguredOutcome = "succeeded" | "partial" | "failed" | "cancelled" | "refused";

export type Forfeit = {
  tokens: number;
  usd: number;
};

export type ForkOrigin = {
  planId: string;
  fromStep: string;
  seq: number;
};

export type GatePolicy = {
  approval?: {
    /** Whether each plan, and each revision, needs approval. */
    plan?: boolean | undefined;
    /** The lowest risk of a tool whose calls need approval. */
    risk?: Risk | undefined;
    /** Steps and plans with a lower confidence than this need approval. */
    confidenceBelow?: number | undefined;
  } | undefined;
  /** Maximum budget of a plan, including its sub-plans. A submission can set a lower one. */
  maxBudget?: BudgetLimits | undefined;
  /** Identities that may approve if no rule specifies them. If absent, every key of the tenant may. */
  approvers?: string[] | undefined;
  /** Whether the submitter of a plan may decide its approvals; true if absent. */
  submitterMayApprove?: boolean | undefined;
  /** Identities that may approve through MCP; none if absent. */
  mcpApprovers?: string[] | undefined;
  /** Rule for URLs that a model composes after reading content. */
  egress?: EgressRule | undefined;
  rules: ({
    /** Tool names; `*` stands for any characters, as in `email.*`. */
    tools: string[];
    /** A condition on the tool's arguments, such as `amount < 100`. Without it, the rule always matches. */
    when?: string | undefined;
    /** Names or patterns of tools. The rule matches only if their outputs are part of the arguments. */
    from?: string[] | undefined;
    /** Whether the call is forbidden. */
    deny?: boolean | undefined;
    /** Whether the call needs approval. `false` overrides later rules and `approval.risk`, but never the submission. */
    requireApproval?: boolean | undefined;
    /** Identities that may approve the call (`tenant` or `tenant/name` of a key). `*` stands for any characters. */
    approvers?: string[] | undefined;
    /** Whether the submitter of the plan may approve the call. */
    submitterMayApprove?: boolean | undefined;
  })[];
};

export type GoalSubmitted = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "goal.submitted";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    goal: string;
    /** For a sub-plan: the goal before outputs of the parent's steps were inserted; absent if none were. */
    goalTemplate?: string | undefined;
    tenant: string;
    strategy: Strategy;
    plan?: PlanDocument | undefined;
    /** Permissions of the tools that a submitted plan uses, by tool name. */
    grants: Record<string, ToolGrant>;
    constraints: string[];
    /** Priority among the tenant's plans; absent if it is `normal`. */
    priority?: Priority | undefined;
    tools?: string[] | undefined;
    sources?: string[] | undefined;
    approval: ApprovalPolicy;
    /** The installation's policy at the time of submission. It applies to the plan even if the file changes later. Absent if there is no policy. */
    policy?: GatePolicy | undefined;
    /** Rule for URLs that a model composes after reading content. */
    egress: EgressRule;
    /** For sub-plans, forks of revised plans, and re-runs of either: tools of other plans whose outputs are part of the goal or plan. Absent if there are none. */
    derivedFrom?: Provenance | undefined;
    /** The identity of the key or user that submitted the plan. Absent if no credentials are required. */
    submittedBy?: string | undefined;
    review?: ReviewPolicy | undefined;
    /** Number of steps that a model may plan; absent if the submission does not specify it. */
    planSize?: PlanSize | undefined;
    /** A draft by a model with more steps than this needs approval. */
    unapprovedStepsMax: number;
    maxReplans: number;
    replanOnFailure: boolean;
    /** Every sentence of the answer that contains a number or a name must cite a source. */
    requireSources?: boolean | undefined;
    facts: FactsPolicy;
    /** Settings of the strategy `tree-search`. Absent if not specified. */
    search?: SearchSettings | undefined;
    /** Settings of the strategy `code`; absent if not specified. */
    program?: {
      /** Language in which the model should write the program. If the reply names another language, the program runs in that one. */
      language: "javascript" | "typescript" | "python";
    } | undefined;
    budget?: StoredBudget | undefined;
    /** How the submitted input text was split. Its parts are in the steps. */
    inputCut?: {
      /** Maximum number of characters that one call reads. */
      chunkChars: number;
      /** Number of summaries that one call combines. */
      groupSize: number;
    } | undefined;
    /** False if the planner must not see earlier plans; otherwise absent. */
    learn?: false | undefined;
    /** Similar plans that had finished before the submission, for the planner's model; the most similar first. */
    pastPlans?: PastPlan[] | undefined;
    /** For a fork: the original plan, and the step from which it runs again. `plan` then contains the remaining steps. */
    fork?: ForkOrigin | undefined;
    carried?: CarriedStep[] | undefined;
    /** For a re-run: the plan whose submission it repeats, with or without edits. */
    rerunOf?: string | undefined;
    /** For a plan that compensates a late effect of a finished plan: the attempt that caused the effect. */
    undoes?: {
      planId: string;
      stepId: string;
      attempt: number;
    } | undefined;
    /** Set if light steps are not fused into units: each one has its own work message. */
    fusion?: "off" | undefined;
    /** No work of the plan is sent before this time. */
    startAt?: string | undefined;
    metadata: JsonObject;
    /** For a sub-plan: the step that started it. */
    parent?: ParentStep | undefined;
    /** SHA-256 of the body, to detect an idempotency key that is reused with a different body. */
    bodyHash: string;
    trace: PlanTrace;
  };
};

export type InputText = {
  text: string;
  /** Maximum number of characters that one call reads. */
  chunkChars: number;
  /** Number of summaries that one call combines. */
  groupSize: number;
};

export type InputTextInput = {
  readonly text: string;
  /** Maximum number of characters that one call reads. */
  readonly chunkChars?: number | undefined;
  /** Number of summaries that one call combines. */
  readonly groupSize?: number | undefined;
};

export type Issue = {
  code: string;
  /** Absent if the problem concerns the whole plan. */
  stepId?: string | undefined;
  /** Path in the step (`args.url`) or the plan (`answerFrom`). */
  field: string;
  message: string;
};

export type ItemView = {
  /** Index in the list, from 0. */
  item: number;
  /** The item of the list; omitted if it is large. */
  value?: Json | undefined;
  status: "waiting" | "awaiting-approval" | "queued" | "running" | "succeeded" | "failed" | "cancelled";
  /** Why a waiting item has not started. `turn`: the maximum number of items is running. */
  waitingFor?: "turn" | "capacity" | "retry" | "budget" | "resume" | undefined;
  attempt: number;
  failedAttempts: {
    attempt: number;
    error: StepError;
    at: string;
    retryAt: string;
  }[];
  workerId?: string | undefined;
  startedAt?: string | undefined;
  endedAt?: string | undefined;
  durationMs?: number | undefined;
  output?: StepOutput | undefined;
  /** The output is cut off, because a model reached its length limit. */
  truncated?: true | undefined;
  error?: StepError | undefined;
  /** Failed attempts to reach the model server; absent if there are none. */
  modelTries?: ModelTries | undefined;
  /** For an item that works in a loop: the model's reasoning, calls and results, call by call. Calls in one turn have the same `turn`. */
  turns?: ({
    /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
    pool?: string | undefined;
    /** The attempt in which the turn was taken. */
    attempt: number;
    /** Number of the step's turn, from 1, over all attempts; also part of the effect key. */
    turn: number;
    /** Position of the call in a turn that began with `turn.started`; absent in a turn with one call or none. */
    call?: number | undefined;
    thought: string;
    /** Absent if the model's reply contained no call. */
    tool?: string | undefined;
    args?: JsonObject | undefined;
    proposed?: JsonObject | undefined;
    /** Output of the call. */
    output?: StepOutput | undefined;
    /** Why there was no call, or why it failed. */
    error?: StepError | undefined;
    /** The call failed but may have taken effect. */
    uncertain?: true | undefined;
    at: string;
    /** A call of the current turn that has no outcome yet. `at` is the start of the turn. */
    open?: true | undefined;
  })[] | undefined;
  /** The sub-plan that the latest attempt started. */
  child?: string | undefined;
  /** Why it was cancelled. */
  reason?: string | undefined;
};

export type JoinAbandoned = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "join.abandoned";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    join: number;
    /** `interrupted`: the reflector died. `allowance_spent`: the token allowance was too small. `model_unavailable`: the model server did not respond. */
    cause: "interrupted" | "allowance_spent" | "model_unavailable";
    /** The delay that the model server requested, in milliseconds. */
    retryAfterMs?: number | undefined;
    message: string;
    usage: Usage;
    forfeited?: Forfeit | undefined;
  };
};

export type JsonChange = [(string | number)[]] | [(string | number)[], Json];

export type KeyInfo = {
  /** Part of the key. It is not secret. */
  id: string;
  /** `tenant/name`, as recorded with decisions. Several keys can have the same name, such as an old key and its successor. */
  identity: string;
  role: Role;
  createdAt: string;
  /** The identity of the admin. */
  createdBy: string;
  /** Accurate to the hour; absent before the first use. */
  lastUsedAt?: string | undefined;
  /** The key is rejected from this time on. */
  expiresAt?: string | undefined;
};

export type KeyList = {
  /** The tenant's managed keys, including expired ones; newest first. */
  keys: KeyInfo[];
  /** The tenant's keys in PLANWRIGHT_API_KEYS, which only the operator of the gateway can change. */
  configured: {
    identity: string;
    role: Role;
  }[];
};

export type Lesson = {
  how: string;
  note?: string | undefined;
};

export type LogDamaged = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "log.damaged";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    reason: string;
    /** The service that detected the damage. */
    by: string;
  };
};

export type MessageId = string | number;

export type Metrics = {
  from?: string | undefined;
  to: string;
  strategy?: PlannedBy | undefined;
  all: PlanMetrics;
  /** Only strategies with plans. `submitted`: predefined plans. */
  byStrategy: ({
    /** Finished plans. Sub-plans count as part of the plan that started them. */
    plans: number;
    succeeded: number;
    /** Plans with a partial answer. */
    partial: number;
    /** Plans that ran without errors, but answered that the goal is not supported or not valid. */
    refused: number;
    failed: number;
    cancelled: number;
    /** Share of succeeded plans among those that succeeded, partially succeeded or failed. Refused and cancelled plans do not count. */
    successRate: number | null;
    /** Share of plans that succeeded without human edits, among the same plans. */
    unaidedRate: number | null;
    /** For succeeded plans: from the submission, or the requested start, to the end. */
    timeToCompletionMs: {
      mean: number | null;
      p50: number | null;
      p90: number | null;
      p95: number | null;
      p99: number | null;
    };
    steps: {
      ended: number;
      failed: number;
      failureRate: number | null;
    };
    replanning: {
      revisions: number;
      perPlan: number | null;
    };
    interventions: {
      decisions: number;
      planEdits: number;
      argumentEdits: number;
      forks: number;
      editsPerPlan: number | null;
    };
    effects: {
      idempotent: number;
      once: number;
      perPlan: number | null;
    };
    toolCalls: {
      made: number;
      needed: number;
      ratio: number | null;
    };
    modelCalls: {
      made: number;
      needed: number;
      ratio: number | null;
    };
    tokens: {
      input: number;
      output: number;
      perPlan: number | null;
    };
    cost: {
      /** For plans whose cost is known. */
      usd: number;
      plansUnknown: number;
      perPlan: number | null;
    };
    /** For plans that a model drafted: the time until the first draft was complete. */
    planning: {
      plans: number;
      meanMs: number | null;
      share: number | null;
    };
    satisfaction: {
      rated: number;
      mean: number | null;
    };
    strategy: PlannedBy;
  })[];
  /** By tool, the most failed steps first, then the most steps; the first 100. Without `human.ask`, `flow.wait` and `plan.run`, whose steps only wait. */
  byTool: ToolMetrics[];
  /** The steps that took longest, if they were requested with `slowest`. Counts the same steps as `byTool`; deleted plans are left out. */
  slowestSteps?: SlowStep[] | undefined;
  /** The same time before the range, if it was requested with `compare`. */
  previous?: {
    /** Finished plans. Sub-plans count as part of the plan that started them. */
    plans: number;
    succeeded: number;
    /** Plans with a partial answer. */
    partial: number;
    /** Plans that ran without errors, but answered that the goal is not supported or not valid. */
    refused: number;
    failed: number;
    cancelled: number;
    /** Share of succeeded plans among those that succeeded, partially succeeded or failed. Refused and cancelled plans do not count. */
    successRate: number | null;
    /** Share of plans that succeeded without human edits, among the same plans. */
    unaidedRate: number | null;
    /** For succeeded plans: from the submission, or the requested start, to the end. */
    timeToCompletionMs: {
      mean: number | null;
      p50: number | null;
      p90: number | null;
      p95: number | null;
      p99: number | null;
    };
    steps: {
      ended: number;
      failed: number;
      failureRate: number | null;
    };
    replanning: {
      revisions: number;
      perPlan: number | null;
    };
    interventions: {
      decisions: number;
      planEdits: number;
      argumentEdits: number;
      forks: number;
      editsPerPlan: number | null;
    };
    effects: {
      idempotent: number;
      once: number;
      perPlan: number | null;
    };
    toolCalls: {
      made: number;
      needed: number;
      ratio: number | null;
    };
    modelCalls: {
      made: number;
      needed: number;
      ratio: number | null;
    };
    tokens: {
      input: number;
      output: number;
      perPlan: number | null;
    };
    cost: {
      /** For plans whose cost is known. */
      usd: number;
      plansUnknown: number;
      perPlan: number | null;
    };
    /** For plans that a model drafted: the time until the first draft was complete. */
    planning: {
      plans: number;
      meanMs: number | null;
      share: number | null;
    };
    satisfaction: {
      rated: number;
      mean: number | null;
    };
    from: string;
    to: string;
  } | undefined;
  period?: Period | undefined;
  /** All periods, oldest first, including those without plans. The first and last can be incomplete. */
  byPeriod?: ({
    /** Finished plans. Sub-plans count as part of the plan that started them. */
    plans: number;
    succeeded: number;
    /** Plans with a partial answer. */
    partial: number;
    /** Plans that ran without errors, but answered that the goal is not supported or not valid. */
    refused: number;
    failed: number;
    cancelled: number;
    /** Share of succeeded plans among those that succeeded, partially succeeded or failed. Refused and cancelled plans do not count. */
    successRate: number | null;
    /** Share of plans that succeeded without human edits, among the same plans. */
    unaidedRate: number | null;
    /** For succeeded plans: from the submission, or the requested start, to the end. */
    timeToCompletionMs: {
      mean: number | null;
      p50: number | null;
      p90: number | null;
      p95: number | null;
      p99: number | null;
    };
    steps: {
      ended: number;
      failed: number;
      failureRate: number | null;
    };
    replanning: {
      revisions: number;
      perPlan: number | null;
    };
    interventions: {
      decisions: number;
      planEdits: number;
      argumentEdits: number;
      forks: number;
      editsPerPlan: number | null;
    };
    effects: {
      idempotent: number;
      once: number;
      perPlan: number | null;
    };
    toolCalls: {
      made: number;
      needed: number;
      ratio: number | null;
    };
    modelCalls: {
      made: number;
      needed: number;
      ratio: number | null;
    };
    tokens: {
      input: number;
      output: number;
      perPlan: number | null;
    };
    cost: {
      /** For plans whose cost is known. */
      usd: number;
      plansUnknown: number;
      perPlan: number | null;
    };
    /** For plans that a model drafted: the time until the first draft was complete. */
    planning: {
      plans: number;
      meanMs: number | null;
      share: number | null;
    };
    satisfaction: {
      rated: number;
      mean: number | null;
    };
    from: string;
    to: string;
  })[] | undefined;
};

export type MetricsRange = "hour" | "day" | "week" | "month";

export type ModelCheck = {
  role: string;
  /** Number of the role's fallback model, from 1; absent for the role's main model. */
  fallback?: number | undefined;
  model: string;
  /** Scheme, host and port of the server. */
  server: string;
  /** The model that the server reports. */
  answeredBy?: string | undefined;
  /** The form of structured output that works. `prompt`: only through instructions in the prompt. */
  format?: "json_schema" | "json_object" | "prompt" | undefined;
  latencyMs?: number | undefined;
  /** Whether the reply was JSON. */
  isJson?: boolean | undefined;
  /** Set if OPENAI_API_KEY is not sent to this server: the setting for a key for this server. */
  keyWithheld?: string | undefined;
  /** The cause and the fix; absent if the model answered. */
  error?: {
    code: string;
    message: string;
  } | undefined;
};

export type ModelChecks = {
  checks: ModelCheck[];
};

export type ModelFailed = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "model.failed";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    work: ModelWork;
    tries: ModelTries;
  };
};

export type ModelTries = {
  /** Number of the report for one piece of work, from 1. */
  report: number;
  /** Number of consecutive failed calls. Calls to a server that was loading its model do not count. */
  calls: number;
  /** Number of failed calls after which the work fails (`MODEL_TRIES_MAX`). */
  callsMax: number;
  /** When the server last responded, or was first called. */
  since: string;
  /** What went wrong, as a sentence without a full stop. */
  message: string;
  /** The server reports that it is loading the model. */
  loading?: true | undefined;
  /** The call has not failed yet, but has received nothing so far. */
  silent?: true | undefined;
  /** When the next call is made. For a call that has received nothing: the earliest time at which it is abandoned. */
  retryAt: string;
};

export type ModelWork = {
  kind: "draft";
  draft: number;
} | {
  kind: "step";
  stepId: string;
  item: number;
  attempt: number;
  /** The work unit in which the attempt ran; absent if it was sent alone. */
  unit?: string | undefined;
  /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
  pool?: string | undefined;
} | {
  kind: "review";
  stepId: string;
  item: number;
  attempt: number;
  review: number;
} | {
  kind: "critique";
  of: "plan" | "answer";
  draft: number;
  review: number;
} | {
  kind: "join";
  join: number;
};

export type NodesValued = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "nodes.valued";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    /** Number of the synthesis call. */
    join: number;
    /** Empty if the actions could not be evaluated, which ends the search. */
    values: ActionValue[];
    /** Why the actions could not be evaluated. */
    cause?: string | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
  };
};

export type NumberedEvent = {
  seq: number;
  event: PlanEvent;
};

export type OpenApi = {
  openapi: string;
  [key: string]: unknown;
};

export type OtlpAnswer = {
  /** Present only if spans were rejected. */
  partialSuccess?: {
    rejectedSpans: string;
    errorMessage: string;
  } | undefined;
};

export type Outcome = "succeeded" | "partial" | "failed" | "cancelled";

export type ParentStep = {
  planId: string;
  stepId: string;
  item: number;
  attempt: number;
  depth: number;
};

export type PastPlan = {
  planId: string;
  goal: string;
  outcome: Outcome;
  how: string;
  note?: string | undefined;
  replans: number;
  edits: number;
  rating?: number | undefined;
};

export type PauseRequested = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "pause.requested";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    pause: number;
    reason: string;
    /** The identity of the key or user that sent the request; the tenant if no credentials are required. */
    by: string;
  };
};

export type PendingApproval = {
  approvalId: string;
  kind: ApprovalKind;
  /** The question to the reviewer, as a sentence. */
  question: string;
  /** The step that needs approval; absent if the whole plan does. */
  stepId?: string | undefined;
  item?: number | undefined;
  /** Set if the approval is about the step's compensation. */
  undo?: true | undefined;
  attempt?: number | undefined;
  tool?: string | undefined;
  risk?: Risk | undefined;
  /** The exact arguments, with all references resolved. */
  args?: JsonObject | undefined;
  /** SHA-256 of `args`, or of the plan's steps, in canonical form. The approval is valid only for these. */
  argsHash?: string | undefined;
  /** Why the approval is required. `policy`: the installation's policy requires it, regardless of the submission. `submission`: only the submission requires it. `egress`: a model composed a URL after reading content. Absent for any other reason. */
  requiredBy?: "policy" | "submission" | "egress" | undefined;
  /** URLs in the arguments that a model composed after reading untrusted or private content, with their host, path and query. Absent if there are none. */
  composedUrls?: ComposedUrl[] | undefined;
  /** The identities that may approve it according to the installation's policy. If absent, any key of the tenant may. */
  approvers?: string[] | undefined;
  /** The submitter of the plan may not approve it. */
  submitterMayApprove?: false | undefined;
  /** Tools whose outputs are part of the arguments, or were read by the model that wrote the arguments. Absent if there are none. */
  argumentsFrom?: Provenance | undefined;
  /** Origin of each argument: who wrote it, and which outputs influenced it. Absent for questions. */
  argumentOrigins?: ({
    /** Its name. */
    argument: string;
    /** Who wrote the argument or the reference in it: the user, in a submitted plan; a model; or another plan, if this plan is its sub-plan, fork or follow-up. */
    author: "user" | "model" | "plan";
    /** Tools whose outputs are part of the argument, or were read by the model that wrote it; absent if there are none. */
    tools?: string[] | undefined;
    /** What those outputs can contain: content from the public web, or private content. Absent if they contain only content of the plan itself. */
    content?: "web" | "private" | undefined;
  })[] | undefined;
  /** Further details for the decision. They depend on `kind`. */
  details?: JsonObject | undefined;
  /** Time in milliseconds after which the approval is rejected if undecided. */
  expiresAfterMs: number;
  /** `withdrawn`: the step or plan ended before a decision. */
  status: "pending" | "decided" | "expired" | "withdrawn";
  /** The possible decisions. */
  choices: ApprovalDecision[];
  requestedAt: string;
  expiresAt: string;
  decision?: ApprovalDecision | undefined;
  edits?: JsonObject | undefined;
  answer?: Json | undefined;
  /** The identity that decided; `timer` if the approval expired. */
  decidedBy?: string | undefined;
  /** The name given with the decision. It is not verified. */
  signedAs?: string | undefined;
  decidedAt?: string | undefined;
  reason?: string | undefined;
  planId: string;
  goal: string;
};

export type PendingApprovals = {
  /** Number of all pending approvals, including those not listed. */
  total: number;
  /** Pending approvals, oldest first. */
  approvals: PendingApproval[];
};

export type Period = "minute" | "ten-minutes" | "hour" | "day" | "week";

export type PlanArchived = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.archived";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    /** Stream sequence numbers of the plan's first and last message. */
    firstSequence: number;
    lastSequence: number;
    outline: PlanOutline;
    /** As in `goal.submitted`. */
    bodyHash: string;
    trace: PlanTrace;
  };
};

export type PlanCheck = {
  valid: boolean;
  /** Empty if the plan is valid. */
  issues: Issue[];
};

export type PlanCount = {
  count: number;
  /** Whether there are more plans than were counted. */
  more: boolean;
};

export type PlanCounts = {
  /** One for each `of`, in the same order. */
  counts: PlanCount[];
};

export type PlanDeleted = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.deleted";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    tenant: string;
    /** Used to find the plan's stored spans; absent if it was unknown. */
    trace?: PlanTrace | undefined;
  };
};

export type PlanDocument = {
  steps: Step[];
  /** The step whose output is the answer. No model writes an answer then. */
  answerFrom?: string | undefined;
  /** Reasoning behind the plan. */
  reasoning?: string | undefined;
  /** Confidence of the planner that this is the right plan, from 0 to 1. */
  confidence?: number | undefined;
};

export type PlanEnded = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.ended";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    outcome: Outcome;
    reason: string;
  };
};

export type PlanEvent = GoalSubmitted | CancelRequested | PauseRequested | ResumeRequested | DraftStarted | StepPlanned | PlanSealed | PlanRevised | DraftAbandoned | StepStarted | StepSucceeded | StepFailed | StepInterrupted | StepAsked | StepSkipped | StepReviewed | PlanReviewed | {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "step.expanded";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    items: number;
  };
} | UnitClosed | AnswerReviewed | AnswerDrafted | ApprovalRequested | ApprovalDecided | FactRecorded | TurnStarted | CallStarted | TurnTaken | AnswerGiven | RevisionRequested | JoinAbandoned | NodesValued | ModelFailed | PlanEnded | TimerFired | PlanArchived | DeleteRequested | PlanDeleted | RedriveRequested | LogDamaged | FeedbackGiven;

export type PlanFigures = {
  steps: number;
  stepsFailed: number;
  replans: number;
  decisions: number;
  planEdits: number;
  argumentEdits: number;
  mutationsIdempotent: number;
  mutationsOnce: number;
  toolCalls: number;
  toolCallsMin: number;
  modelCallsMin: number;
  tools?: ToolTally[] | undefined;
  strategy: PlannedBy;
  outcome: FiguredOutcome;
  durationMs: number;
  planningMs: number | null;
  isFork: boolean;
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number | null;
  rating?: number | undefined;
  ratings: number;
};

export type PlanFilter = {
  /** `open`: all plans that have not finished. */
  readonly status?: 
    | "open"
    | "scheduled"
    | "planning"
    | "awaiting-approval"
    | "running"
    | "paused"
    | "compensating"
    | "reflecting"
    | "succeeded"
    | "partial"
    | "failed"
    | "cancelled" | undefined;
  /** Strategy of the plan; `submitted` for predefined plans. */
  readonly strategy?: PlannedBy | undefined;
  /** Submitted at this time or later. */
  readonly since?: string | undefined;
  /** Finished at this time or later. */
  readonly endedSince?: string | undefined;
  /** Finished before this time. */
  readonly endedBefore?: string | undefined;
  /** Only finished plans with this outcome, as metrics count it: `refused` plans succeeded with an answer that refuses the goal, and `succeeded` excludes them. */
  readonly outcome?: FiguredOutcome | undefined;
  /** Only finished plans in which a step of this tool, or of a sub-plan, has ended. */
  readonly tool?: string | undefined;
  /** Only finished plans in which a step of this tool, or of a sub-plan, has failed. */
  readonly failedTool?: string | undefined;
  /** `none`: leaves out sub-plans, as metrics do. */
  readonly subPlans?: "none" | undefined;
  /** `approval`: only plans with a pending approval. `person` is its deprecated old name. */
  readonly needs?: "approval" | "person" | undefined;
  /** Only sub-plans of this plan. */
  readonly parent?: string | undefined;
  /** Beginning of the plan's id, case-sensitive. Sub-plans are included. */
  readonly id?: string | undefined;
  /** Search terms. Each must be the beginning of a word in the goal, the metadata or the id. */
  readonly q?: string | undefined;
};

export type PlanMetrics = {
  /** Finished plans. Sub-plans count as part of the plan that started them. */
  plans: number;
  succeeded: number;
  /** Plans with a partial answer. */
  partial: number;
  /** Plans that ran without errors, but answered that the goal is not supported or not valid. */
  refused: number;
  failed: number;
  cancelled: number;
  /** Share of succeeded plans among those that succeeded, partially succeeded or failed. Refused and cancelled plans do not count. */
  successRate: number | null;
  /** Share of plans that succeeded without human edits, among the same plans. */
  unaidedRate: number | null;
  /** For succeeded plans: from the submission, or the requested start, to the end. */
  timeToCompletionMs: {
    mean: number | null;
    p50: number | null;
    p90: number | null;
    p95: number | null;
    p99: number | null;
  };
  steps: {
    ended: number;
    failed: number;
    failureRate: number | null;
  };
  replanning: {
    revisions: number;
    perPlan: number | null;
  };
  interventions: {
    decisions: number;
    planEdits: number;
    argumentEdits: number;
    forks: number;
    editsPerPlan: number | null;
  };
  effects: {
    idempotent: number;
    once: number;
    perPlan: number | null;
  };
  toolCalls: {
    made: number;
    needed: number;
    ratio: number | null;
  };
  modelCalls: {
    made: number;
    needed: number;
    ratio: number | null;
  };
  tokens: {
    input: number;
    output: number;
    perPlan: number | null;
  };
  cost: {
    /** For plans whose cost is known. */
    usd: number;
    plansUnknown: number;
    perPlan: number | null;
  };
  /** For plans that a model drafted: the time until the first draft was complete. */
  planning: {
    plans: number;
    meanMs: number | null;
    share: number | null;
  };
  satisfaction: {
    rated: number;
    mean: number | null;
  };
};

export type PlannedBy =
  | "direct"
  | "sequential"
  | "parallel"
  | "hierarchical"
  | "waves"
  | "summarize"
  | "tree-search"
  | "code"
  | "submitted"
  | "undecided";

export type PlanOutline = {
  tenant: string;
  goal: string;
  metadata: JsonObject;
  parent?: string | undefined;
  submittedBy?: string | undefined;
  status: string;
  strategy: PlannedBy;
  outcome?: Outcome | undefined;
  answerStatus?: AnswerStatus | undefined;
  submittedAt: string;
  endedAt?: string | undefined;
  done: number;
  total: number;
  percent: number;
  seq: number;
  usage: Usage;
  figures?: PlanFigures | undefined;
  lesson?: Lesson | undefined;
};

export type PlanPage = {
  /** In the order of the request; newest first by default. */
  plans: PlanSummary[];
  /** Absent on the last page. */
  nextCursor?: string | undefined;
};

export type PlanReviewed = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.reviewed";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    /** Number of the draft, from 1. Plan drafts and answer drafts are numbered separately. */
    draft: number;
    /** The number of this review of the draft, from 1. */
    review: number;
    verdict: Verdict;
    /** Quality, from 0 to 1. */
    score?: number | undefined;
    /** Confidence of the reviewing model, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** Suggested improvement; "" if there is none. */
    suggestion: string;
    /** For `unjudged`: the reason, and whether another review may help. */
    message?: string | undefined;
    cause?: "interrupted" | "allowance_spent" | "model_failed" | "model_unavailable" | "unusable" | undefined;
    /** The delay that the model server requested, in milliseconds. */
    retryAfterMs?: number | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
  };
};

export type PlanRevised = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.revised";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    draft: number;
    revision: number;
    cause: RevisionCause;
    reason: string;
    kept: string[];
    dropped: string[];
    added: string[];
    answerFrom?: string | undefined;
    reasoning?: string | undefined;
    confidence?: number | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
  };
};

export type PlanSealed = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.sealed";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    draft: number;
    steps: number;
    answerFrom?: string | undefined;
    reasoning?: string | undefined;
    confidence?: number | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
  };
};

export type PlanSize = {
  /** Minimum number of steps in the first draft. */
  min?: number | undefined;
  /** Maximum number of steps in the plan, including revisions. */
  max?: number | undefined;
};

export type PlanSizeInput = {
  /** Minimum number of steps in the first draft. */
  readonly min?: number | undefined;
  /** Maximum number of steps in the plan, including revisions. */
  readonly max?: number | undefined;
};

export type PlanSort =
  | "started"
  | "duration"
  | "cost"
  | "tokens"
  | "steps"
  | "status"
  | "strategy"
  | "goal"
  | "submittedBy";

export type PlanState = {
  planId: string;
  status: PlanStatus;
};

export type PlanStatus =
  | "scheduled"
  | "planning"
  | "awaiting-approval"
  | "running"
  | "paused"
  | "compensating"
  | "reflecting"
  | "succeeded"
  | "partial"
  | "failed"
  | "cancelled";

/** `submitted` for predefined plans; `auto` until a strategy is chosen. */
export type PlanStrategy =
  | "auto"
  | "direct"
  | "sequential"
  | "parallel"
  | "hierarchical"
  | "waves"
  | "summarize"
  | "tree-search"
  | "code"
  | "submitted";

/** Summary of a plan, for lists. */
export type PlanSummary = {
  planId: string;
  /** Its first 500 characters. */
  goal: string;
  status: PlanStatus;
  /** Whether the plan has finished, whatever its status. */
  ended: boolean;
  outcome?: Outcome | undefined;
  /** Status of the answer, once there is one. */
  answerStatus?: AnswerStatus | undefined;
  /** Strategy of the plan. */
  strategy?: PlannedBy | undefined;
  /** The parent of this sub-plan. */
  parent?: string | undefined;
  /** The identity of the key that submitted the plan; absent if no keys are set. */
  submittedBy?: string | undefined;
  submittedAt: string;
  endedAt?: string | undefined;
  /** Milliseconds from the submission, or the requested start, to the end. Absent until the plan has finished. */
  durationMs?: number | undefined;
  /** Input and output tokens so far, including those of sub-plans. Absent if unknown. */
  tokens?: number | undefined;
  /** Cost so far in US dollars, including that of sub-plans. Absent if the price of a model is unknown. */
  costUsd?: number | undefined;
  progress: {
    done: number;
    total: number;
    percent: number;
  };
  /** Whether an approval of the plan is pending; absent if none is. */
  needsApproval?: true | undefined;
};

export type PlanTally = {
  steps: number;
  stepsFailed: number;
  replans: number;
  decisions: number;
  planEdits: number;
  argumentEdits: number;
  mutationsIdempotent: number;
  mutationsOnce: number;
  toolCalls: number;
  toolCallsMin: number;
  modelCallsMin: number;
  tools?: ToolTally[] | undefined;
};

export type PlanTrace = {
  traceId: string;
  spanId: string;
  /** The request's span, parent of the workflow span. */
  parentSpanId?: string | undefined;
  sampled: boolean;
};

export type PlanView = {
  planId: string;
  traceId: string;
  trace: PlanTrace;
  goal: string;
  status: PlanStatus;
  /** Whether the plan has finished, whatever its status. A finished plan no longer changes. */
  ended: boolean;
  outcome?: Outcome | undefined;
  /** Set while the plan is paused. */
  pause?: {
    reason: string;
    by: string;
    at: string;
    /** When the plan resumes automatically; absent if a user has to resume it. */
    until?: string | undefined;
  } | undefined;
  /** Failed attempts to reach the model server for a call that the plan is waiting for; absent if there are none. */
  modelTries?: ModelTries | undefined;
  /** When the plan will start; absent once it has started. */
  startsAt?: string | undefined;
  /** Why the plan ended with this outcome. */
  reason?: string | undefined;
  /** The number of the last event in this view; pass it as `Last-Event-ID` or `after` to continue from here. */
  seq: number;
  /** For a sub-plan: the step that started it. */
  parent?: ParentStep | undefined;
  revision: number;
  /** `submitted` for predefined plans; `auto` until a strategy is chosen. */
  strategy: PlanStrategy;
  strategyReason?: string | undefined;
  constraints: string[];
  /** Number of steps that a model may plan; absent if the submission does not specify it. */
  planSize?: PlanSize | undefined;
  /** Priority among the tenant's plans; absent if it is `normal`. */
  priority?: Priority | undefined;
  /** Whether each sentence of the answer that contains a number or a name must cite a source; absent if not. */
  requireSources?: boolean | undefined;
  metadata: JsonObject;
  submittedAt: string;
  updatedAt: string;
  endedAt?: string | undefined;
  /** When this view was created, by the server's clock; use it to compute elapsed times. For an earlier state of the plan: when its last event was written. Absent once the plan has finished. */
  viewedAt?: string | undefined;
  draft: {
    number: number;
    phase: string;
    issues: Issue[];
  };
  steps: StepView[];
  /** Completed revisions, oldest first. */
  revisions: ({
    /** Number of the revision, from 1. */
    revision: number;
    draft: number;
    cause: 
      | "results"
      | "failure"
      | "verification"
      | "expectation"
      | "requires_replan"
      | "rejection"
      | "wave"
      | "review";
    reason: string;
    /** The step that caused the revision. */
    causedBy?: string | undefined;
    /** Steps that have a result or continue to run. */
    kept: string[];
    /** Steps without a result. Running steps were cancelled. */
    dropped: string[];
    added: string[];
    at: string;
  })[];
  /** Reviews of the first draft and of the improved draft, before any step ran; absent if there are none. */
  planReviews?: ({
    verdict: Verdict;
    /** Quality, from 0 to 1. */
    score?: number | undefined;
    /** Confidence of the reviewing model, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** Suggested improvement; "" if there is none. */
    suggestion: string;
    /** Why the review was not possible. */
    message?: string | undefined;
    /** The draft that was reviewed. */
    draft: number;
    at: string;
  })[] | undefined;
  /** Reviews of drafts of the answer, oldest first; absent if there are none. */
  answerReviews?: ({
    verdict: Verdict;
    /** Quality, from 0 to 1. */
    score?: number | undefined;
    /** Confidence of the reviewing model, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** Suggested improvement; "" if there is none. */
    suggestion: string;
    /** Why the review was not possible. */
    message?: string | undefined;
    /** The draft that was reviewed. */
    draft: number;
    at: string;
    /** The start of the reviewed text. */
    text: string;
  })[] | undefined;
  answerFrom?: string | undefined;
  reasoning?: string | undefined;
  /** Confidence of the planner in the plan, from 0 to 1. */
  confidence?: number | undefined;
  progress: {
    done: number;
    total: number;
    percent: number;
    etaMs: number | null;
  };
  /** The chain of steps that determines when the plan finishes. For an unfinished plan: the chain with the most time left, through the step that holds it up. For a finished plan: the chain that took longest. `durationMs` is the time its steps have taken so far. */
  criticalPath: {
    stepIds: string[];
    durationMs: number;
  };
  usage: Usage;
  /** For the strategy `tree-search`: the complete tree and its best path. */
  search?: SearchView | undefined;
  /** Oldest first. */
  approvals: ApprovalView[];
  /** The effect ledger: each attempt of a step that changes something. Outcomes that arrive after the plan's end are recorded only here. */
  effects: EffectView[];
  /** The facts ledger: facts by key, in the order in which they were recorded. */
  facts: FactView[];
  openQuestions: {
    question: string;
    stepId: string;
    at: string;
  }[];
  /** Number of claims that did not fit into the ledger, plus outputs that were not read because of the budget. */
  factsLeftOut: number;
  budget?: {
    limit: BudgetLimits;
    /** Used so far, including unreported usage that is charged in full (`forfeited`). */
    used: {
      tokens?: number | undefined;
      usd?: number | undefined;
      seconds?: number | undefined;
      steps?: number | undefined;
    };
    /** The part of `used` that was never reported and is charged in full. */
    forfeited: {
      tokens?: number | undefined;
      usd?: number | undefined;
      seconds?: number | undefined;
      steps?: number | undefined;
    };
    /** Reserved for work in progress. */
    reserved: {
      tokens?: number | undefined;
      usd?: number | undefined;
      seconds?: number | undefined;
      steps?: number | undefined;
    };
    /** Neither used nor reserved; never negative. */
    remaining: {
      tokens?: number | undefined;
      usd?: number | undefined;
      seconds?: number | undefined;
      steps?: number | undefined;
    };
    /** Projected usage of the whole plan at the rate of its finished steps; absent until a step has finished. */
    forecast?: {
      tokens?: number | undefined;
      usd?: number | undefined;
      seconds?: number | undefined;
      steps?: number | undefined;
    } | undefined;
    onExhausted: "end" | "ask";
    /** The limit that was reached. */
    exhausted?: "tokens" | "usd" | "seconds" | "steps" | undefined;
  } | undefined;
  /** The installation's policy for the plan, recorded at submission. Its requirements apply regardless of the submission. Absent if there is no policy. */
  policy?: GatePolicy | undefined;
  /** The identity of the key that submitted the plan; absent if no keys are set. */
  submittedBy?: string | undefined;
  /** In the order in which they run: the last step that succeeded is compensated first. */
  compensations: ({
    stepId: string;
    /** Purpose of the step. */
    description: string;
    /** Name of the tool to call, as listed by `GET /v1/tools`. */
    tool: string;
    /** Arguments of the tool. They can contain references. */
    args: JsonObject;
    /** Agent type or worker pool that runs it. Default: the tool's pool. */
    agent?: string | undefined;
    /** Time limit for one attempt, in milliseconds. Default: the tool's time limit. */
    timeoutMs?: number | undefined;
    /** `maxAttempts`, including the first one, and `backoffMs`, the delay before the second attempt. The delay doubles with each further attempt. */
    retry?: RetryPolicy | undefined;
    /** The idempotency key that the tool sends to its target. It is the same for all attempts. */
    effectKey: string;
    status: "waiting" | "queued" | "running" | "awaiting-approval" | "succeeded" | "failed";
    attempt: number;
    failedAttempts: {
      attempt: number;
      error: StepError;
      at: string;
      retryAt: string;
    }[];
    workerId?: string | undefined;
    startedAt?: string | undefined;
    endedAt?: string | undefined;
    durationMs?: number | undefined;
    output?: StepOutput | undefined;
    /** The output is cut off, because a model reached its length limit. */
    truncated?: true | undefined;
    error?: StepError | undefined;
    /** Failed attempts to reach the model server; absent if there are none. */
    modelTries?: ModelTries | undefined;
  })[];
  answer?: Answer | undefined;
  /** The plan and step that this plan was forked from. */
  fork?: ForkOrigin | undefined;
  /** The plan that this plan repeats. */
  rerunOf?: string | undefined;
  /** For a plan that compensates a late effect of another plan: that plan, step and attempt. */
  undoes?: {
    planId: string;
    stepId: string;
    attempt: number;
    /** Set if that plan was deleted. */
    deleted?: true | undefined;
  } | undefined;
  /** The latest rating by a user. */
  feedback?: Feedback | undefined;
  artifacts: ArtifactRef[];
  /** Why the plan's log is incomplete; absent if no events are known to be missing. */
  damage?: string | undefined;
};

export type PoolQueue = {
  pool: string;
  /** Queue depth: steps that no worker has received yet, including steps that planners hold until a slot is free. */
  queued: number;
  /** Number of messages that workers are processing, or that are waiting for redelivery. */
  delivered: number;
  /** When the oldest of these steps was queued; absent if there is none, or if many pools have queues. */
  oldestAt?: string | undefined;
};

/** The plan that the submission would run. */
export type Preview = {
  steps: Step[];
  /** The step whose output is the answer. No model writes an answer then. */
  answerFrom?: string | undefined;
  /** Reasoning behind the plan. */
  reasoning?: string | undefined;
  criticalPath: {
    stepIds: string[];
    /** Milliseconds; null if the duration of one of the steps is unknown. */
    durationMs: number | null;
  };
  /** Minimum number of model calls: those of the steps, and one for the answer unless a step provides it. */
  modelCalls: number;
  /** Estimate for running the plan. Drafting is in `usage`. */
  running?: RunEstimate | undefined;
  strategy: PlanStrategy;
  strategyReason?: string | undefined;
  /** Usage of drafting; absent if nothing was drafted. */
  usage?: Usage | undefined;
};

export type Priority = "low" | "normal" | "high";

/** An error (RFC 9457). */
export type ProblemBody = {
  /** `urn:planwright:problem:` followed by the code. */
  type: string;
  /** The meaning of the code. */
  title: string;
  status: number;
  /** Stable; use it for decisions in programs. */
  code: 
    | "malformed_json"
    | "malformed_protobuf"
    | "invalid_request"
    | "redacted_value"
    | "unauthorized"
    | "foreign_origin"
    | "foreign_host"
    | "role_required"
    | "not_assigned"
    | "sign_in_failed"
    | "not_an_approver"
    | "redacted_for_role"
    | "denied_by_policy"
    | "not_found"
    | "plan_not_found"
    | "step_not_found"
    | "approval_not_found"
    | "artifact_not_found"
    | "source_not_found"
    | "dead_letter_not_found"
    | "key_not_found"
    | "retry_refused"
    | "plan_not_paused"
    | "step_not_settled"
    | "source_configured"
    | "data_limit_reached"
    | "fork_refused"
    | "plan_not_ended"
    | "feedback_given"
    | "plan_is_sub_plan"
    | "plan_ended"
    | "approval_decided"
    | "approval_expired"
    | "approval_withdrawn"
    | "keys_not_set"
    | "key_limit_reached"
    | "plan_deleted"
    | "body_too_large"
    | "unsupported_media_type"
    | "invalid_plan"
    | "invalid_edits"
    | "invalid_data"
    | "unknown_tool"
    | "data_required"
    | "unknown_source"
    | "model_needed"
    | "price_unknown"
    | "idempotency_key_reused"
    | "upgrade_needed"
    | "rate_limited"
    | "too_many_submissions"
    | "too_many_open_plans"
    | "quota_reached"
    | "too_many_watchers"
    | "internal"
    | "model_failed"
    | "no_planner"
    | "not_ready"
    | "store_full"
    | "overloaded"
    | "unavailable";
  /** Description of the problem for users: what was expected and what was received. */
  detail: string;
  /** All problems, if there can be several. */
  issues?: FieldIssue[] | undefined;
  /** When to retry; same as `Retry-After`. */
  retryAfterSeconds?: number | undefined;
};

/** Why the gateway refused. */
export type ProblemCode =
  | "malformed_json"
  | "malformed_protobuf"
  | "invalid_request"
  | "redacted_value"
  | "unauthorized"
  | "foreign_origin"
  | "foreign_host"
  | "role_required"
  | "not_assigned"
  | "sign_in_failed"
  | "not_an_approver"
  | "redacted_for_role"
  | "denied_by_policy"
  | "not_found"
  | "plan_not_found"
  | "step_not_found"
  | "approval_not_found"
  | "artifact_not_found"
  | "source_not_found"
  | "dead_letter_not_found"
  | "key_not_found"
  | "retry_refused"
  | "plan_not_paused"
  | "step_not_settled"
  | "source_configured"
  | "data_limit_reached"
  | "fork_refused"
  | "plan_not_ended"
  | "feedback_given"
  | "plan_is_sub_plan"
  | "plan_ended"
  | "approval_decided"
  | "approval_expired"
  | "approval_withdrawn"
  | "keys_not_set"
  | "key_limit_reached"
  | "plan_deleted"
  | "body_too_large"
  | "unsupported_media_type"
  | "invalid_plan"
  | "invalid_edits"
  | "invalid_data"
  | "unknown_tool"
  | "data_required"
  | "unknown_source"
  | "model_needed"
  | "price_unknown"
  | "idempotency_key_reused"
  | "upgrade_needed"
  | "rate_limited"
  | "too_many_submissions"
  | "too_many_open_plans"
  | "quota_reached"
  | "too_many_watchers"
  | "internal"
  | "model_failed"
  | "no_planner"
  | "not_ready"
  | "store_full"
  | "overloaded"
  | "unavailable";

export type Provenance = {
  /** Names of the tools, in alphabetical order. */
  tools: string[];
  /** Whether there can be other tools: a parent does not know which tools its sub-plans call. */
  isOpen: boolean;
};

export type Quota = {
  /** `tenant`: all keys of the tenant share the quota. `key`: each key has its own. */
  of: "tenant" | "key";
  name: 
    | "openPlans"
    | "submissionsPerMinute"
    | "tokensPerDay"
    | "tokensPerMonth"
    | "usdPerDay"
    | "usdPerMonth";
  limit: number;
  used: number;
  /** When the usage is reset to zero; absent if it only decreases when plans finish. */
  resetsAt?: string | undefined;
};

export type QuotaList = {
  /** The quotas that are set; empty if there are no limits. */
  quotas: Quota[];
};

export type Ready = {
  ready: boolean;
  /** Missing parts of the system; empty if it is ready. */
  missing: string[];
};

export type RedriveRequested = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "redrive.requested";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** Set if this is the compensation of the step. */
    undo?: true | undefined;
    by: string;
  };
};

export type ResumeRequested = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "resume.requested";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    pause: number;
    /** The identity of the key or user that sent the request; the tenant if no credentials are required. */
    by: string;
  };
};

export type Retried = {
  id: string;
  planId: string;
  stepId: string;
  /** Number of the attempt that the retry starts. */
  attempt: number;
};

export type RetriedMany = {
  retried: number;
  refused: {
    id: string;
    code: string;
    message: string;
  }[];
  /** Number of dead letters that were not processed. Repeat the request to process them. */
  left: number;
};

export type RetryPolicy = {
  maxAttempts?: number | undefined;
  backoffMs?: number | undefined;
};

export type ReviewPolicy = {
  /** Whether the first draft is reviewed before any of its steps runs. A rejected draft is improved once. */
  plan: boolean | {
    /** Whether the improved draft is reviewed too. It runs regardless of the result. */
    again: boolean;
  };
  /** Whether the answer is reviewed before it is returned, and rewritten with the feedback if rejected: `maxIterations` (default 3). */
  answer: boolean | {
    /** Total number of drafts, including the first one. Each is reviewed, and the best one is kept. */
    maxIterations: number;
  };
  /** Whether each step with `successCriteria` or `expectedOutput` is reviewed against them. A step that misses them causes a revision of the plan. */
  steps: boolean;
};

export type ReviewPolicyInput = {
  /** Whether the first draft is reviewed before any of its steps runs. A rejected draft is improved once. */
  readonly plan?: boolean | {
    /** Whether the improved draft is reviewed too. It runs regardless of the result. */
    readonly again?: boolean | undefined;
  } | undefined;
  /** Whether the answer is reviewed before it is returned, and rewritten with the feedback if rejected: `maxIterations` (default 3). */
  readonly answer?: boolean | {
    /** Total number of drafts, including the first one. Each is reviewed, and the best one is kept. */
    readonly maxIterations?: number | undefined;
  } | undefined;
  /** Whether each step with `successCriteria` or `expectedOutput` is reviewed against them. A step that misses them causes a revision of the plan. */
  readonly steps?: boolean | undefined;
};

export type RevisionCause =
  | "results"
  | "failure"
  | "verification"
  | "expectation"
  | "requires_replan"
  | "rejection"
  | "wave"
  | "critique";

export type RevisionRequested = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "revision.requested";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    join: number;
    reason: string;
    answer: Answer;
    usage: Usage;
    forfeited?: Forfeit | undefined;
  };
};

export type Risk = "low" | "medium" | "high";

export type Role = "viewer" | "submitter" | "approver" | "operator" | "admin";

export type RunEstimate = {
  /** Duration of the critical path in milliseconds. Steps with an unknown duration count as 0. Null if no step has a known duration. */
  durationMs: number | null;
  /** Cost in US dollars of the steps whose cost is known; null if none is known. */
  costUsd: number | null;
  /** For the steps whose model usage is known. */
  inputTokens: number;
  outputTokens: number;
  /** Steps that run if nothing fails: all except fallbacks. */
  steps: number;
  /** Steps whose duration is known. */
  stepsTimed: number;
  /** Steps whose cost is known. */
  stepsPriced: number;
  /** Number of earlier runs in the same tenant on which the estimate is based. */
  runs: number;
  /** Whether a step provides the answer. Otherwise a model writes it, which is not included. */
  answered: boolean;
};

export type SearchSettings = {
  /** Maximum number of rounds of proposing, trying and evaluating actions. */
  iterations: number;
  /** Number of actions that are proposed and tried in a round. */
  width: number;
  /** Maximum number of actions in a path. */
  depth: number;
  /** Weight of rarely tried actions relative to highly valued ones. */
  exploration: number;
};

export type SearchSettingsInput = {
  /** Maximum number of rounds of proposing, trying and evaluating actions. */
  readonly iterations?: number | undefined;
  /** Number of actions that are proposed and tried in a round. */
  readonly width?: number | undefined;
  /** Maximum number of actions in a path. */
  readonly depth?: number | undefined;
  /** Weight of rarely tried actions relative to highly valued ones. */
  readonly exploration?: number | undefined;
};

export type SearchView = {
  settings: SearchSettings;
  phase: "expanding" | "valuing" | "answering";
  /** Each round has the node that was selected; none for the root. */
  rounds: ({
    round: number;
    leaf?: string | undefined;
  })[];
  root: {
    visits: number;
    meanValue: number;
  };
  nodes: ({
    /** The step that tries the action. */
    id: string;
    /** The preceding action; absent below the root. */
    parent?: string | undefined;
    depth: number;
    round: number;
    /** `failed`: the action failed. `solved`: it reaches the goal. `refuted`: it only seemed to reach the goal. */
    status: "open" | "failed" | "solved" | "refuted";
    visits: number;
    /** Value of the node itself, from 0 to 1. */
    value: number;
    reason: string;
    /** Mean of the node's value and the values of all nodes below it. */
    meanValue: number;
    /** The score that decides which sibling is expanded next; null before it is valued. */
    uct: number | null;
  })[];
  bestPath: string[];
};

export type SecretUse = {
  /** As in `{{secret.NAME}}`. */
  name: string;
  /** Arguments that may contain the reference, such as `headers.authorization`. `*` stands for any one key or index. */
  arguments: string[];
  /** The only hosts to which such a call may connect: `api.example.com` (https), or `*.example.com` for all subdomains. Add the port if it is not the default, and the prefix `http://` for unencrypted connections. */
  hosts?: string[] | undefined;
  /** Whether calls of agent loops and programs may use it too, not only the steps of a plan. */
  loops?: true | undefined;
};

export type ServerMessage = {
  type: "accepted";
  id: MessageId;
  planId: string;
  traceId: string;
} | {
  type: "ok";
  id: MessageId;
} | {
  type: "event";
  planId: string;
  seq: number;
  event: PlanEvent;
} | {
  type: "changes";
  planId: string;
  after: number;
  seq: number;
  changes: JsonChange[];
} | {
  type: "plans";
  /** New and changed plans, as the list shows them now. */
  plans: PlanSummary[];
  /** Plans that have left the list. */
  removed: string[];
  /** Whether more plans have changed than are listed here: read the list again. */
  more: boolean;
} | {
  type: "resync";
  planId: string;
  plan: PlanView;
} | {
  type: "error";
  /** Absent if the message had none. */
  id?: MessageId | undefined;
  code: 
    | "malformed_json"
    | "malformed_protobuf"
    | "invalid_request"
    | "redacted_value"
    | "unauthorized"
    | "foreign_origin"
    | "foreign_host"
    | "role_required"
    | "not_assigned"
    | "sign_in_failed"
    | "not_an_approver"
    | "redacted_for_role"
    | "denied_by_policy"
    | "not_found"
    | "plan_not_found"
    | "step_not_found"
    | "approval_not_found"
    | "artifact_not_found"
    | "source_not_found"
    | "dead_letter_not_found"
    | "key_not_found"
    | "retry_refused"
    | "plan_not_paused"
    | "step_not_settled"
    | "source_configured"
    | "data_limit_reached"
    | "fork_refused"
    | "plan_not_ended"
    | "feedback_given"
    | "plan_is_sub_plan"
    | "plan_ended"
    | "approval_decided"
    | "approval_expired"
    | "approval_withdrawn"
    | "keys_not_set"
    | "key_limit_reached"
    | "plan_deleted"
    | "body_too_large"
    | "unsupported_media_type"
    | "invalid_plan"
    | "invalid_edits"
    | "invalid_data"
    | "unknown_tool"
    | "data_required"
    | "unknown_source"
    | "model_needed"
    | "price_unknown"
    | "idempotency_key_reused"
    | "upgrade_needed"
    | "rate_limited"
    | "too_many_submissions"
    | "too_many_open_plans"
    | "quota_reached"
    | "too_many_watchers"
    | "internal"
    | "model_failed"
    | "no_planner"
    | "not_ready"
    | "store_full"
    | "overloaded"
    | "unavailable";
  message: string;
  issues?: FieldIssue[] | undefined;
  retryAfterSeconds?: number | undefined;
};

export type SignedOut = {
  /** URL at which the user ends the session with the identity provider; absent if there is none. */
  url?: string | undefined;
};

export type SignInOptions = {
  /** Whether the gateway accepts API keys. */
  keys: boolean;
  /** Absent if users cannot sign in with an identity provider. */
  oidc?: {
    issuer: string;
    /** Path at which a browser starts the sign-in. Add `?return=/plans/p1` to return to that path afterwards. */
    path: string;
  } | undefined;
};

export type SlowStep = {
  /** The plan that the step belongs to, which can be a sub-plan. */
  planId: string;
  /** The beginning of that plan's goal. */
  goal: string;
  stepId: string;
  /** For a step with `forEach`: the number of its item, from 0. */
  item?: number | undefined;
  tool: string;
  /** Of its last attempt. */
  durationMs: number;
  failed: boolean;
};

export type SortOrder = "asc" | "desc";

export type SourceFromConfig = {
  name: string;
  /** Name of the source of a file in PLANWRIGHT_UPLOADS, or of a source in the configuration of executors, which already exists and keeps its name. */
  fromConfig: string;
};

export type SourceInfo = {
  name: string;
  kind: "csv" | "sqlite";
  /** `upload`: your own source, which no other tenant can see. `configuration`: a source of the installation, from PLANWRIGHT_UPLOADS or the configuration of executors, which every tenant can see. */
  origin: "upload" | "configuration";
  /** Whether plans may change the source. */
  writable: boolean;
  /** Rules that every change must satisfy, by table. */
  rules?: DataRules | undefined;
  /** Absent until an executor has read the source. */
  tables?: ({
    name: string;
    /** Number of rows; null for a view. */
    rows: number | null;
    columns: ({
      name: string;
      /** `integer`, `real`, `text`, `date`, `datetime`, or the type declared in a SQLite file. */
      type: string;
      /** Sample values. */
      samples: (string | number | null)[];
      /** Set if the samples contain all values that occur. */
      complete?: boolean | undefined;
      /** Set if every row has a different value. */
      unique?: boolean | undefined;
      /** Number of rows without a value. */
      empty?: number | undefined;
      /** The lowest number or the earliest date. */
      min?: string | number | undefined;
      /** The highest number or the latest date. */
      max?: string | number | undefined;
      /** Header in the CSV file, if it differs from the name. */
      header?: string | undefined;
    })[];
  })[] | undefined;
  /** Why an executor cannot read the source. */
  fault?: string | undefined;
  files: {
    fileName: string;
    bytes: number;
  }[];
};

export type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string | undefined;
  name: string;
  service: string;
  kind: "unspecified" | "internal" | "server" | "client" | "producer" | "consumer";
  /** Nanoseconds since the epoch, too large for a JSON number. */
  startTimeUnixNano: string;
  /** Nanoseconds since the epoch, too large for a JSON number. */
  endTimeUnixNano: string;
  attributes: Record<string, unknown>;
  events: {
    name: string;
    /** Nanoseconds since the epoch, too large for a JSON number. */
    timeUnixNano: string;
    attributes: Record<string, unknown>;
  }[];
  links: ({
    traceId: string;
    spanId: string;
    attributes?: Record<string, unknown> | undefined;
  })[];
  status: "unset" | "ok" | "error";
  statusMessage?: string | undefined;
  /** What the sender omitted from this span; absent if nothing. */
  dropped?: {
    attributes: number;
    events: number;
    links: number;
  } | undefined;
};

export type Step = {
  /** 1 to 64 letters, digits, underscores or hyphens. */
  id: string;
  /** Purpose of the step. */
  description: string;
  /** Name of the tool to call, as listed by `GET /v1/tools`. */
  tool: string;
  /** Arguments of the tool. They can contain references. */
  args: JsonObject;
  /** Steps to wait for, in addition to those that the arguments refer to. */
  dependsOn: string[];
  /** A condition on outputs of other steps, such as `s1.output.total > 100 and s2.output.status == "ok"`. If it is false, the step is skipped, and the steps that depend on it run without its output. */
  when?: string | undefined;
  /** A list, or a reference to one. The step runs once for each item. Its arguments can refer to the item as `{"$ref": "item"}` or `{{item.name}}`. Its output is the list of results. */
  forEach?: Record<"$ref", string> | Json[] | undefined;
  /** The step whose output this step verifies. Until then, no other step receives that output. If this step fails, or its output is false or has a false `ok`, `passed`, `valid`, `approved` or `value`, the verified step fails. */
  verifies?: string | undefined;
  /** A step that runs only if this step fails permanently. The dependents of this step then receive the fallback's output. */
  fallback?: string | undefined;
  /** Conditions under which the step counts as successful, in plain language. */
  successCriteria?: string | undefined;
  /** Description of the expected output, in plain language. */
  expectedOutput?: string | undefined;
  /** Has a model review the output. If the review rejects it, the step runs again with the feedback. Fields: `maxIterations` (default 3), `onMiss`. */
  review?: StepReview | undefined;
  /** The call that undoes the step if the plan fails or is cancelled: `tool`, `args` and, as in a step, `agent`, `timeoutMs`, `retry`. */
  compensate?: Compensation | undefined;
  /** Agent type or worker pool that runs it. Default: the tool's pool. */
  agent?: string | undefined;
  /** Model for the tool, if the tool uses one. */
  model?: string | undefined;
  /** Time limit for one attempt, in milliseconds. Default: the tool's time limit. */
  timeoutMs?: number | undefined;
  /** `maxAttempts`, including the first one, and `backoffMs`, the delay before the second attempt. The delay doubles with each further attempt. */
  retry?: RetryPolicy | undefined;
  /** Confidence of the planner that this is the right step, from 0 to 1. */
  confidence?: number | undefined;
};

export type StepAsked = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "step.asked";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** Set if this is the compensation of the step. */
    undo?: true | undefined;
    /** The work unit in which the attempt ran; absent if it was sent alone. */
    unit?: string | undefined;
    /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
    pool?: string | undefined;
    workerId: string;
    startedAt: string;
    durationMs: number;
    usage?: Usage | undefined;
    /** Possible additional usage that was not reported. Counts as used. */
    forfeited?: Forfeit | undefined;
    /** For a sub-plan: the number of attempts it sent to workers. */
    stepsSent?: number | undefined;
    /** For a sub-plan: its counts, which are part of the parent plan's metrics. */
    tally?: PlanTally | undefined;
    call: AskedCall;
  };
};

export type StepError = {
  code: string;
  message: string;
  /** For a step whose sub-plan failed because of one of its steps: that step. */
  leaf?: {
    planId: string;
    /** Steps below the step that ran the sub-plan, one per level. The last one failed. */
    path: string[];
    message: string;
  } | undefined;
};

export type StepFailed = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "step.failed";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** Set if this is the compensation of the step. */
    undo?: true | undefined;
    /** The work unit in which the attempt ran; absent if it was sent alone. */
    unit?: string | undefined;
    /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
    pool?: string | undefined;
    workerId: string;
    startedAt: string;
    durationMs: number;
    usage?: Usage | undefined;
    /** Possible additional usage that was not reported. Counts as used. */
    forfeited?: Forfeit | undefined;
    /** For a sub-plan: the number of attempts it sent to workers. */
    stepsSent?: number | undefined;
    /** For a sub-plan: its counts, which are part of the parent plan's metrics. */
    tally?: PlanTally | undefined;
    error: StepError;
    retryable: boolean;
    /** The delay that the called service requested, in milliseconds. */
    retryAfterMs?: number | undefined;
    /** Failed calls to a model server so far. The next attempt continues the count. */
    modelTries?: ModelTries | undefined;
    /** The attempt failed but may have taken effect. If it is retryable, repeating it does no harm. */
    uncertain?: boolean | undefined;
  };
};

export type StepInterrupted = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "step.interrupted";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** Set if this is the compensation of the step. */
    undo?: true | undefined;
    /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
    pool?: string | undefined;
    workerId: string;
    message: string;
  };
};

export type StepOutput = {
  value: Json;
} | {
  artifact: ArtifactRef;
  preview: string;
  /** Lengths of the lists in the output, by path. */
  lists?: Record<string, number> | undefined;
};

export type StepPlanned = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "step.planned";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    draft: number;
    /** Position in the draft, from 0. */
    index: number;
    step: Step;
    grant: ToolGrant;
    /** Permissions of the tool that undoes the step. */
    compensateGrant?: ToolGrant | undefined;
  };
};

export type StepReview = {
  /** Total number of drafts, including the first one. Each is reviewed, and the best one is kept. */
  maxIterations: number;
  /** If no draft is accepted: `keep` the best one, or fail the step and `revise` the plan. */
  onMiss: "keep" | "revise";
};

export type StepReviewed = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "step.reviewed";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    /** The attempt whose output was reviewed. */
    attempt: number;
    /** The number of this review of the attempt, from 1. */
    review: number;
    verdict: Verdict;
    /** Quality, from 0 to 1. */
    score?: number | undefined;
    /** Confidence of the reviewing model, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** Suggested improvement; "" if there is none. */
    suggestion: string;
    /** For `unjudged`: the reason, and whether another review may help. */
    message?: string | undefined;
    cause?: "interrupted" | "allowance_spent" | "model_failed" | "model_unavailable" | "unusable" | undefined;
    /** The delay that the model server requested, in milliseconds. */
    retryAfterMs?: number | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
    /** The output is correct, but shows that the rest of the plan must change. */
    replan?: true | undefined;
  };
};

export type StepSkipped = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "step.skipped";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepIds: string[];
    /** The failed step that they depend on, directly or indirectly, or the step because of which they are not needed. */
    because: string;
    reason: string;
    /** The steps are not needed, for example because a condition is false. Their dependents run without their outputs. */
    passedOver?: true | undefined;
  };
};

export type StepStarted = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "step.started";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** Set if this is the compensation of the step. */
    undo?: true | undefined;
    /** The work unit in which the attempt ran; absent if it was sent alone. */
    unit?: string | undefined;
    /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
    pool?: string | undefined;
    workerId: string;
    /** Number of deliveries of the attempt's message; more than 1 if an earlier worker was lost. */
    delivery: number;
    /** Stream sequence number of the work message; absent if there is none. */
    message?: number | undefined;
    /** The sub-plan that does the work of the step. */
    subPlan?: string | undefined;
  };
};

export type StepSucceeded = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "step.succeeded";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** Set if this is the compensation of the step. */
    undo?: true | undefined;
    /** The work unit in which the attempt ran; absent if it was sent alone. */
    unit?: string | undefined;
    /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
    pool?: string | undefined;
    workerId: string;
    startedAt: string;
    durationMs: number;
    usage?: Usage | undefined;
    /** Possible additional usage that was not reported. Counts as used. */
    forfeited?: Forfeit | undefined;
    /** For a sub-plan: the number of attempts it sent to workers. */
    stepsSent?: number | undefined;
    /** For a sub-plan: its counts, which are part of the parent plan's metrics. */
    tally?: PlanTally | undefined;
    output: StepOutput;
    /** Files that the step wrote. */
    artifacts: ArtifactRef[];
    /** Facts that the tool recorded. No further facts are extracted from the output then. */
    facts?: FactClaim[] | undefined;
    /** Why the output is incomplete; absent if it is complete. */
    partial?: string | undefined;
    /** The step found that the plan must change. */
    replan?: {
      reason: string;
    } | undefined;
    /** The output was reused from an identical call in the same plan; the call was not made again. */
    reused?: true | undefined;
    /** The output is cut off, because a model reached its length limit. */
    truncated?: true | undefined;
  };
};

export type StepView = {
  /** 1 to 64 letters, digits, underscores or hyphens. */
  id: string;
  /** Purpose of the step. */
  description: string;
  /** Name of the tool to call, as listed by `GET /v1/tools`. */
  tool: string;
  /** Arguments of the tool. They can contain references. */
  args: JsonObject;
  /** Steps to wait for, in addition to those that the arguments refer to. */
  dependsOn: string[];
  /** A condition on outputs of other steps, such as `s1.output.total > 100 and s2.output.status == "ok"`. If it is false, the step is skipped, and the steps that depend on it run without its output. */
  when?: string | undefined;
  /** A list, or a reference to one. The step runs once for each item. Its arguments can refer to the item as `{"$ref": "item"}` or `{{item.name}}`. Its output is the list of results. */
  forEach?: Record<"$ref", string> | Json[] | undefined;
  /** The step whose output this step verifies. Until then, no other step receives that output. If this step fails, or its output is false or has a false `ok`, `passed`, `valid`, `approved` or `value`, the verified step fails. */
  verifies?: string | undefined;
  /** A step that runs only if this step fails permanently. The dependents of this step then receive the fallback's output. */
  fallback?: string | undefined;
  /** Conditions under which the step counts as successful, in plain language. */
  successCriteria?: string | undefined;
  /** Description of the expected output, in plain language. */
  expectedOutput?: string | undefined;
  /** Has a model review the output. If the review rejects it, the step runs again with the feedback. Fields: `maxIterations` (default 3), `onMiss`. */
  review?: StepReview | undefined;
  /** The call that undoes the step if the plan fails or is cancelled: `tool`, `args` and, as in a step, `agent`, `timeoutMs`, `retry`. */
  compensate?: Compensation | undefined;
  /** Agent type or worker pool that runs it. Default: the tool's pool. */
  agent?: string | undefined;
  /** Model for the tool, if the tool uses one. */
  model?: string | undefined;
  /** Time limit for one attempt, in milliseconds. Default: the tool's time limit. */
  timeoutMs?: number | undefined;
  /** `maxAttempts`, including the first one, and `backoffMs`, the delay before the second attempt. The delay doubles with each further attempt. */
  retry?: RetryPolicy | undefined;
  /** Confidence of the planner that this is the right step, from 0 to 1. */
  confidence?: number | undefined;
  grant: ToolGrant;
  /** The draft that contains the step; 0 for a submitted plan. */
  draft: number;
  /** The sub-plan that the latest attempt started. */
  child?: string | undefined;
  /** The step succeeded in the plan that this one was forked from, and does not run here. */
  carried?: true | undefined;
  status: 
    | "waiting"
    | "awaiting-approval"
    | "queued"
    | "running"
    | "reviewing"
    | "succeeded"
    | "failed"
    | "skipped"
    | "cancelled";
  /** Why a waiting step has not started. */
  waitingFor?: 
    | "dependencies"
    | "primary"
    | "condition"
    | "items"
    | "draft"
    | "approval"
    | "capacity"
    | "retry"
    | "budget"
    | "start"
    | "resume" | undefined;
  attempt: number;
  failedAttempts: {
    attempt: number;
    error: StepError;
    at: string;
    retryAt: string;
  }[];
  workerId?: string | undefined;
  startedAt?: string | undefined;
  endedAt?: string | undefined;
  durationMs?: number | undefined;
  output?: StepOutput | undefined;
  /** The output is cut off, because a model reached its length limit. */
  truncated?: true | undefined;
  error?: StepError | undefined;
  /** Failed attempts to reach the model server; absent if there are none. */
  modelTries?: ModelTries | undefined;
  /** The fallback that succeeded instead. References to this step resolve to the output of the fallback. */
  replacedBy?: string | undefined;
  /** The steps that verify this step. */
  verifiedBy?: string[] | undefined;
  /** Reviews of the step's outputs, oldest first; absent if there are none. */
  reviews?: ({
    /** The attempt whose output was reviewed. */
    attempt: number;
    verdict: Verdict;
    /** Quality, from 0 to 1. */
    score?: number | undefined;
    /** Confidence of the reviewing model, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** Suggested improvement; "" if there is none. */
    suggestion: string;
    /** Why the review was not possible. */
    message?: string | undefined;
  })[] | undefined;
  /** For a step that works in a loop: the model's reasoning, calls and results, call by call. Calls in one turn have the same `turn`. */
  turns?: ({
    /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
    pool?: string | undefined;
    /** The attempt in which the turn was taken. */
    attempt: number;
    /** Number of the step's turn, from 1, over all attempts; also part of the effect key. */
    turn: number;
    /** Position of the call in a turn that began with `turn.started`; absent in a turn with one call or none. */
    call?: number | undefined;
    thought: string;
    /** Absent if the model's reply contained no call. */
    tool?: string | undefined;
    args?: JsonObject | undefined;
    proposed?: JsonObject | undefined;
    /** Output of the call. */
    output?: StepOutput | undefined;
    /** Why there was no call, or why it failed. */
    error?: StepError | undefined;
    /** The call failed but may have taken effect. */
    uncertain?: true | undefined;
    at: string;
    /** A call of the current turn that has no outcome yet. `at` is the start of the turn. */
    open?: true | undefined;
  })[] | undefined;
  /** Why the step was skipped or cancelled. */
  reason?: string | undefined;
  /** The step was not needed. */
  notNeeded?: true | undefined;
  /** For a step with `forEach`: its runs, in the order of the list; absent until the list is known. */
  items?: ItemView[] | undefined;
  /** The number of items that failed; the results of the others are available. */
  failedItems?: number | undefined;
  /** Why the output is incomplete; absent if it is complete. */
  partial?: string | undefined;
};

export type StoredBudget = {
  tokens?: number | undefined;
  usd?: number | undefined;
  seconds?: number | undefined;
  steps?: number | undefined;
  onExhausted: "end" | "ask";
  usdPerToken?: {
    input: number;
    output: number;
  } | undefined;
};

export type Strategy =
  | "auto"
  | "direct"
  | "sequential"
  | "parallel"
  | "hierarchical"
  | "waves"
  | "summarize"
  | "tree-search"
  | "code";

export type Submission = {
  /** The goal, in plain language. */
  goal: string;
  /** A predefined plan, to run without drafting. */
  plan?: PlanDocument | undefined;
  strategy: Strategy;
  /** A long text that the goal is about. The strategy `summarize` reads it in parts; with an input, `auto` means `summarize`. */
  input?: InputText | undefined;
  /** Sentences that are added to every planning and review prompt. */
  constraints: string[];
  /** The only tools that the plan may use. Default: all. */
  tools?: string[] | undefined;
  /** The only data sources that the plan may use. Default: all. */
  data?: string[] | undefined;
  /** What needs approval before it runs. */
  approval: ApprovalPolicy;
  /** What is reviewed. Default: nothing. */
  review?: ReviewPolicy | undefined;
  /** When to start, up to a year ahead. If absent or in the past, the plan starts immediately. */
  startAt?: string | undefined;
  /** Settings of the strategy `tree-search`. Other strategies ignore it. */
  search?: SearchSettings | undefined;
  /** Settings of the strategy `code`. Other strategies ignore it. */
  program?: {
    /** Language in which the model should write the program. If the reply names another language, the program runs in that one. */
    language: "javascript" | "typescript" | "python";
  } | undefined;
  /** Number of steps that a model may plan. A draft outside these limits is repaired once. The strategies `direct`, `code`, `tree-search` and `summarize`, and predefined plans, ignore it. */
  planSize?: PlanSize | undefined;
  maxReplans: number;
  /** Whether a step that fails permanently causes a revision immediately. Otherwise, the results are evaluated when all other steps have finished. */
  replanOnFailure: boolean;
  /** Whether every sentence of the answer that contains a number or a name must cite a step, document or URL of the plan. If one does not, the answer is partial and lists the sentences. */
  requireSources: boolean;
  /** Hard limits for the whole plan. Default: none. */
  budget?: Budget | undefined;
  /** Outputs from which a model extracts facts, with one call each: those larger than 4 KiB (`large`), or `all`. Planning and review prompts then contain the facts, and only the beginning of large outputs. */
  facts: FactsPolicy;
  /** Priority among the tenant's plans when there are more steps than slots. A plan with priority `normal` gets four times as many slots as one with `low`, and `high` four times as many as `normal`. Default: `normal`, or the highest priority that the policy allows, if that is lower. */
  priority?: Priority | undefined;
  /** Whether the planner's model sees how similar earlier plans of the same tenant ended, if the installation allows it. */
  learn: boolean;
  /** Stored and searchable. */
  metadata: Record<string, Json>;
};

export type SubmissionInput = {
  /** The goal, in plain language. */
  readonly goal: string;
  readonly plan?: unknown;
  readonly strategy?: Strategy | undefined;
  /** A long text that the goal is about. The strategy `summarize` reads it in parts; with an input, `auto` means `summarize`. */
  readonly input?: InputTextInput | undefined;
  /** Sentences that are added to every planning and review prompt. */
  readonly constraints?: readonly string[] | undefined;
  /** The only tools that the plan may use. Default: all. */
  readonly tools?: readonly string[] | undefined;
  /** The only data sources that the plan may use. Default: all. */
  readonly data?: readonly string[] | undefined;
  /** What needs approval before it runs. */
  readonly approval?: ApprovalPolicyInput | undefined;
  /** What is reviewed. Default: nothing. */
  readonly review?: ReviewPolicyInput | undefined;
  /** When to start, up to a year ahead. If absent or in the past, the plan starts immediately. */
  readonly startAt?: string | undefined;
  /** Settings of the strategy `tree-search`. Other strategies ignore it. */
  readonly search?: SearchSettingsInput | undefined;
  /** Settings of the strategy `code`. Other strategies ignore it. */
  readonly program?: {
    /** Language in which the model should write the program. If the reply names another language, the program runs in that one. */
    readonly language?: "javascript" | "typescript" | "python" | undefined;
  } | undefined;
  /** Number of steps that a model may plan. A draft outside these limits is repaired once. The strategies `direct`, `code`, `tree-search` and `summarize`, and predefined plans, ignore it. */
  readonly planSize?: PlanSizeInput | undefined;
  readonly maxReplans?: number | undefined;
  /** Whether a step that fails permanently causes a revision immediately. Otherwise, the results are evaluated when all other steps have finished. */
  readonly replanOnFailure?: boolean | undefined;
  /** Whether every sentence of the answer that contains a number or a name must cite a step, document or URL of the plan. If one does not, the answer is partial and lists the sentences. */
  readonly requireSources?: boolean | undefined;
  /** Hard limits for the whole plan. Default: none. */
  readonly budget?: BudgetInput | undefined;
  /** Outputs from which a model extracts facts, with one call each: those larger than 4 KiB (`large`), or `all`. Planning and review prompts then contain the facts, and only the beginning of large outputs. */
  readonly facts?: FactsPolicy | undefined;
  /** Priority among the tenant's plans when there are more steps than slots. A plan with priority `normal` gets four times as many slots as one with `low`, and `high` four times as many as `normal`. Default: `normal`, or the highest priority that the policy allows, if that is lower. */
  readonly priority?: Priority | undefined;
  /** Whether the planner's model sees how similar earlier plans of the same tenant ended, if the installation allows it. */
  readonly learn?: boolean | undefined;
  /** Stored and searchable. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

export type System = {
  version: string;
  /** Whether the built-in demo model is used, whose replies come from rules instead of a language model. */
  demoModel: boolean;
  models: {
    planner: string;
    executor: string;
    reflector: string;
  };
  traces: {
    /** Whether spans go to this gateway, to another receiver, or to both. */
    to: "embedded" | "endpoint" | "both";
    /** The host of the other receiver. */
    endpoint?: string | undefined;
    /** URL of a trace in an external viewer, with the placeholder `{traceId}`. */
    url?: string | undefined;
  };
};

export type TableRules = {
  /** Whether rows may be added. */
  insert: boolean;
  /** Whether rows may be changed, or the only columns that may. */
  update: boolean | string[];
  /** Whether rows may be deleted. */
  delete: boolean;
  /** Minimum values of columns in added or changed rows. */
  min?: Record<string, number> | undefined;
  /** Maximum values of columns in added or changed rows. */
  max?: Record<string, number> | undefined;
  /** Exactly one row must be added here for each row of `table` whose `column` changes. */
  onePerItem?: {
    table: string;
    column: string;
  } | undefined;
  /** The `balance` of each added row must be the balance of the previous row plus its own `amount`. */
  running?: {
    balance: string;
    amount: string;
  } | undefined;
};

export type TimerFired = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "timer.fired";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    timer: string;
    deadline?: {
      /** Number of the deadline within the plan, from 1. Of several with the same number, the first counts. */
      round: number;
      /** Attempts that are abandoned if they have not finished, by their order of start in the log. */
      starts: number[];
    } | undefined;
  };
};

export type ToolGrant = {
  pool: string;
  risk: Risk;
  effect: Effect;
  timeoutMs: number;
  /** Typical number of model tokens per run in addition to the input; absent if the tool calls no model. */
  modelTokens?: number | undefined;
  /** The tool takes a few milliseconds and never waits. */
  light?: true | undefined;
  /** The tool improves a rejected draft based on its review. */
  revises?: true | undefined;
  /** For a step with an agent type: the pool that runs it, instead of the tool's pool. */
  agent?: {
    pool: string;
  } | undefined;
};

/** What the steps of a tool did. Steps that an approver rejected do not count. */
export type ToolMetrics = {
  tool: string;
  /** Steps that succeeded or failed permanently. */
  steps: number;
  failed: number;
  failureRate: number | null;
  /** Attempts beyond the first of each step. */
  retries: number;
  /** Of the last attempt of each step. */
  durationMs: {
    mean: number | null;
    max: number | null;
  };
};

export type Tools = {
  tools: ToolSpec[];
  agents: AgentInfo[];
  /** Digest of the file that defines the agent types. A worker with a different digest was started with a different file. */
  agentsDigest?: string | undefined;
};

export type ToolSpec = {
  name: string;
  description: string;
  input: JsonObject;
  output: JsonObject;
  risk: Risk;
  effect: Effect;
  timeoutMs: number;
  pool: string;
  /** Typical number of model tokens per run in addition to the arguments; absent if the tool calls no model. With a budget, this amount is reserved for each run. */
  modelTokens?: number | undefined;
  /** The tool takes a few milliseconds and never waits. A worker can receive many such steps in one message. */
  light?: true | undefined;
  /** The tool improves a rejected draft based on the draft and its review. Read-only tools only. */
  revises?: true | undefined;
  /** The output is untrusted: prompts mark it as data, never as instructions. */
  untrusted: boolean;
  /** Names of the secrets that the tool's calls may use. Values are never sent. */
  secrets?: SecretUse[] | undefined;
};

export type ToolTally = {
  tool: string;
  steps: number;
  failed: number;
  retries: number;
  durationMs: number;
  longestMs: number;
};

export type Trace = {
  traceId: string;
  /** Whether the complete plan is traced. Otherwise, only failures are. */
  sampled: boolean;
  /** Earlier spans are missing, because spans are kept in memory. */
  keptSince: string;
  /** Number of spans that were dropped because the trace has too many. */
  dropped: number;
  /** Whether spans of the trace were evicted to make room for others. */
  evicted: boolean;
  /** The spans, in order of their start times. */
  spans: Span[];
};

export type TurnStarted = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "turn.started";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
    pool?: string | undefined;
    attempt: number;
    turn: number;
    thought: string;
    calls: ({
      tool?: string | undefined;
      args?: JsonObject | undefined;
      /** Why the call is not made. */
      error?: StepError | undefined;
    })[];
  };
};

export type TurnTaken = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "turn.taken";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    stepId: string;
    item: number;
    /** The pool of the worker that reports the event; absent if the dispatcher reports it. */
    pool?: string | undefined;
    /** The attempt in which the turn was taken. */
    attempt: number;
    /** Number of the step's turn, from 1, over all attempts; also part of the effect key. */
    turn: number;
    /** Position of the call in a turn that began with `turn.started`; absent in a turn with one call or none. */
    call?: number | undefined;
    thought: string;
    /** Absent if the model's reply contained no call. */
    tool?: string | undefined;
    args?: JsonObject | undefined;
    proposed?: JsonObject | undefined;
    /** Output of the call. */
    output?: StepOutput | undefined;
    /** Why there was no call, or why it failed. */
    error?: StepError | undefined;
    /** The call failed but may have taken effect. */
    uncertain?: true | undefined;
  };
};

export type UnitClosed = {
  /** Derived from the content of the event, never random. Also its `Nats-Msg-Id`. */
  id: string;
  type: "unit.closed";
  planId: string;
  /** A digest of the plan's log up to the last message that the dispatcher had read when it wrote the event, or requested the work that the event reports. If the log has no such beginning, events are missing. */
  after?: number | undefined;
  /** When the event was written. */
  at: string;
  data: {
    /** The name of the unit. */
    unit: string;
    pool: string;
    workerId: string;
    /** `time`: the unit has had its time. `stop`: the plan was paused or stopped, must change, or a step cannot be run. `lost`: workers were lost while they ran it. */
    because: "time" | "stop" | "lost";
    /** Steps that the worker still runs. */
    kept: string[];
  };
};

export type Usage = {
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null if the price of a model is unknown. */
  costUsd: number | null;
};

export type Verdict = "accepted" | "rejected" | "unjudged";

export type WhichDeadLetters = {
  group: string;
} | {
  all: true;
};

export type Worker = {
  workerId: string;
  pool: string;
  version: string;
  /** Number of steps that the worker is running. */
  inFlight: number;
  /** Number of slots: steps that the worker can run at the same time. */
  concurrency: number;
  tools: string[];
  /** Custom tool files, MCP servers and MCP tools that the worker cannot use. */
  brokenTools: {
    file: string;
    reason: string;
  }[];
  /** Agent types whose steps are queued in this pool. */
  agents: string[];
  /** Digest of the worker's file of agent types; absent if it has none. */
  agentsDigest?: string | undefined;
  /** Sandbox of the worker's child processes, provided by the operating system; absent for workers of earlier versions. */
  wall?: {
    stands: boolean;
    /** For example `bubblewrap 0.8.0`, or why there is no sandbox. */
    about: string;
  } | undefined;
  /** Time of the last heartbeat. */
  at: string;
};

export type Workers = {
  workers: Worker[];
  /** The queues of all pools that have ever had a worker, including pools that have none now. */
  pools: PoolQueue[];
};
