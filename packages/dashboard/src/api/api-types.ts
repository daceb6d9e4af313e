/** What the gateway sends, by its own types; the page is served by the gateway that it talks to. */
import type {
  AnswerStatus,
  Json,
  JsonObject,
  Outcome,
  PlanEvent,
  PlanView,
  Step,
  Strategy,
  Usage,
} from "@planwright/plan";

export type {
  Answer,
  AnswerStatus,
  ArtifactRef,
  Json,
  JsonObject,
  Outcome,
  PlanEvent,
  PlanView,
  StepOutput,
  StepView,
  Strategy,
  ToolSpec,
} from "@planwright/plan";

export type Approval = PlanView["approvals"][number];
export type ApprovalChoice = Approval["choices"][number];

export type PendingApproval = Approval & { readonly planId: string; readonly goal: string };

export type PendingApprovals = { readonly total: number; readonly approvals: readonly PendingApproval[] };

/** What a person says to an approval. */
export type Decision = {
  readonly decision: ApprovalChoice;
  /** With `approve`: what is to run instead of what was shown. */
  readonly edits?: JsonObject;
  readonly answer?: Json;
  readonly reason?: string;
};

export type Fork = { readonly fromStep: string; readonly edits?: JsonObject };

export type Rating = { readonly rating: number; readonly comment?: string };

export type Worker = {
  readonly workerId: string;
  readonly pool: string;
  readonly version: string;
  readonly inFlight: number;
  readonly concurrency: number;
  readonly tools: readonly string[];
  /** The agent types whose steps wait in its pool. */
  readonly agents: readonly string[];
  /** When it last said that it is there. */
  readonly at: string;
  readonly brokenTools: readonly { readonly file: string; readonly reason: string }[];
};

/** What waits for the workers of a pool. */
export type PoolQueue = {
  readonly pool: string;
  readonly queued: number;
  readonly delivered: number;
  /** Since when the oldest of the queued messages waits. */
  readonly oldestAt?: string;
};

export type Workers = { readonly workers: readonly Worker[]; readonly pools: readonly PoolQueue[] };

/** Dead letters of one cause. */
export type DeadLetterGroup = {
  readonly group: string;
  readonly kind: string;
  readonly pool?: string;
  readonly cause: string;
  readonly count: number;
  readonly lastAt: string;
  readonly sample: { readonly planId?: string; readonly stepId?: string };
};

export type DeadLetter = {
  readonly id: string;
  readonly kind: string;
  readonly planId?: string;
  readonly stepId?: string;
  readonly attempt?: number;
  readonly cause: string;
  readonly deliveries: number;
  readonly at: string;
};

/** The letters of one group, the newest first. */
export type LettersPage = { readonly letters: readonly DeadLetter[]; readonly nextCursor?: string };

export type DeadLetterDetail = DeadLetter & { readonly payload: Json };

export type DeadLetters = { readonly total: number; readonly groups: readonly DeadLetterGroup[] };

export type Redriven = {
  readonly redriven: number;
  readonly refused: readonly { readonly message: string }[];
};

export type Period = "hour" | "day" | "week";

type Ratio = number | null;

export type Figures = {
  readonly plans: number;
  readonly succeeded: number;
  readonly partial: number;
  readonly refused: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly successRate: Ratio;
  readonly unaidedRate: Ratio;
  readonly timeToCompletionMs: { readonly p50: Ratio; readonly p95: Ratio };
  readonly steps: { readonly failureRate: Ratio };
  readonly replanning: { readonly perPlan: Ratio };
  readonly people: { readonly editsPerPlan: Ratio };
  readonly mutations: { readonly perPlan: Ratio };
  readonly toolCalls: { readonly ratio: Ratio };
  readonly modelCalls: { readonly ratio: Ratio };
  readonly tokens: { readonly perPlan: Ratio };
  readonly cost: { readonly perPlan: Ratio };
  readonly planning: { readonly meanMs: Ratio; readonly share: Ratio };
  readonly satisfaction: { readonly mean: Ratio };
};

export type PeriodFigures = Figures & { readonly from: string };

export type Kpis = {
  readonly all: Figures;
  readonly byStrategy: readonly (Figures & { readonly strategy: string })[];
  readonly byPeriod?: readonly PeriodFigures[];
};

export type PlanStatus = PlanView["status"];
export type StepStatus = PlanView["steps"][number]["status"];

export type SystemInfo = {
  readonly version: string;
  /** True when no language model is configured: replies come from rules. */
  readonly offlineModel: boolean;
  readonly models: { readonly planner: string; readonly executor: string; readonly reflector: string };
  readonly traces: {
    readonly to: "embedded" | "endpoint" | "both";
    /** The host of another receiver. */
    readonly endpoint?: string;
    /** Where another viewer shows a trace, with `{traceId}` in it. */
    readonly url?: string;
  };
};

export type PlanSummary = {
  readonly planId: string;
  readonly goal: string;
  readonly status: PlanStatus;
  readonly ended: boolean;
  readonly outcome?: Outcome;
  readonly answerStatus?: AnswerStatus;
  readonly submittedAt: string;
  readonly endedAt?: string;
  /** The plan whose sub-plan it is. */
  readonly parent?: string;
  readonly progress: { readonly done: number; readonly total: number; readonly percent: number };
};

/** How many plans a view has; `more` when there are more than were counted. */
export type PlanCount = { readonly count: number; readonly more: boolean };

export type PlanCounts = { readonly counts: readonly PlanCount[] };

export type PlanPage = { readonly plans: readonly PlanSummary[]; readonly nextCursor?: string };

export type GoalRequest = {
  readonly goal: string;
  readonly strategy: Strategy;
  readonly constraints?: readonly string[];
  readonly tools?: readonly string[];
  readonly data?: readonly string[];
  /** A long text that the goal is about. */
  readonly input?: { readonly text: string };
  readonly approval?: JsonObject;
  readonly budget?: Readonly<Record<string, Json>>;
  readonly planSize?: { readonly min?: number; readonly max?: number };
  readonly requireSources?: boolean;
  /** A plan to run as it is. */
  readonly plan?: JsonObject | Pick<Preview, "steps" | "answerFrom" | "reasoning">;
};

/** What was submitted for a plan, to be submitted again. */
export type Submission = GoalRequest & {
  readonly input?: { readonly text: string; readonly chunkChars?: number; readonly groupSize?: number };
  readonly review?: JsonObject;
};

export type SourceInfo = {
  readonly name: string;
  readonly kind: string;
  /** One that lies where a configuration says is not replaced by an upload. */
  readonly origin: "upload" | "configuration";
};

export type DataSources = { readonly sources: readonly SourceInfo[] };

/** What running a plan is expected to take, as far as anything is known of its steps. */
export type RunEstimate = {
  readonly durationMs: number | null;
  readonly costUsd: number | null;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly steps: number;
  readonly stepsTimed: number;
  readonly stepsPriced: number;
  /** Earlier runs that it comes from. */
  readonly runs: number;
  /** Whether a step gives the answer. */
  readonly answered: boolean;
};

/** The plan that a submission would run. */
export type Preview = {
  readonly steps: readonly Step[];
  readonly answerFrom?: string;
  readonly reasoning?: string;
  readonly strategy: PlanView["strategy"];
  readonly strategyReason?: string;
  readonly criticalPath: { readonly stepIds: readonly string[]; readonly durationMs: number | null };
  /** At least. */
  readonly modelCalls: number;
  /** What drafting took; absent when nothing was drafted. */
  readonly usage?: Usage;
  readonly running?: RunEstimate;
};

export type Accepted = { readonly planId: string; readonly traceId: string };

/** One fact of a plan's log and its number there. */
export type NumberedEvent = { readonly seq: number; readonly event: PlanEvent };

export type EventPage = {
  readonly events: readonly NumberedEvent[];
  /** Where the next page begins, when there is one. */
  readonly nextAfter?: number;
};

export type SpanAttributes = Readonly<Record<string, unknown>>;

export type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly service: string;
  readonly kind: string;
  /** Nanoseconds since the epoch, too large for a number. */
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: SpanAttributes;
  readonly events: readonly {
    readonly name: string;
    readonly timeUnixNano: string;
    readonly attributes: SpanAttributes;
  }[];
  readonly links: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly attributes?: SpanAttributes;
  }[];
  readonly status: "unset" | "ok" | "error";
  readonly statusMessage?: string;
  /** What its sender left out. */
  readonly dropped?: { readonly attributes: number; readonly events: number; readonly links: number };
};

export type TraceData = {
  readonly traceId: string;
  readonly sampled: boolean;
  /** Spans that came before are not there. */
  readonly keptSince: string;
  readonly dropped: number;
  readonly evicted: boolean;
  readonly spans: readonly Span[];
};
