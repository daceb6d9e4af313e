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
  ModelCheck: ModelCheck;
  NumberedEvent: NumberedEvent;
  PendingApproval: PendingApproval;
  PendingApprovals: PendingApprovals;
  Period: Period;
  PlanCheck: PlanCheck;
  PlanCounts: PlanCounts;
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

/** The plan is stored; its view is at `GET /v1/plans/{planId}`. */
export type Accepted = {
  planId: string;
  /** 32 hexadecimal digits. */
  traceId: string;
};

export type ActionValue = {
  stepId: string;
  /** How near it has brought the goal, from 0 to 1. */
  value: number;
  /** The goal is reached with it. */
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
  /** The steps that the answer rests on. */
  sources: string[];
  artifacts: ArtifactRef[];
};

export type AnswerDrafted = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "answer.drafted";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    join: number;
    answer: Answer;
    usage?: Usage | undefined;
    forfeited?: Forfeit | undefined;
  };
};

export type AnswerGiven = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "answer.given";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    /** Absent when the plan named the step that answers it. */
    join?: number | undefined;
    answer: Answer;
    usage?: Usage | undefined;
    forfeited?: Forfeit | undefined;
  };
};

export type AnswerReviewed = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "answer.reviewed";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    /** Drafts of plans and drafts of answers each have a count of their own, from 1. */
    draft: number;
    /** The number of this review of the draft, from 1. */
    review: number;
    verdict: Verdict;
    /** How good it is, from 0 to 1. */
    score?: number | undefined;
    /** How sure the judge is, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** What would make it better; "" when nothing is said. */
    suggestion: string;
    /** Of `unjudged`: why, and whether another review may help. */
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
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "approval.decided";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    approvalId: string;
    decision: ApprovalDecision;
    /** Of `approve`: the arguments that run instead of those that were shown, all of them; or the whole plan. */
    edits?: JsonObject | undefined;
    /** The grants of the tools that an edited plan uses, by tool name. */
    grants?: Record<string, ToolGrant> | undefined;
    /** Of `happened`: the step's output. */
    output?: Json | undefined;
    /** Of `answer`. */
    answer?: Json | undefined;
    /** The identity of the key that decided, `tenant` or `tenant/name`; where no keys are set, the name that the request gave, else `default`. */
    by: string;
    /** The name that the request gave: an unverified note. */
    signedAs?: string | undefined;
    reason?: string | undefined;
  };
};

export type ApprovalDecision = "approve" | "reject" | "answer" | "happened" | "run-again";

export type ApprovalKind = "plan" | "tool-risk" | "confidence" | "question" | "outcome-unknown" | "budget";

export type ApprovalPolicy = {
  /** Whether a person sees each plan, and each revision of it, before any of it runs. */
  plan: boolean;
  /** The lowest risk of a tool that waits for a person; `never` when none does. */
  risk: "low" | "medium" | "high" | "never";
  /** Steps, and plans, whose planner says that it is less sure than this wait for a person. */
  confidenceBelow?: number | undefined;
  /** How long an approval waits, in milliseconds, before it is rejected. */
  expiresAfterMs: number;
};

export type ApprovalPolicyInput = {
  /** Whether a person sees each plan, and each revision of it, before any of it runs. */
  readonly plan?: boolean | undefined;
  /** The lowest risk of a tool that waits for a person; `never` when none does. */
  readonly risk?: "low" | "medium" | "high" | "never" | undefined;
  /** Steps, and plans, whose planner says that it is less sure than this wait for a person. */
  readonly confidenceBelow?: number | undefined;
  /** How long an approval waits, in milliseconds, before it is rejected. */
  readonly expiresAfterMs?: number | undefined;
};

export type ApprovalRequested = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "approval.requested";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    approvalId: string;
    kind: ApprovalKind;
    /** The question, as a sentence. */
    question: string;
    /** The step that waits; absent when the whole plan does. */
    stepId?: string | undefined;
    item?: number | undefined;
    /** It is about the step's compensation. */
    undo?: true | undefined;
    attempt?: number | undefined;
    tool?: string | undefined;
    risk?: Risk | undefined;
    /** The exact arguments, with every reference resolved. */
    args?: JsonObject | undefined;
    /** SHA-256 of `args`, or of the plan's steps, in canonical form: the approval holds for exactly these. */
    argsHash?: string | undefined;
    /** `policy`: the installation's policy requires the approval, whatever the submission says; `submission`: the submission alone does; `egress`: a model composed a URL after it had read content. Absent where it is asked for another reason. */
    requiredBy?: "policy" | "submission" | "egress" | undefined;
    /** The URLs among the arguments that a model composed after untrusted or private content had been read: where they go, and what they tell. Absent when there are none, and in older logs. */
    composedUrls?: ComposedUrl[] | undefined;
    /** The identities that may approve it, by the installation's policy; any key of the tenant when absent. */
    approvers?: string[] | undefined;
    /** The submitter of the plan may not approve it. */
    submitterMayApprove?: false | undefined;
    /** The tools whose outputs have reached the arguments, or had been read by the model that wrote them; absent when there are none, and in older logs. */
    argumentsFrom?: Provenance | undefined;
    /** Where each argument comes from, by who wrote it and what had reached it; absent in older logs, and where a person is only asked a question. */
    argumentOrigins?: ({
      /** Its name. */
      argument: string;
      /** Who wrote it, or the reference in it: the user, in a submitted plan; a model; or another plan, whose sub-plan, fork or follow-up this is. */
      author: "user" | "model" | "plan";
      /** The tools whose outputs have reached it, or had been read by the model that wrote it; absent when there are none. */
      tools?: string[] | undefined;
      /** What those outputs may hold: what is on the public web, or what is not for others. Absent when they hold only what the plan itself said. */
      content?: "web" | "private" | undefined;
    })[] | undefined;
    /** Further details for the decision; they depend on `kind`. */
    details?: JsonObject | undefined;
    /** Without a decision it is rejected this long after it was requested. */
    expiresAfterMs: number;
  };
};

export type ApprovalView = {
  approvalId: string;
  kind: ApprovalKind;
  /** The question, as a sentence. */
  question: string;
  /** The step that waits; absent when the whole plan does. */
  stepId?: string | undefined;
  item?: number | undefined;
  /** It is about the step's compensation. */
  undo?: true | undefined;
  attempt?: number | undefined;
  tool?: string | undefined;
  risk?: Risk | undefined;
  /** The exact arguments, with every reference resolved. */
  args?: JsonObject | undefined;
  /** SHA-256 of `args`, or of the plan's steps, in canonical form: the approval holds for exactly these. */
  argsHash?: string | undefined;
  /** `policy`: the installation's policy requires the approval, whatever the submission says; `submission`: the submission alone does; `egress`: a model composed a URL after it had read content. Absent where it is asked for another reason. */
  requiredBy?: "policy" | "submission" | "egress" | undefined;
  /** The URLs among the arguments that a model composed after untrusted or private content had been read: where they go, and what they tell. Absent when there are none, and in older logs. */
  composedUrls?: ComposedUrl[] | undefined;
  /** The identities that may approve it, by the installation's policy; any key of the tenant when absent. */
  approvers?: string[] | undefined;
  /** The submitter of the plan may not approve it. */
  submitterMayApprove?: false | undefined;
  /** The tools whose outputs have reached the arguments, or had been read by the model that wrote them; absent when there are none, and in older logs. */
  argumentsFrom?: Provenance | undefined;
  /** Where each argument comes from, by who wrote it and what had reached it; absent in older logs, and where a person is only asked a question. */
  argumentOrigins?: ({
    /** Its name. */
    argument: string;
    /** Who wrote it, or the reference in it: the user, in a submitted plan; a model; or another plan, whose sub-plan, fork or follow-up this is. */
    author: "user" | "model" | "plan";
    /** The tools whose outputs have reached it, or had been read by the model that wrote it; absent when there are none. */
    tools?: string[] | undefined;
    /** What those outputs may hold: what is on the public web, or what is not for others. Absent when they hold only what the plan itself said. */
    content?: "web" | "private" | undefined;
  })[] | undefined;
  /** Further details for the decision; they depend on `kind`. */
  details?: JsonObject | undefined;
  /** Without a decision it is rejected this long after it was requested. */
  expiresAfterMs: number;
  /** `withdrawn`: its step or plan ended before anyone decided. */
  status: "pending" | "decided" | "expired" | "withdrawn";
  /** The decisions that it accepts. */
  choices: ApprovalDecision[];
  requestedAt: string;
  expiresAt: string;
  decision?: ApprovalDecision | undefined;
  edits?: JsonObject | undefined;
  answer?: Json | undefined;
  /** The identity that decided; `timer` when it expired. */
  decidedBy?: string | undefined;
  /** The name that the decision gave: a note, not checked. */
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
  /** Its place in a turn of several calls. */
  call?: number | undefined;
  thought: string;
  tool: string;
  args: JsonObject;
  /** The arguments that the loop proposed; set when a reviewer changed them. */
  proposed?: JsonObject | undefined;
  risk: Risk;
  /** Why it is unknown whether the call took effect; absent when it was not made. */
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
  /** The id of the call, such as `cancelPlan`, whichever way it came. */
  action: string;
  via: "http" | "websocket" | "mcp";
  /** What it was about: ids, names, and the choice that was made, such as `decision`. */
  on: Record<string, string>;
  /** The address of the client, or of the proxy before the gateway. */
  from: string;
  /** `done`, or the code of the refusal. */
  outcome: string;
  /** The hash of the entry before; zeros for the first. */
  previous: string;
  /** SHA-256 of the entry without this field, as canonical JSON. */
  hash: string;
};

export type Budget = {
  tokens?: number | undefined;
  usd?: number | undefined;
  seconds?: number | undefined;
  steps?: number | undefined;
  /** `end` with what there is, or `ask` a person for more and wait for the decision. */
  onExhausted: "end" | "ask";
};

export type BudgetInput = {
  readonly tokens?: number | undefined;
  readonly usd?: number | undefined;
  readonly seconds?: number | undefined;
  readonly steps?: number | undefined;
  /** `end` with what there is, or `ask` a person for more and wait for the decision. */
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
  /** As decisions and the audit log record it; absent where no credentials are needed. */
  identity?: string | undefined;
  /** The name that the identity provider gives, for display only. */
  name?: string | undefined;
  role: Role;
  /** What the request came with: an API key, a token of the identity provider, or a session of the page; `none` where none is needed. */
  credential: "none" | "key" | "token" | "session";
  /** When the token or the session expires. */
  expiresAt?: string | undefined;
  /** The calls that the role permits, by their ids in `/openapi.json`. */
  calls: string[];
  /** The decisions about approvals that the role permits; the policy may permit fewer. */
  decisions: ApprovalDecision[];
};

export type CallStarted = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "call.started";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
    pool?: string | undefined;
    attempt: number;
    /** The turn whose call it is; also the number of its effect key. */
    turn: number;
    /** Its place in a turn of several calls; then the effect key ends with `<turn>_<call>`. */
    call?: number | undefined;
    thought: string;
    tool: string;
    args: JsonObject;
    /** The arguments that the loop proposed; set when a reviewer changed them. */
    proposed?: JsonObject | undefined;
    effect: Effect;
    /** A reviewer allowed the call to be repeated; absent for the first time. */
    leave?: string | undefined;
    workerId: string;
  };
};

export type Cancelled = {
  planId: string;
  status: "cancelled";
};

export type CancelRequested = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "cancel.requested";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    reason: string;
    /** The identity of the key or user that asked; the tenant where no credentials are needed. */
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
  /** What of the list in `output` is kept as files: references into it lead to these. Absent where nothing is. */
  files?: CarriedFile[] | undefined;
  /** Why the output is incomplete. */
  partial?: string | undefined;
  /** How many items failed, of a step that ran for each of a list. */
  failedItems?: number | undefined;
  /** Files that it wrote; copies of them belong to the new plan. */
  artifacts: ArtifactRef[];
};

export type ClientMessageInput = {
  readonly id: MessageId;
  readonly type: "submit";
  /** As the body of `POST /v1/plans`. */
  readonly body: unknown;
  readonly idempotencyKey?: string | undefined;
  /** Watch the plan from its first event on. */
  readonly watch?: boolean | undefined;
} | {
  readonly id: MessageId;
  readonly type: "watch";
  readonly planId: string;
  /** The number of the last event already known. */
  readonly after?: number | undefined;
  /** `events`: every event. `view`: what changes in the plan's view. `facts` is the old name of `events`, deprecated. */
  readonly as?: "events" | "view" | "facts" | undefined;
} | {
  readonly id: MessageId;
  readonly type: "unwatch";
  readonly planId: string;
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
  /** With `approve`: all arguments that run instead of those shown; of a plan, the whole plan that runs instead; of a budget, by how much each limit is raised. */
  readonly edits?: Readonly<Record<string, unknown>> | undefined;
  /** A name, for the record: an unverified note. Where keys are set, the decision records the identity of the key. */
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
} | {
  readonly id: MessageId;
  readonly type: "answer";
  readonly planId: string;
  readonly approvalId: string;
  readonly answer: unknown;
  /** A name, for the record: an unverified note. Where keys are set, the decision records the identity of the key. */
  readonly by?: string | undefined;
};

export type Compensation = {
  /** What it is for, in words. */
  description: string;
  /** The tool that runs it, as `GET /v1/tools` names it. */
  tool: string;
  /** The tool's arguments; they may hold references. */
  args: JsonObject;
  /** The agent type, or the pool of workers, that runs it; otherwise the tool's own pool. */
  agent?: string | undefined;
  /** How long one attempt may take, in milliseconds; otherwise as the tool says. */
  timeoutMs?: number | undefined;
  /** `maxAttempts`, the first included, and `backoffMs` before the second; the wait doubles each time. */
  retry?: RetryPolicy | undefined;
};

export type ComposedUrl = {
  /** Where it stands among the arguments: `url`, `pages[2].href`. */
  argument: string;
  /** With the port, if it names one; absent when the URL is not known before the call. */
  host?: string | undefined;
  path?: string | undefined;
  /** Decoded, without the question mark. */
  query?: string | undefined;
};

export type CreatedKey = {
  /** Part of the key, and no secret. */
  id: string;
  /** `tenant/name`: whom decisions record. Several keys may share a name, such as an old key and its successor. */
  identity: string;
  role: Role;
  createdAt: string;
  /** The identity of the admin. */
  createdBy: string;
  /** To the hour; absent before the first use. */
  lastUsedAt?: string | undefined;
  /** The key is refused from then on. */
  expiresAt?: string | undefined;
  /** The key itself. It is shown only here: the gateway keeps a hash. */
  key: string;
};

export type CreateKeyBody = {
  /** Whose key it is: the identity is `tenant/name`. */
  name: string;
  role: Role;
  /** Never when absent. */
  expiresAt?: string | undefined;
};

export type DataRules = Record<string, TableRules>;

export type DataSources = {
  sources: SourceInfo[];
};

export type DeadLetter = {
  /** Its place in the stream; never used again. */
  id: string;
  /** Dead letters of one cause have one group. */
  group: string;
  /** What the message asked for; `unknown` for one that no dispatcher of this version sends. */
  kind: "step" | "draft" | "synthesis" | "review" | "facts" | "unknown";
  pool?: string | undefined;
  planId?: string | undefined;
  stepId?: string | undefined;
  attempt?: number | undefined;
  /** Of a step that runs for each item of a list; 0 for any other. */
  item?: number | undefined;
  /** The number of the draft or of the review. */
  number?: number | undefined;
  cause: string;
  deliveries: number;
  at: string;
};

export type DeadLetterDetail = {
  /** Its place in the stream; never used again. */
  id: string;
  /** Dead letters of one cause have one group. */
  group: string;
  /** What the message asked for; `unknown` for one that no dispatcher of this version sends. */
  kind: "step" | "draft" | "synthesis" | "review" | "facts" | "unknown";
  pool?: string | undefined;
  planId?: string | undefined;
  stepId?: string | undefined;
  attempt?: number | undefined;
  /** Of a step that runs for each item of a list; 0 for any other. */
  item?: number | undefined;
  /** The number of the draft or of the review. */
  number?: number | undefined;
  cause: string;
  deliveries: number;
  at: string;
  /** The message: decoded when it is JSON, as text otherwise; the first 100,000 characters. */
  payload: Json;
};

export type DeadLetterGroup = {
  group: string;
  /** What the message asked for; `unknown` for one that no dispatcher of this version sends. */
  kind: "step" | "draft" | "synthesis" | "review" | "facts" | "unknown";
  pool?: string | undefined;
  /** Without numbers, ids and quoted text. */
  cause: string;
  count: number;
  firstAt: string;
  lastAt: string;
  /** The newest of them. */
  sample: DeadLetter;
};

export type DeadLetterPage = {
  /** All dead letters, whatever the filters. */
  total: number;
  /** Of those that pass the filters; the largest groups first. */
  groups: DeadLetterGroup[];
  /** Newest first. */
  deadLetters: DeadLetter[];
  nextCursor?: string | undefined;
};

export type DecisionBody = {
  /** One of the approval's `choices`. */
  decision: ApprovalDecision;
  /** With `approve`: all arguments that run instead of those shown; of a plan, the whole plan that runs instead; of a budget, by how much each limit is raised. */
  edits?: JsonObject | undefined;
  /** With `happened`: the step's output; null without it. */
  output?: Json | undefined;
  /** With `answer`: the answer; one of the question's `choices` where it has any. */
  answer?: Json | undefined;
  /** A name, for the record: an unverified note. Where keys are set, the decision records the identity of the key. */
  by?: string | undefined;
  reason?: string | undefined;
};

export type DeleteRequested = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "delete.requested";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    /** The tenant whose plan it is. */
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
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "draft.abandoned";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    draft: number;
    /** `invalid`: the plan has faults; `interrupted`: its planner died; `model_failed`: no usable reply. */
    cause: "invalid" | "interrupted" | "model_failed";
    message: string;
    issues: Issue[];
    /** Whether another draft may do better. */
    retryable: boolean;
    /** Of `model_failed`: the model server did not answer, as often and as long as the settings allow. */
    unavailable?: true | undefined;
    /** The delay that the model server requested, in milliseconds. */
    retryAfterMs?: number | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
    /** Its allowance was too small for it. */
    allowanceSpent?: true | undefined;
  };
};

export type DraftStarted = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "draft.started";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    draft: number;
    /** What drafting does with the goal, and why that was chosen. */
    strategy: Strategy;
    strategyReason: string;
    workerId: string;
    /** The `seq` of the plan as the planner has read it. */
    seen?: number | undefined;
    /** The tools that it may use; absent in older logs. */
    tools?: string[] | undefined;
  };
};

export type Effect = "read" | "idempotent" | "once";

export type EffectView = {
  /** The idempotency key that the tool sends to its target; the same for all attempts of a step. */
  key: string;
  stepId: string;
  /** Of a step that runs for each of a list. */
  item?: number | undefined;
  /** Of a call inside a loop: its turn. */
  turn?: number | undefined;
  /** Of a call in a turn of several calls: its place, from 1. */
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
  /** What becomes of a call with a URL that a model composed after untrusted or private content had been read: it needs approval, runs, or is forbidden. */
  composedUrls: "approve" | "allow" | "deny";
  /** Hosts for which such URLs are free: exact names, or `*.example.com` for all below it. */
  hosts: string[];
};

export type EventPage = {
  planId: string;
  events: NumberedEvent[];
  /** Pass it as `after`; absent when there are no more events. */
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
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "fact.recorded";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    facts: FactClaim[];
    openQuestions: string[];
    /** Questions that the output answers, word for word. */
    answeredQuestions: string[];
    replacePlan?: ReplacedPlan | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
    /** Why nothing could be made of the output. */
    fault?: string | undefined;
  };
};

export type FactsPolicy = "off" | "large" | "all";

export type FactValue = string | number | boolean | null;

export type FactView = {
  key: string;
  value: FactValue;
  confidence: number;
  /** The step whose output says so. */
  stepId: string;
  item: number;
  /** The artifact that holds that output whole. */
  artifact?: string | undefined;
  /** Where in the output it stands. */
  source?: string | undefined;
  at: string;
  /** How often it was found. */
  claims: number;
  /** Conflicting claims that do not count, because they are older or less certain. */
  conflicts: ({
    value: FactValue;
    confidence: number;
    /** The step whose output says so. */
    stepId: string;
    item: number;
    /** The artifact that holds that output whole. */
    artifact?: string | undefined;
    /** Where in the output it stands. */
    source?: string | undefined;
    at: string;
  })[];
};

export type Feedback = {
  /** Counts the feedback to one plan from 1; the last one counts. */
  number: number;
  /** From 1, useless, to 5, just right. */
  rating: number;
  comment?: string | undefined;
  by: string;
  at: string;
};

export type FeedbackBody = {
  /** From 1, useless, to 5, exactly right. */
  rating: number;
  comment?: string | undefined;
  /** A name; an identity replaces it. */
  by?: string | undefined;
};

export type FeedbackGiven = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "feedback.given";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    /** Counts the feedback to one plan from 1; the last one counts. */
    number: number;
    /** From 1, useless, to 5, just right. */
    rating: number;
    comment?: string | undefined;
    by: string;
  };
};

export type FieldIssue = {
  /** The path of the field, such as `review.plan` or `tools[0]`. */
  field: string;
  /** What was wanted and what came. */
  message: string;
  /** Of a plan: the step that is at fault. */
  stepId?: string | undefined;
  /** Of a plan: the kind of fault, stable. */
  code?: string | undefined;
};

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
    /** Steps and plans whose planner is less sure than this need approval. */
    confidenceBelow?: number | undefined;
  } | undefined;
  /** The most that one plan may use, sub-plans included; a submission may ask for less. */
  maxBudget?: BudgetLimits | undefined;
  /** Who may approve, where no rule says so; every key of the tenant when absent. */
  approvers?: string[] | undefined;
  /** Whether the submitter of a plan may approve what it asks; true when absent. */
  submitterMayApprove?: boolean | undefined;
  /** The identities that may approve through MCP; none when absent. */
  mcpApprovers?: string[] | undefined;
  /** What becomes of URLs that a model composes after it has read content. */
  egress?: EgressRule | undefined;
  rules: ({
    /** Tool names; `*` stands for any characters, as in `email.*`. */
    tools: string[];
    /** A condition over the tool's arguments, such as `amount < 100`; without it the rule always matches. */
    when?: string | undefined;
    /** Tools whose outputs have reached the arguments, by name or pattern: the rule matches only then. */
    from?: string[] | undefined;
    /** Whether the call is forbidden. */
    deny?: boolean | undefined;
    /** Whether the call needs approval; `false` lifts what a later rule or `approval.risk` requires, never what the submission requires. */
    requireApproval?: boolean | undefined;
    /** Who may approve the call, by identity (`tenant` or `tenant/name` of a key); `*` stands for any characters. */
    approvers?: string[] | undefined;
    /** Whether the submitter of the plan may approve the call. */
    submitterMayApprove?: boolean | undefined;
  })[];
};

export type GoalSubmitted = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "goal.submitted";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    goal: string;
    /** Of a sub-plan: its goal before outputs of its parent's steps were put into it; absent when none were. */
    goalTemplate?: string | undefined;
    tenant: string;
    strategy: Strategy;
    plan?: PlanDocument | undefined;
    /** The grants of the tools that a submitted plan uses, by tool name. */
    grants: Record<string, ToolGrant>;
    constraints: string[];
    /** Beside the tenant's other plans; absent when it is normal, and in older goals. */
    priority?: Priority | undefined;
    tools?: string[] | undefined;
    sources?: string[] | undefined;
    /** Absent in goals that are older than approvals: nothing of theirs waits. */
    approval?: ApprovalPolicy | undefined;
    /** The installation's policy at the submission, which holds for the plan whatever becomes of the file; absent when there is none, and in older goals. */
    policy?: GatePolicy | undefined;
    /** What becomes of URLs that a model composes after it has read content; absent in older goals: nothing. */
    egress?: EgressRule | undefined;
    /** Of a sub-plan, of the fork of a revised plan, and of a re-run of either: the tools of other plans whose outputs have reached its goal or plan; absent when there are none. */
    derivedFrom?: Provenance | undefined;
    /** The identity of the key or user that submitted it; absent where no credentials are needed, and in older goals. */
    submittedBy?: string | undefined;
    review?: ReviewPolicy | undefined;
    /** How many steps a model may plan; absent when the submission does not say. */
    planSize?: PlanSize | undefined;
    /** A draft by a model with more steps waits for approval; absent in older goals: none does for its size. */
    unapprovedStepsMax?: number | undefined;
    maxReplans: number;
    /** Absent in older goals: false. */
    replanOnFailure?: boolean | undefined;
    /** Every sentence of the answer with a figure or a name must cite a source. */
    requireSources?: boolean | undefined;
    /** Absent in goals that are older than facts: none are kept. */
    facts?: FactsPolicy | undefined;
    /** Of the strategy `tree-search`; absent in goals that do not say, and in older ones. */
    search?: SearchSettings | undefined;
    /** Of the strategy `code`; absent in goals that do not say. */
    program?: {
      /** What the program is asked for in; a reply that names another language is run as that. */
      language: "javascript" | "typescript" | "python";
    } | undefined;
    budget?: StoredBudget | undefined;
    /** How the submitted text was cut, when the plan was made from one: its parts are in the steps. */
    inputCut?: {
      /** How many characters one call reads at most. */
      chunkChars: number;
      /** How many summaries one call puts together. */
      groupSize: number;
    } | undefined;
    /** False when the planner must not see earlier plans; absent otherwise. */
    learn?: false | undefined;
    /** Similar plans that had ended when it was submitted, for whoever drafts it; the most similar first. */
    pastPlans?: PastPlan[] | undefined;
    /** Of a plan that was forked: where it came from, and what it has from there. `plan` is then the rest. */
    fork?: ForkOrigin | undefined;
    carried?: CarriedStep[] | undefined;
    /** Of a plan that was run again: the plan whose submission it repeats, with or without edits. */
    rerunOf?: string | undefined;
    /** Of a plan that compensates a late effect of an ended plan: the attempt that caused it. */
    undoes?: {
      planId: string;
      stepId: string;
      attempt: number;
    } | undefined;
    /** Nothing of the plan is sent before this time. */
    startAt?: string | undefined;
    metadata: JsonObject;
    /** The step that started it; set for a sub-plan. */
    parent?: ParentStep | undefined;
    /** SHA-256 of the body, so that a repeated key with another body is told apart. */
    bodyHash: string;
    trace: PlanTrace;
  };
};

export type InputText = {
  text: string;
  /** How many characters one call reads at most. */
  chunkChars: number;
  /** How many summaries one call puts together. */
  groupSize: number;
};

export type InputTextInput = {
  readonly text: string;
  /** How many characters one call reads at most. */
  readonly chunkChars?: number | undefined;
  /** How many summaries one call puts together. */
  readonly groupSize?: number | undefined;
};

export type Issue = {
  code: string;
  /** Absent when the fault is the plan's, not one step's. */
  stepId?: string | undefined;
  /** Where in the step (`args.url`) or the plan (`answerFrom`). */
  field: string;
  message: string;
};

export type ItemView = {
  /** Its place in the list, from 0. */
  item: number;
  /** The entry of the list; left out when it is large. */
  value?: Json | undefined;
  status: "waiting" | "awaiting-approval" | "queued" | "running" | "succeeded" | "failed" | "cancelled";
  /** Why a waiting item has not started; `turn`: the maximum number of items is running. */
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
  /** The output ends early, because a model reached its length limit. */
  truncated?: true | undefined;
  error?: StepError | undefined;
  /** Failed attempts to reach the model server; absent while nothing is wrong. */
  modelTries?: ModelTries | undefined;
  /** Of an item that works in a loop: its thoughts, calls and observations, call by call; the calls of one turn share its number. */
  turns?: ({
    /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
    pool?: string | undefined;
    /** The attempt that took it. */
    attempt: number;
    /** Counts the step's turns from 1, over all attempts; also the number of the effect key. */
    turn: number;
    /** The place of the call in a turn that began with `turn.started`; absent in a turn of one call, or none. */
    call?: number | undefined;
    thought: string;
    /** Absent when the model's reply named no call. */
    tool?: string | undefined;
    args?: JsonObject | undefined;
    proposed?: JsonObject | undefined;
    /** What the call returned. */
    output?: StepOutput | undefined;
    /** Why there was no call, or what became of it. */
    error?: StepError | undefined;
    /** Its call has failed, and may have acted all the same. */
    uncertain?: true | undefined;
    at: string;
    /** A call of the turn under way that has no outcome yet; `at` is when its turn began. */
    open?: true | undefined;
  })[] | undefined;
  /** The sub-plan that its last attempt started. */
  child?: string | undefined;
  /** Why it was cancelled. */
  reason?: string | undefined;
};

export type JoinAbandoned = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "join.abandoned";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    join: number;
    /** `interrupted`: its reflector died; `allowance_spent`: the judgement takes more; `model_unavailable`: the model server did not answer. */
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
  /** Part of the key, and no secret. */
  id: string;
  /** `tenant/name`: whom decisions record. Several keys may share a name, such as an old key and its successor. */
  identity: string;
  role: Role;
  createdAt: string;
  /** The identity of the admin. */
  createdBy: string;
  /** To the hour; absent before the first use. */
  lastUsedAt?: string | undefined;
  /** The key is refused from then on. */
  expiresAt?: string | undefined;
};

export type KeyList = {
  /** The tenant's managed keys, the newest first, also those that have expired. */
  keys: KeyInfo[];
  /** The tenant's keys of PLANWRIGHT_API_KEYS, which only the operator of the gateway can change. */
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
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "log.damaged";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    reason: string;
    /** Who noticed. */
    by: string;
  };
};

export type MessageId = string | number;

export type Metrics = {
  from?: string | undefined;
  to: string;
  strategy?: PlannedBy | undefined;
  all: PlanMetrics;
  /** Of the strategies that had plans; `submitted` are plans that were submitted whole. */
  byStrategy: ({
    /** Plans that ended; sub-plans are part of the plan that started them. */
    plans: number;
    succeeded: number;
    /** Plans whose answer lacks something. */
    partial: number;
    /** Plans that ran well, and whose answer is that the goal is not supported or not valid. */
    refused: number;
    failed: number;
    cancelled: number;
    /** Succeeded, of those that succeeded, partially succeeded or failed; refused and cancelled plans do not count. */
    successRate: number | null;
    /** Succeeded without a change by a reviewer, of the same. */
    unaidedRate: number | null;
    /** Of plans that succeeded: from the submission, or the requested start, to the end. */
    timeToCompletionMs: {
      mean: number | null;
      p50: number | null;
      p95: number | null;
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
      /** Of the plans whose cost is known. */
      usd: number;
      plansUnknown: number;
      perPlan: number | null;
    };
    /** Of plans that a model drafted: the time until the first draft was complete. */
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
  period?: Period | undefined;
  /** Every period, oldest first, those without plans included; the first and last may be incomplete. */
  byPeriod?: ({
    /** Plans that ended; sub-plans are part of the plan that started them. */
    plans: number;
    succeeded: number;
    /** Plans whose answer lacks something. */
    partial: number;
    /** Plans that ran well, and whose answer is that the goal is not supported or not valid. */
    refused: number;
    failed: number;
    cancelled: number;
    /** Succeeded, of those that succeeded, partially succeeded or failed; refused and cancelled plans do not count. */
    successRate: number | null;
    /** Succeeded without a change by a reviewer, of the same. */
    unaidedRate: number | null;
    /** Of plans that succeeded: from the submission, or the requested start, to the end. */
    timeToCompletionMs: {
      mean: number | null;
      p50: number | null;
      p95: number | null;
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
      /** Of the plans whose cost is known. */
      usd: number;
      plansUnknown: number;
      perPlan: number | null;
    };
    /** Of plans that a model drafted: the time until the first draft was complete. */
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

export type ModelCheck = {
  role: string;
  /** Which of the role's fallback models it is, from 1; absent for the role's own. */
  fallback?: number | undefined;
  model: string;
  /** Scheme, host and port. */
  server: string;
  /** The model that the server names. */
  answeredBy?: string | undefined;
  /** The form of structured output that works; `prompt`: only the prompt asks for it. */
  format?: "json_schema" | "json_object" | "prompt" | undefined;
  latencyMs?: number | undefined;
  /** Whether the reply was JSON. */
  isJson?: boolean | undefined;
  /** OPENAI_API_KEY is set, and not sent to this server: the setting that would hold a key for it. */
  keyWithheld?: string | undefined;
  /** The cause and the fix; absent when the model answered. */
  error?: {
    code: string;
    message: string;
  } | undefined;
};

export type ModelChecks = {
  checks: ModelCheck[];
};

export type ModelFailed = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "model.failed";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    work: ModelWork;
    tries: ModelTries;
  };
};

export type ModelTries = {
  /** Numbers the reports of one piece of work, from 1. */
  report: number;
  /** Calls that failed in a row; those that met a server that was loading its model do not count. */
  calls: number;
  /** When the setting `MODEL_TRIES_MAX` ends it. */
  callsMax: number;
  /** When the server last showed a sign of life, or was first called. */
  since: string;
  /** What went wrong, as a sentence without a full stop. */
  message: string;
  /** The server says that it is loading the model. */
  loading?: true | undefined;
  /** The call has not failed yet: nothing has come of its reply so far. */
  silent?: true | undefined;
  /** When the next call is made; of a silent call, until when it is waited for at least. */
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
  via?: Via | undefined;
  /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
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
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "nodes.valued";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    /** The look at the results that this is. */
    join: number;
    /** Empty when they could not be valued, which ends the search. */
    values: ActionValue[];
    /** Why they could not be valued. */
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
  /** Absent unless spans were rejected. */
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
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "pause.requested";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    pause: number;
    reason: string;
    /** The identity of the key or user that asked; the tenant where no credentials are needed. */
    by: string;
  };
};

export type PendingApproval = {
  approvalId: string;
  kind: ApprovalKind;
  /** The question, as a sentence. */
  question: string;
  /** The step that waits; absent when the whole plan does. */
  stepId?: string | undefined;
  item?: number | undefined;
  /** It is about the step's compensation. */
  undo?: true | undefined;
  attempt?: number | undefined;
  tool?: string | undefined;
  risk?: Risk | undefined;
  /** The exact arguments, with every reference resolved. */
  args?: JsonObject | undefined;
  /** SHA-256 of `args`, or of the plan's steps, in canonical form: the approval holds for exactly these. */
  argsHash?: string | undefined;
  /** `policy`: the installation's policy requires the approval, whatever the submission says; `submission`: the submission alone does; `egress`: a model composed a URL after it had read content. Absent where it is asked for another reason. */
  requiredBy?: "policy" | "submission" | "egress" | undefined;
  /** The URLs among the arguments that a model composed after untrusted or private content had been read: where they go, and what they tell. Absent when there are none, and in older logs. */
  composedUrls?: ComposedUrl[] | undefined;
  /** The identities that may approve it, by the installation's policy; any key of the tenant when absent. */
  approvers?: string[] | undefined;
  /** The submitter of the plan may not approve it. */
  submitterMayApprove?: false | undefined;
  /** The tools whose outputs have reached the arguments, or had been read by the model that wrote them; absent when there are none, and in older logs. */
  argumentsFrom?: Provenance | undefined;
  /** Where each argument comes from, by who wrote it and what had reached it; absent in older logs, and where a person is only asked a question. */
  argumentOrigins?: ({
    /** Its name. */
    argument: string;
    /** Who wrote it, or the reference in it: the user, in a submitted plan; a model; or another plan, whose sub-plan, fork or follow-up this is. */
    author: "user" | "model" | "plan";
    /** The tools whose outputs have reached it, or had been read by the model that wrote it; absent when there are none. */
    tools?: string[] | undefined;
    /** What those outputs may hold: what is on the public web, or what is not for others. Absent when they hold only what the plan itself said. */
    content?: "web" | "private" | undefined;
  })[] | undefined;
  /** Further details for the decision; they depend on `kind`. */
  details?: JsonObject | undefined;
  /** Without a decision it is rejected this long after it was requested. */
  expiresAfterMs: number;
  /** `withdrawn`: its step or plan ended before anyone decided. */
  status: "pending" | "decided" | "expired" | "withdrawn";
  /** The decisions that it accepts. */
  choices: ApprovalDecision[];
  requestedAt: string;
  expiresAt: string;
  decision?: ApprovalDecision | undefined;
  edits?: JsonObject | undefined;
  answer?: Json | undefined;
  /** The identity that decided; `timer` when it expired. */
  decidedBy?: string | undefined;
  /** The name that the decision gave: a note, not checked. */
  signedAs?: string | undefined;
  decidedAt?: string | undefined;
  reason?: string | undefined;
  planId: string;
  goal: string;
};

export type PendingApprovals = {
  /** All pending approvals, listed here or not. */
  total: number;
  /** Those that have waited longest first. */
  approvals: PendingApproval[];
};

export type Period = "hour" | "day" | "week";

export type PlanArchived = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.archived";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    /** Where the plan's first and last message stood in the stream. */
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
  /** Empty when the plan is valid. */
  issues: Issue[];
};

export type PlanCount = {
  count: number;
  /** Whether there are more than were counted. */
  more: boolean;
};

export type PlanCounts = {
  /** One for each `of`, in their order. */
  counts: PlanCount[];
};

export type PlanDeleted = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.deleted";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    tenant: string;
    /** By which the spans are found that were kept; absent when nothing knew it. */
    trace?: PlanTrace | undefined;
  };
};

export type PlanDocument = {
  steps: Step[];
  /** The step whose output is the answer; no model is asked for one. */
  answerFrom?: string | undefined;
  /** Why the plan is as it is. */
  reasoning?: string | undefined;
  /** How sure the planner is that this is the right plan, from 0 to 1. */
  confidence?: number | undefined;
};

export type PlanEnded = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.ended";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    outcome: Outcome;
    reason: string;
    /** The number of events before this one when the plan's end was decided; with fewer, events are missing. */
    facts?: number | undefined;
  };
};

export type PlanEvent =
  | GoalSubmitted
  | CancelRequested
  | PauseRequested
  | ResumeRequested
  | DraftStarted
  | StepPlanned
  | PlanSealed
  | PlanRevised
  | DraftAbandoned
  | StepStarted
  | StepSucceeded
  | StepFailed
  | StepInterrupted
  | StepAsked
  | StepSkipped
  | StepReviewed
  | PlanReviewed
  | StepExpanded
  | AnswerReviewed
  | AnswerDrafted
  | ApprovalRequested
  | ApprovalDecided
  | FactRecorded
  | TurnStarted
  | CallStarted
  | TurnTaken
  | AnswerGiven
  | RevisionRequested
  | JoinAbandoned
  | NodesValued
  | ModelFailed
  | PlanEnded
  | TimerFired
  | PlanArchived
  | DeleteRequested
  | PlanDeleted
  | RedriveRequested
  | LogDamaged
  | FeedbackGiven;

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
  strategy: PlannedBy;
  outcome: "succeeded" | "partial" | "failed" | "cancelled" | "refused";
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
  /** `open`: every plan that has not ended. */
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
  /** How the plan came about; `submitted` are plans that were submitted whole. */
  readonly strategy?: PlannedBy | undefined;
  /** Submitted at this time or later. */
  readonly since?: string | undefined;
  /** `approval`: only plans that wait for a reviewer. `person` is its old name, deprecated. */
  readonly needs?: "approval" | "person" | undefined;
  /** The plan whose sub-plans are wanted. */
  readonly parent?: string | undefined;
  /** Words of the goal, the metadata or the id; each must occur, or a word that begins so. */
  readonly q?: string | undefined;
};

export type PlanMetrics = {
  /** Plans that ended; sub-plans are part of the plan that started them. */
  plans: number;
  succeeded: number;
  /** Plans whose answer lacks something. */
  partial: number;
  /** Plans that ran well, and whose answer is that the goal is not supported or not valid. */
  refused: number;
  failed: number;
  cancelled: number;
  /** Succeeded, of those that succeeded, partially succeeded or failed; refused and cancelled plans do not count. */
  successRate: number | null;
  /** Succeeded without a change by a reviewer, of the same. */
  unaidedRate: number | null;
  /** Of plans that succeeded: from the submission, or the requested start, to the end. */
  timeToCompletionMs: {
    mean: number | null;
    p50: number | null;
    p95: number | null;
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
    /** Of the plans whose cost is known. */
    usd: number;
    plansUnknown: number;
    perPlan: number | null;
  };
  /** Of plans that a model drafted: the time until the first draft was complete. */
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
  status: string;
  strategy?: PlannedBy | undefined;
  outcome?: Outcome | undefined;
  answerStatus?: AnswerStatus | undefined;
  submittedAt: string;
  endedAt?: string | undefined;
  done: number;
  total: number;
  percent: number;
  seq: number;
  figures?: PlanFigures | undefined;
  lesson?: Lesson | undefined;
};

export type PlanPage = {
  /** Newest first. */
  plans: PlanSummary[];
  /** Absent on the last page. */
  nextCursor?: string | undefined;
};

export type PlanReviewed = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.reviewed";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    /** Drafts of plans and drafts of answers each have a count of their own, from 1. */
    draft: number;
    /** The number of this review of the draft, from 1. */
    review: number;
    verdict: Verdict;
    /** How good it is, from 0 to 1. */
    score?: number | undefined;
    /** How sure the judge is, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** What would make it better; "" when nothing is said. */
    suggestion: string;
    /** Of `unjudged`: why, and whether another review may help. */
    message?: string | undefined;
    cause?: "interrupted" | "allowance_spent" | "model_failed" | "model_unavailable" | "unusable" | undefined;
    /** The delay that the model server requested, in milliseconds. */
    retryAfterMs?: number | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
  };
};

export type PlanRevised = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.revised";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    draft: number;
    revision: number;
    /** Absent in older logs: `results`. */
    cause?: RevisionCause | undefined;
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
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "plan.sealed";
  planId: string;
  /** When its writer wrote it. */
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
  /** The fewest steps of the first draft. */
  min?: number | undefined;
  /** The most steps of the plan, revisions included. */
  max?: number | undefined;
};

export type PlanSizeInput = {
  /** The fewest steps of the first draft. */
  readonly min?: number | undefined;
  /** The most steps of the plan, revisions included. */
  readonly max?: number | undefined;
};

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

/** `submitted` for a plan that was submitted whole; `auto` until a strategy is chosen. */
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

/** A plan as lists show it. */
export type PlanSummary = {
  planId: string;
  /** Its first 500 characters. */
  goal: string;
  status: PlanStatus;
  /** Whether the plan has ended, whatever its status is called. */
  ended: boolean;
  outcome?: Outcome | undefined;
  /** Of the answer, once there is one. */
  answerStatus?: AnswerStatus | undefined;
  /** How the plan came about. */
  strategy?: PlannedBy | undefined;
  /** The plan whose sub-plan this is. */
  parent?: string | undefined;
  submittedAt: string;
  endedAt?: string | undefined;
  progress: {
    done: number;
    total: number;
    percent: number;
  };
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
  /** Whether the plan has ended: nothing of it changes any more, whatever its status is called. */
  ended: boolean;
  outcome?: Outcome | undefined;
  /** Set while the plan is paused. */
  pause?: {
    reason: string;
    by: string;
    at: string;
    /** When the plan resumes by itself; absent when a user has to resume it. */
    until?: string | undefined;
  } | undefined;
  /** Failed attempts to reach the model server for the call that the plan waits for; absent while nothing is wrong. */
  modelTries?: ModelTries | undefined;
  /** When it will start, until it has. */
  startsAt?: string | undefined;
  /** Why it ended as it did. */
  reason?: string | undefined;
  /** The number of the last event in this view; pass it as `Last-Event-ID` or `after` to continue from here. */
  seq: number;
  /** The step that started the plan; set for a sub-plan. */
  parent?: ParentStep | undefined;
  revision: number;
  /** `submitted` for a plan that was submitted whole; `auto` until a strategy is chosen. */
  strategy: PlanStrategy;
  strategyReason?: string | undefined;
  constraints: string[];
  /** How many steps a model may plan; absent when the submission does not say. */
  planSize?: PlanSize | undefined;
  /** Beside the tenant's other plans; absent when it is normal. */
  priority?: Priority | undefined;
  /** Whether each sentence of the answer with a figure or a name must cite a source; absent when not. */
  requireSources?: boolean | undefined;
  metadata: JsonObject;
  submittedAt: string;
  updatedAt: string;
  endedAt?: string | undefined;
  /** When this view was made, by the server's clock: count elapsed times from here. Of an earlier state of the plan, when its last event was written. Absent once the plan has ended. */
  viewedAt?: string | undefined;
  draft: {
    number: number;
    phase: string;
    issues: Issue[];
  };
  steps: StepView[];
  /** Complete ones, oldest first. */
  revisions: ({
    /** Counts from 1. */
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
    /** The step that gave cause for it. */
    causedBy?: string | undefined;
    /** Steps with a result, and steps that continue. */
    kept: string[];
    /** Steps without a result; those in flight were cancelled. */
    dropped: string[];
    added: string[];
    at: string;
  })[];
  /** Reviews of the first draft and of its improvement, before they ran; absent without any. */
  planReviews?: ({
    verdict: Verdict;
    /** How good it is, from 0 to 1. */
    score?: number | undefined;
    /** How sure the judge is, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** What would make it better; "" when nothing is said. */
    suggestion: string;
    /** Why there is no judgement. */
    message?: string | undefined;
    /** The draft that was reviewed. */
    draft: number;
    at: string;
  })[] | undefined;
  /** Reviews of drafts of the answer, oldest first; absent without any. */
  answerReviews?: ({
    verdict: Verdict;
    /** How good it is, from 0 to 1. */
    score?: number | undefined;
    /** How sure the judge is, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** What would make it better; "" when nothing is said. */
    suggestion: string;
    /** Why there is no judgement. */
    message?: string | undefined;
    /** The draft that was reviewed. */
    draft: number;
    at: string;
    /** The start of the reviewed text. */
    text: string;
  })[] | undefined;
  answerFrom?: string | undefined;
  reasoning?: string | undefined;
  /** How sure the planner is of the plan, from 0 to 1. */
  confidence?: number | undefined;
  progress: {
    done: number;
    total: number;
    percent: number;
    etaMs: number | null;
  };
  /** The chain of steps that decides when the plan ends: of an open plan the one with most time left, through the step that holds it up; of an ended one the chain that took longest. `durationMs` is what its steps have taken so far. */
  criticalPath: {
    stepIds: string[];
    durationMs: number;
  };
  usage: Usage;
  /** Of the strategy `tree-search`: the whole tree, and its best path. */
  search?: SearchView | undefined;
  /** Oldest first. */
  approvals: ApprovalView[];
  /** The effect ledger: each attempt of a step that changes something. Outcomes that arrive after the plan's end are recorded only here. */
  effects: EffectView[];
  /** The facts ledger: by key, in the order in which they were recorded. */
  facts: FactView[];
  openQuestions: {
    question: string;
    stepId: string;
    at: string;
  }[];
  /** Claims that did not fit into the ledger, and outputs that the budget did not allow to be read. */
  factsLeftOut: number;
  budget?: {
    limit: BudgetLimits;
    /** Used so far: measured, or forfeited by calls and workers that never reported back. */
    used: {
      tokens?: number | undefined;
      usd?: number | undefined;
      seconds?: number | undefined;
      steps?: number | undefined;
    };
    /** How much of `used` was forfeited. */
    forfeited: {
      tokens?: number | undefined;
      usd?: number | undefined;
      seconds?: number | undefined;
      steps?: number | undefined;
    };
    /** Set aside for work in flight. */
    reserved: {
      tokens?: number | undefined;
      usd?: number | undefined;
      seconds?: number | undefined;
      steps?: number | undefined;
    };
    /** Neither used nor reserved; never less than nothing. */
    remaining: {
      tokens?: number | undefined;
      usd?: number | undefined;
      seconds?: number | undefined;
      steps?: number | undefined;
    };
    /** Projected use of the whole plan at the rate of its settled steps; absent until a step has settled. */
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
  /** The installation's policy that holds for the plan, recorded at its submission: what it requires holds whatever the submission says. Absent when there is none. */
  policy?: GatePolicy | undefined;
  /** The identity of the key that submitted the plan; absent where no keys are set. */
  submittedBy?: string | undefined;
  /** In the order in which they run: the step that succeeded last is compensated first. */
  compensations: ({
    stepId: string;
    /** What it is for, in words. */
    description: string;
    /** The tool that runs it, as `GET /v1/tools` names it. */
    tool: string;
    /** The tool's arguments; they may hold references. */
    args: JsonObject;
    /** The agent type, or the pool of workers, that runs it; otherwise the tool's own pool. */
    agent?: string | undefined;
    /** How long one attempt may take, in milliseconds; otherwise as the tool says. */
    timeoutMs?: number | undefined;
    /** `maxAttempts`, the first included, and `backoffMs` before the second; the wait doubles each time. */
    retry?: RetryPolicy | undefined;
    /** The idempotency key that the tool sends to its target; the same for all attempts. */
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
    /** The output ends early, because a model reached its length limit. */
    truncated?: true | undefined;
    error?: StepError | undefined;
    /** Failed attempts to reach the model server; absent while nothing is wrong. */
    modelTries?: ModelTries | undefined;
  })[];
  answer?: Answer | undefined;
  /** Where the plan was forked from. */
  fork?: ForkOrigin | undefined;
  /** The plan that this one runs again. */
  rerunOf?: string | undefined;
  /** Of a plan that compensates a late effect of another plan: that plan, step and attempt. */
  undoes?: {
    planId: string;
    stepId: string;
    attempt: number;
    /** Nothing is stored of that plan any more; absent otherwise. */
    deleted?: true | undefined;
  } | undefined;
  /** The rating by a user; the last one counts. */
  feedback?: Feedback | undefined;
  artifacts: ArtifactRef[];
  /** Why the plan's log cannot be trusted; absent when nothing is known to be missing from it. */
  damage?: string | undefined;
};

export type PoolQueue = {
  pool: string;
  /** Queue depth: steps that no worker has received yet, those included that planners hold until a slot is free. */
  queued: number;
  /** Messages that workers hold, or that wait to be delivered again. */
  delivered: number;
  /** Since when the oldest of them has been queued; absent when none is, or many pools have queues. */
  oldestAt?: string | undefined;
};

/** The plan that a submission would run. */
export type Preview = {
  steps: Step[];
  /** The step whose output is the answer; no model is asked for one. */
  answerFrom?: string | undefined;
  /** Why the plan is as it is. */
  reasoning?: string | undefined;
  criticalPath: {
    stepIds: string[];
    /** Milliseconds; null when the time of one of its steps is unknown. */
    durationMs: number | null;
  };
  /** At least: calls of the steps, and one for the answer unless a step gives it. */
  modelCalls: number;
  /** What running the plan is expected to take; drafting it is in `usage`. */
  running?: RunEstimate | undefined;
  strategy: PlanStrategy;
  strategyReason?: string | undefined;
  /** What drafting cost; absent when nothing was drafted. */
  usage?: Usage | undefined;
};

export type Priority = "low" | "normal" | "high";

/** A refusal, by RFC 9457. */
export type ProblemBody = {
  /** `urn:planwright:problem:` and the code. */
  type: string;
  /** The meaning of the code. */
  title: string;
  status: number;
  /** Stable: decide by it. */
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
  /** What was wanted and what came, for users. */
  detail: string;
  /** Every fault, where there may be several. */
  issues?: FieldIssue[] | undefined;
  /** When to try again; as `Retry-After`. */
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
  /** Their names, in alphabetical order. */
  tools: string[];
  /** Whether other tools may be among them: a parent does not know what its sub-plans call. */
  isOpen: boolean;
};

export type Quota = {
  /** Whether all keys of the tenant share it. */
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
  /** When the use starts again from zero; absent where plans have to end first. */
  resetsAt?: string | undefined;
};

export type QuotaList = {
  /** Those that are set; empty when nothing is limited. */
  quotas: Quota[];
};

export type Ready = {
  ready: boolean;
  /** What is missing; empty when the system is ready. */
  missing: string[];
};

export type RedriveRequested = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "redrive.requested";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** It is the step's compensation that is run. */
    undo?: true | undefined;
    by: string;
  };
};

export type ReplacedPlan = {
  steps: string[];
  reason: string;
};

export type ResumeRequested = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "resume.requested";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    pause: number;
    /** The identity of the key or user that asked; the tenant where no credentials are needed. */
    by: string;
  };
};

export type Retried = {
  id: string;
  planId: string;
  stepId: string;
  /** The attempt that is made of it. */
  attempt: number;
};

export type RetriedMany = {
  retried: number;
  refused: {
    id: string;
    code: string;
    message: string;
  }[];
  /** Dead letters that were not looked at: send the request again. */
  left: number;
};

export type RetryPolicy = {
  maxAttempts?: number | undefined;
  backoffMs?: number | undefined;
};

export type ReviewPolicy = {
  /** The first draft is judged before anything of it runs; one that is rejected is improved once. */
  plan: boolean | {
    /** The improved draft is judged too. It runs whatever is said of it. */
    again: boolean;
  };
  /** The answer is judged before it is given, and written again with what was said of it: `maxIterations` (3). */
  answer: boolean | {
    /** Drafts in all, the first included; each is judged. The best one is kept. */
    maxIterations: number;
  };
  /** Each step with `successCriteria` or `expectedOutput` is judged by them; one that misses them has the plan revised. */
  steps: boolean;
};

export type ReviewPolicyInput = {
  /** The first draft is judged before anything of it runs; one that is rejected is improved once. */
  readonly plan?: boolean | {
    /** The improved draft is judged too. It runs whatever is said of it. */
    readonly again?: boolean | undefined;
  } | undefined;
  /** The answer is judged before it is given, and written again with what was said of it: `maxIterations` (3). */
  readonly answer?: boolean | {
    /** Drafts in all, the first included; each is judged. The best one is kept. */
    readonly maxIterations?: number | undefined;
  } | undefined;
  /** Each step with `successCriteria` or `expectedOutput` is judged by them; one that misses them has the plan revised. */
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
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "revision.requested";
  planId: string;
  /** When its writer wrote it. */
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
  /** The longest chain of its steps, in milliseconds, those of unknown time taken for nothing; null when the time of none is known. */
  durationMs: number | null;
  /** US dollars of the steps whose cost is known; null when that of none is. */
  costUsd: number | null;
  /** Of the steps whose use of models is known. */
  inputTokens: number;
  outputTokens: number;
  /** Steps that run when nothing goes wrong: all but those that stand in for others. */
  steps: number;
  /** Those of them whose time is known. */
  stepsTimed: number;
  /** Those of them whose cost is known. */
  stepsPriced: number;
  /** Earlier runs of such steps, of the same tenant, that the figures come from. */
  runs: number;
  /** Whether a step gives the answer. Otherwise a model does, which comes on top. */
  answered: boolean;
};

export type SearchSettings = {
  /** How many rounds of proposing, trying and valuing actions there are at most. */
  iterations: number;
  /** How many actions are proposed and tried in a round. */
  width: number;
  /** How many actions a path has at most. */
  depth: number;
  /** The weight of what has been tried little against what was valued highly. */
  exploration: number;
};

export type SearchSettingsInput = {
  /** How many rounds of proposing, trying and valuing actions there are at most. */
  readonly iterations?: number | undefined;
  /** How many actions are proposed and tried in a round. */
  readonly width?: number | undefined;
  /** How many actions a path has at most. */
  readonly depth?: number | undefined;
  /** The weight of what has been tried little against what was valued highly. */
  readonly exploration?: number | undefined;
};

export type SearchView = {
  settings: SearchSettings;
  phase: "expanding" | "valuing" | "answering";
  /** Each with the node that was selected; none for the root. */
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
    /** The action that it follows; absent below the root. */
    parent?: string | undefined;
    depth: number;
    round: number;
    /** `failed`: it did not succeed. `solved`: the goal is reached with it. `refuted`: it only seemed so. */
    status: "open" | "failed" | "solved" | "refuted";
    visits: number;
    /** Its own value, from 0 to 1, and why. */
    value: number;
    reason: string;
    /** Of its own value and those of all nodes below it. */
    meanValue: number;
    /** The score that decides which sibling is expanded next; null before it is valued. */
    uct: number | null;
  })[];
  bestPath: string[];
};

export type SecretUse = {
  /** As in `{{secret.NAME}}`. */
  name: string;
  /** The arguments that may contain the reference, such as `headers.authorization`; `*` stands for any one key or index. */
  arguments: string[];
  /** The only hosts that such a call may connect to: `api.example.com` (https), `*.example.com` for those below it, with a port if it is another, `http://` before it if it is not encrypted. */
  hosts?: string[] | undefined;
  /** Calls of agent loops and programs may use it too, not only the steps of a plan. */
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
  type: "resync";
  planId: string;
  plan: PlanView;
} | {
  type: "error";
  /** Absent when the message had none. */
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
  /** Where the user ends the session with the identity provider; absent where there is no such page. */
  url?: string | undefined;
};

export type SignInOptions = {
  /** Whether the gateway accepts API keys. */
  keys: boolean;
  /** Absent where users cannot sign in with an identity provider. */
  oidc?: {
    issuer: string;
    /** Where a browser begins to sign in. `?return=/plans/p1` names the path of the page to return to. */
    path: string;
  } | undefined;
};

export type SourceFromConfig = {
  name: string;
  /** A file of PLANWRIGHT_UPLOADS, by its source's name, or a source of the executors' configuration, which exists already and keeps its name. */
  fromConfig: string;
};

export type SourceInfo = {
  name: string;
  kind: "csv" | "sqlite";
  /** `upload`: your own, which no other tenant sees. `configuration`: the installation's, which every tenant sees: files of PLANWRIGHT_UPLOADS and the configuration of executors. */
  origin: "upload" | "configuration";
  /** Whether plans may change it. */
  writable: boolean;
  /** What every change of it must satisfy, by table. */
  rules?: DataRules | undefined;
  /** Absent until an executor has read it. */
  tables?: ({
    name: string;
    /** Null for a view. */
    rows: number | null;
    columns: ({
      name: string;
      /** `integer`, `real`, `text`, `date`, `datetime`, or the type that a SQLite file declares. */
      type: string;
      /** A few values. */
      samples: (string | number | null)[];
      /** The samples are all values that occur. */
      complete?: boolean | undefined;
      /** Every row has a value of its own. */
      unique?: boolean | undefined;
      /** How many rows have no value. */
      empty?: number | undefined;
      /** The lowest number or the earliest date. */
      min?: string | number | undefined;
      /** The highest number or the latest date. */
      max?: string | number | undefined;
      /** The CSV file's header, where the name differs. */
      header?: string | undefined;
    })[];
  })[] | undefined;
  /** Why an executor cannot read it. */
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
  /** What the sender left out of this span; absent when it left nothing out. */
  dropped?: {
    attributes: number;
    events: number;
    links: number;
  } | undefined;
};

export type Step = {
  /** 1 to 64 letters, digits, underscores or hyphens. */
  id: string;
  /** What it is for, in words. */
  description: string;
  /** The tool that runs it, as `GET /v1/tools` names it. */
  tool: string;
  /** The tool's arguments; they may hold references. */
  args: JsonObject;
  /** Steps to wait for besides those that the arguments refer to. */
  dependsOn: string[];
  /** A condition over results, such as `s1.output.total > 100 and s2.output.status == "ok"`; when it does not hold, the step is skipped, and those that need it go on without it. */
  when?: string | undefined;
  /** A reference to a list, or a list: the step runs once for each item, which its arguments refer to as `{"$ref": "item"}` or `{{item.name}}`. Its output is the list of the results. */
  forEach?: Record<"$ref", string> | Json[] | undefined;
  /** The step that this one checks. That one's output reaches nothing else before; when this one fails, or its output is false, or says so in `ok`, `passed`, `valid`, `approved` or `value`, that one fails. */
  verifies?: string | undefined;
  /** A step that runs only when this one fails for good; what needs this one then gets the output of that one. */
  fallback?: string | undefined;
  /** When the step has done its job, in words. */
  successCriteria?: string | undefined;
  /** What its output should look like, in words. */
  expectedOutput?: string | undefined;
  /** Has the output judged, and the step tried again with what was said of it: `maxIterations` (3), `onMiss`. */
  review?: StepReview | undefined;
  /** What undoes the step when the plan fails or is cancelled: `tool`, `args` and, as for a step, `agent`, `timeoutMs`, `retry`. */
  compensate?: Compensation | undefined;
  /** The agent type, or the pool of workers, that runs it; otherwise the tool's own pool. */
  agent?: string | undefined;
  /** The model that its tool should use, if any. */
  model?: string | undefined;
  /** How long one attempt may take, in milliseconds; otherwise as the tool says. */
  timeoutMs?: number | undefined;
  /** `maxAttempts`, the first included, and `backoffMs` before the second; the wait doubles each time. */
  retry?: RetryPolicy | undefined;
  /** How sure the planner is that this is the right step, from 0 to 1. */
  confidence?: number | undefined;
};

export type StepAsked = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "step.asked";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** It is the step's compensation that is run. */
    undo?: true | undefined;
    via?: Via | undefined;
    /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
    pool?: string | undefined;
    workerId: string;
    startedAt: string;
    durationMs: number;
    usage?: Usage | undefined;
    /** Possible further use besides `usage`; counts as used. */
    forfeited?: Forfeit | undefined;
    /** Of a sub-plan: how many attempts it has sent to workers. */
    stepsSent?: number | undefined;
    /** Of a sub-plan: what it did, for the figures of the plan that asked for it; absent in older logs. */
    tally?: PlanTally | undefined;
    call: AskedCall;
  };
};

export type StepError = {
  code: string;
  message: string;
  /** Of a step whose sub-plan failed because of one of its steps. */
  leaf?: {
    planId: string;
    /** Below the step that ran the sub-plan, level by level; the last one failed. */
    path: string[];
    message: string;
  } | undefined;
};

export type StepExpanded = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "step.expanded";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    items: number;
  };
};

export type StepFailed = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "step.failed";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** It is the step's compensation that is run. */
    undo?: true | undefined;
    via?: Via | undefined;
    /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
    pool?: string | undefined;
    workerId: string;
    startedAt: string;
    durationMs: number;
    usage?: Usage | undefined;
    /** Possible further use besides `usage`; counts as used. */
    forfeited?: Forfeit | undefined;
    /** Of a sub-plan: how many attempts it has sent to workers. */
    stepsSent?: number | undefined;
    /** Of a sub-plan: what it did, for the figures of the plan that asked for it; absent in older logs. */
    tally?: PlanTally | undefined;
    error: StepError;
    retryable: boolean;
    /** The delay that the other side requested, in milliseconds. */
    retryAfterMs?: number | undefined;
    /** How far its calls of a model server that fails have come in their limits: the next attempt continues the count. */
    modelTries?: ModelTries | undefined;
    /** The attempt failed, and may have acted all the same. Repeating it does no harm where it is retryable. */
    uncertain?: boolean | undefined;
  };
};

export type StepInterrupted = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "step.interrupted";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** It is the step's compensation that is run. */
    undo?: true | undefined;
    /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
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
  /** How long the lists in it are, by the keys that lead to each. */
  lists?: Record<string, number> | undefined;
};

export type StepPlanned = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "step.planned";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    draft: number;
    /** Position in the draft, from 0. */
    index: number;
    step: Step;
    grant: ToolGrant;
    /** Of the tool that undoes the step. */
    compensateGrant?: ToolGrant | undefined;
  };
};

export type StepReview = {
  /** Drafts in all, the first included; each is judged. The best one is kept. */
  maxIterations: number;
  /** When no draft is approved: `keep` the best one, or fail the step and `revise` the plan. */
  onMiss: "keep" | "revise";
};

export type StepReviewed = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "step.reviewed";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    /** The attempt whose output was reviewed. */
    attempt: number;
    /** The number of this review of the attempt, from 1. */
    review: number;
    verdict: Verdict;
    /** How good it is, from 0 to 1. */
    score?: number | undefined;
    /** How sure the judge is, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** What would make it better; "" when nothing is said. */
    suggestion: string;
    /** Of `unjudged`: why, and whether another review may help. */
    message?: string | undefined;
    cause?: "interrupted" | "allowance_spent" | "model_failed" | "model_unavailable" | "unusable" | undefined;
    /** The delay that the model server requested, in milliseconds. */
    retryAfterMs?: number | undefined;
    usage: Usage;
    forfeited?: Forfeit | undefined;
    /** The output is right, and shows that the rest of the plan is not. */
    replan?: true | undefined;
  };
};

export type StepSkipped = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "step.skipped";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepIds: string[];
    /** The failed step that they depend on, directly or through others; or the reason why they are not needed. */
    because: string;
    reason: string;
    /** They do not have to run: a condition does not hold. Those that need them go on without their outputs. */
    passedOver?: true | undefined;
  };
};

export type StepStarted = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "step.started";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** It is the step's compensation that is run. */
    undo?: true | undefined;
    via?: Via | undefined;
    /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
    pool?: string | undefined;
    workerId: string;
    /** How often the attempt's message had been delivered; more than 1 when an earlier worker was lost. */
    delivery: number;
    /** The work message's place in its stream; absent in older logs. */
    message?: number | undefined;
    /** The sub-plan that the step hands its work to. */
    subPlan?: string | undefined;
  };
};

export type StepSucceeded = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "step.succeeded";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    attempt: number;
    /** It is the step's compensation that is run. */
    undo?: true | undefined;
    via?: Via | undefined;
    /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
    pool?: string | undefined;
    workerId: string;
    startedAt: string;
    durationMs: number;
    usage?: Usage | undefined;
    /** Possible further use besides `usage`; counts as used. */
    forfeited?: Forfeit | undefined;
    /** Of a sub-plan: how many attempts it has sent to workers. */
    stepsSent?: number | undefined;
    /** Of a sub-plan: what it did, for the figures of the plan that asked for it; absent in older logs. */
    tally?: PlanTally | undefined;
    output: StepOutput;
    /** Files that the step wrote. */
    artifacts: ArtifactRef[];
    /** Facts that its tool recorded; its output is then not read for others. */
    facts?: FactClaim[] | undefined;
    /** Why the output is incomplete; absent when it is complete. */
    partial?: string | undefined;
    /** The step has found out that the plan has to change. */
    replan?: {
      reason: string;
    } | undefined;
    /** Its output is that of an equal call of the same plan: its own was not made. */
    reused?: true | undefined;
    /** Its output ends early, because a model reached its length limit. */
    truncated?: true | undefined;
    /** The follow-up step that the same worker has gone on with. */
    next?: string | undefined;
  };
};

export type StepView = {
  /** 1 to 64 letters, digits, underscores or hyphens. */
  id: string;
  /** What it is for, in words. */
  description: string;
  /** The tool that runs it, as `GET /v1/tools` names it. */
  tool: string;
  /** The tool's arguments; they may hold references. */
  args: JsonObject;
  /** Steps to wait for besides those that the arguments refer to. */
  dependsOn: string[];
  /** A condition over results, such as `s1.output.total > 100 and s2.output.status == "ok"`; when it does not hold, the step is skipped, and those that need it go on without it. */
  when?: string | undefined;
  /** A reference to a list, or a list: the step runs once for each item, which its arguments refer to as `{"$ref": "item"}` or `{{item.name}}`. Its output is the list of the results. */
  forEach?: Record<"$ref", string> | Json[] | undefined;
  /** The step that this one checks. That one's output reaches nothing else before; when this one fails, or its output is false, or says so in `ok`, `passed`, `valid`, `approved` or `value`, that one fails. */
  verifies?: string | undefined;
  /** A step that runs only when this one fails for good; what needs this one then gets the output of that one. */
  fallback?: string | undefined;
  /** When the step has done its job, in words. */
  successCriteria?: string | undefined;
  /** What its output should look like, in words. */
  expectedOutput?: string | undefined;
  /** Has the output judged, and the step tried again with what was said of it: `maxIterations` (3), `onMiss`. */
  review?: StepReview | undefined;
  /** What undoes the step when the plan fails or is cancelled: `tool`, `args` and, as for a step, `agent`, `timeoutMs`, `retry`. */
  compensate?: Compensation | undefined;
  /** The agent type, or the pool of workers, that runs it; otherwise the tool's own pool. */
  agent?: string | undefined;
  /** The model that its tool should use, if any. */
  model?: string | undefined;
  /** How long one attempt may take, in milliseconds; otherwise as the tool says. */
  timeoutMs?: number | undefined;
  /** `maxAttempts`, the first included, and `backoffMs` before the second; the wait doubles each time. */
  retry?: RetryPolicy | undefined;
  /** How sure the planner is that this is the right step, from 0 to 1. */
  confidence?: number | undefined;
  grant: ToolGrant;
  /** The draft that planned it; 0 when the plan was submitted. */
  draft: number;
  /** The sub-plan that its last attempt started. */
  child?: string | undefined;
  /** It succeeded in the plan that this one was forked from, and never runs here. */
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
  /** The output ends early, because a model reached its length limit. */
  truncated?: true | undefined;
  error?: StepError | undefined;
  /** Failed attempts to reach the model server; absent while nothing is wrong. */
  modelTries?: ModelTries | undefined;
  /** The fallback that succeeded in its place: references to this step give the output of the fallback. */
  replacedBy?: string | undefined;
  /** The steps that check it. */
  verifiedBy?: string[] | undefined;
  /** Reviews of its outputs, oldest first; absent without any. */
  reviews?: ({
    /** The attempt whose output was reviewed. */
    attempt: number;
    verdict: Verdict;
    /** How good it is, from 0 to 1. */
    score?: number | undefined;
    /** How sure the judge is, from 0 to 1. */
    confidence?: number | undefined;
    issues: string[];
    /** What would make it better; "" when nothing is said. */
    suggestion: string;
    /** Why there is no judgement. */
    message?: string | undefined;
  })[] | undefined;
  /** Of a step that works in a loop: its thoughts, calls and observations, call by call; the calls of one turn share its number. */
  turns?: ({
    /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
    pool?: string | undefined;
    /** The attempt that took it. */
    attempt: number;
    /** Counts the step's turns from 1, over all attempts; also the number of the effect key. */
    turn: number;
    /** The place of the call in a turn that began with `turn.started`; absent in a turn of one call, or none. */
    call?: number | undefined;
    thought: string;
    /** Absent when the model's reply named no call. */
    tool?: string | undefined;
    args?: JsonObject | undefined;
    proposed?: JsonObject | undefined;
    /** What the call returned. */
    output?: StepOutput | undefined;
    /** Why there was no call, or what became of it. */
    error?: StepError | undefined;
    /** Its call has failed, and may have acted all the same. */
    uncertain?: true | undefined;
    at: string;
    /** A call of the turn under way that has no outcome yet; `at` is when its turn began. */
    open?: true | undefined;
  })[] | undefined;
  /** Why it was skipped or cancelled. */
  reason?: string | undefined;
  /** It was not needed, and nothing is missing without it. */
  notNeeded?: true | undefined;
  /** Of a step that runs for each entry of a list: its runs in the order of the list; absent until the list is known. */
  items?: ItemView[] | undefined;
  /** The number of items that failed; the results of the others are available. */
  failedItems?: number | undefined;
  /** Why its output is incomplete; absent when it is complete. */
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
  } | number | undefined;
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
  /** What is wanted, in words. */
  goal: string;
  /** A plan to run as it is, without drafting. */
  plan?: PlanDocument | undefined;
  strategy: Strategy;
  /** A long text that the goal is about: read in parts by the strategy `summarize`, which `auto` then is. */
  input?: InputText | undefined;
  /** Sentences given to every planning and judging prompt. */
  constraints: string[];
  /** The only tools the plan may use; all when absent. */
  tools?: string[] | undefined;
  /** The only data sources the plan may use; all when absent. */
  data?: string[] | undefined;
  /** What waits for a person before it runs. */
  approval: ApprovalPolicy;
  /** What is judged: nothing when absent. */
  review?: ReviewPolicy | undefined;
  /** When to start, at most a year ahead; at once when absent or past. */
  startAt?: string | undefined;
  /** How far the strategy `tree-search` looks; other strategies have no use for it. */
  search?: SearchSettings | undefined;
  /** How the strategy `code` writes its program; other strategies have no use for it. */
  program?: {
    /** What the program is asked for in; a reply that names another language is run as that. */
    language: "javascript" | "typescript" | "python";
  } | undefined;
  /** How many steps a model may plan; a draft outside these bounds is repaired once. The strategies `direct`, `code`, `tree-search` and `summarize`, and plans that are submitted whole, have no use for it. */
  planSize?: PlanSize | undefined;
  maxReplans: number;
  /** A step that fails for good has the plan revised at once; otherwise the results are judged when all else is settled. */
  replanOnFailure: boolean;
  /** Every sentence of the answer with a figure or a name must cite a step, document or URL of the plan; otherwise the answer is partial and names the sentences. */
  requireSources: boolean;
  /** What the plan may use in all: hard limits. None when absent. */
  budget?: Budget | undefined;
  /** Which outputs a model turns into facts, at one call each: those above 4 KiB (`large`), or `all`. Whoever plans and judges is then shown the facts, and of large outputs the start only. */
  facts: FactsPolicy;
  /** Beside the tenant's other plans, where there are more steps than workers: of plans that all want more, one of priority `normal` gets four times the slots of one of `low`, and `high` four times those of `normal`. When absent: `normal`, or the highest that the policy allows, if that is lower. */
  priority?: Priority | undefined;
  /** Whether the planner is shown how similar plans of before ended; only where the system allows it, and only of the same tenant. */
  learn: boolean;
  /** Stored and searchable. */
  metadata: Record<string, Json>;
};

export type SubmissionInput = {
  /** What is wanted, in words. */
  readonly goal: string;
  readonly plan?: unknown;
  readonly strategy?: Strategy | undefined;
  /** A long text that the goal is about: read in parts by the strategy `summarize`, which `auto` then is. */
  readonly input?: InputTextInput | undefined;
  /** Sentences given to every planning and judging prompt. */
  readonly constraints?: readonly string[] | undefined;
  /** The only tools the plan may use; all when absent. */
  readonly tools?: readonly string[] | undefined;
  /** The only data sources the plan may use; all when absent. */
  readonly data?: readonly string[] | undefined;
  /** What waits for a person before it runs. */
  readonly approval?: ApprovalPolicyInput | undefined;
  /** What is judged: nothing when absent. */
  readonly review?: ReviewPolicyInput | undefined;
  /** When to start, at most a year ahead; at once when absent or past. */
  readonly startAt?: string | undefined;
  /** How far the strategy `tree-search` looks; other strategies have no use for it. */
  readonly search?: SearchSettingsInput | undefined;
  /** How the strategy `code` writes its program; other strategies have no use for it. */
  readonly program?: {
    /** What the program is asked for in; a reply that names another language is run as that. */
    readonly language?: "javascript" | "typescript" | "python" | undefined;
  } | undefined;
  /** How many steps a model may plan; a draft outside these bounds is repaired once. The strategies `direct`, `code`, `tree-search` and `summarize`, and plans that are submitted whole, have no use for it. */
  readonly planSize?: PlanSizeInput | undefined;
  readonly maxReplans?: number | undefined;
  /** A step that fails for good has the plan revised at once; otherwise the results are judged when all else is settled. */
  readonly replanOnFailure?: boolean | undefined;
  /** Every sentence of the answer with a figure or a name must cite a step, document or URL of the plan; otherwise the answer is partial and names the sentences. */
  readonly requireSources?: boolean | undefined;
  /** What the plan may use in all: hard limits. None when absent. */
  readonly budget?: BudgetInput | undefined;
  /** Which outputs a model turns into facts, at one call each: those above 4 KiB (`large`), or `all`. Whoever plans and judges is then shown the facts, and of large outputs the start only. */
  readonly facts?: FactsPolicy | undefined;
  /** Beside the tenant's other plans, where there are more steps than workers: of plans that all want more, one of priority `normal` gets four times the slots of one of `low`, and `high` four times those of `normal`. When absent: `normal`, or the highest that the policy allows, if that is lower. */
  readonly priority?: Priority | undefined;
  /** Whether the planner is shown how similar plans of before ended; only where the system allows it, and only of the same tenant. */
  readonly learn?: boolean | undefined;
  /** Stored and searchable. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
};

export type System = {
  version: string;
  /** True while the built-in demo model answers: replies come from rules, not a language model. */
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
    /** Where another viewer shows a trace, with `{traceId}` in it. */
    url?: string | undefined;
  };
};

export type TableRules = {
  /** Whether rows may be added. */
  insert: boolean;
  /** Whether rows may be changed, or the only columns that may. */
  update: boolean | string[];
  /** Whether rows may be taken away. */
  delete: boolean;
  /** The least that a column may hold, of rows added or changed. */
  min?: Record<string, number> | undefined;
  /** The most that a column may hold, of rows added or changed. */
  max?: Record<string, number> | undefined;
  /** One row is added here for each row of `table` whose `column` changes: no more, no fewer, and none for two of them. */
  onePerItem?: {
    table: string;
    column: string;
  } | undefined;
  /** The `balance` of each row added is that of the row before it plus its own `amount`. */
  running?: {
    balance: string;
    amount: string;
  } | undefined;
};

export type TimerFired = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "timer.fired";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    timer: string;
    deadline?: {
      /** Deadlines of a plan fire one after the other, from 1: of those with the same number, the first counts. */
      round: number;
      /** What is given up if it has not ended: attempts, by the order in which the plan's log says that they started. */
      starts: number[];
    } | undefined;
  };
};

export type ToolGrant = {
  pool: string;
  risk: Risk;
  effect: Effect;
  timeoutMs: number;
  /** Model tokens that a run usually needs besides its input; absent when it calls no model. */
  modelTokens?: number | undefined;
  /** It takes a few milliseconds at most and waits for nothing. */
  light?: true | undefined;
  /** It improves a rejected draft, given its review. */
  revises?: true | undefined;
  /** Of a step whose agent is an agent type: the pool that runs it, whatever the tool's own is. */
  agent?: {
    pool: string;
  } | undefined;
};

export type Tools = {
  tools: ToolSpec[];
  agents: AgentInfo[];
  /** Of the file that defines the agent types; a worker with another digest was started with another file. */
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
  /** Tokens that a run usually takes from a model, besides its arguments; absent when it calls none. Under a budget this much is set aside for it. */
  modelTokens?: number | undefined;
  /** Takes a few milliseconds at most and waits for nothing: a worker may be sent many such steps in one message. */
  light?: true | undefined;
  /** It improves a rejected draft, given the draft and its review. Only tools that read can. */
  revises?: true | undefined;
  /** Its output comes from outside and is marked as data, never as instructions, in prompts. */
  untrusted: boolean;
  /** The secrets that its calls may use, by name. No value is ever announced. */
  secrets?: SecretUse[] | undefined;
};

export type Trace = {
  traceId: string;
  /** Whether all of the plan is traced; otherwise only failures. */
  sampled: boolean;
  /** Spans received before are missing: they are kept in memory. */
  keptSince: string;
  /** Spans of the trace that were not kept, because it has too many. */
  dropped: number;
  /** Its spans were evicted to make room for others. */
  evicted: boolean;
  /** In order of their start times. */
  spans: Span[];
};

export type TurnStarted = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "turn.started";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
    pool?: string | undefined;
    attempt: number;
    turn: number;
    thought: string;
    calls: ({
      tool?: string | undefined;
      args?: JsonObject | undefined;
      /** Why it is not made. */
      error?: StepError | undefined;
    })[];
  };
};

export type TurnTaken = {
  /** Derived from what the event reports, never random; also its `Nats-Msg-Id`. */
  id: string;
  type: "turn.taken";
  planId: string;
  /** When its writer wrote it. */
  at: string;
  data: {
    stepId: string;
    item: number;
    /** The pool whose worker reports it; absent when the plan's owner does, and in older logs. */
    pool?: string | undefined;
    /** The attempt that took it. */
    attempt: number;
    /** Counts the step's turns from 1, over all attempts; also the number of the effect key. */
    turn: number;
    /** The place of the call in a turn that began with `turn.started`; absent in a turn of one call, or none. */
    call?: number | undefined;
    thought: string;
    /** Absent when the model's reply named no call. */
    tool?: string | undefined;
    args?: JsonObject | undefined;
    proposed?: JsonObject | undefined;
    /** What the call returned. */
    output?: StepOutput | undefined;
    /** Why there was no call, or what became of it. */
    error?: StepError | undefined;
    /** Its call has failed, and may have acted all the same. */
    uncertain?: true | undefined;
  };
};

export type Usage = {
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
  /** US dollars; null when the price of a model is not known. */
  costUsd: number | null;
};

export type Verdict = "accepted" | "rejected" | "unjudged";

export type Via = {
  stepId: string;
  attempt: number;
};

export type WhichDeadLetters = {
  group: string;
} | {
  all: true;
};

export type Worker = {
  workerId: string;
  pool: string;
  version: string;
  /** Steps that it runs now. */
  inFlight: number;
  /** Its slots: steps that it runs at a time. */
  concurrency: number;
  tools: string[];
  /** Files of the worker's own tools, and MCP servers and their tools, that it cannot use. */
  brokenTools: {
    file: string;
    reason: string;
  }[];
  /** The agent types whose steps wait in this pool. */
  agents: string[];
  /** Of the worker's own file of agent types; absent when it has none. */
  agentsDigest?: string | undefined;
  /** The operating system's wall around its child processes; absent from workers of earlier versions. */
  wall?: {
    stands: boolean;
    /** Such as `bubblewrap 0.8.0`, or why there is none. */
    about: string;
  } | undefined;
  /** Its last heartbeat. */
  at: string;
};

export type Workers = {
  workers: Worker[];
  /** The queues of all pools that ever had a worker, those without one included. */
  pools: PoolQueue[];
};
