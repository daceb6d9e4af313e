import type { StatedGoal } from "@planwright/shared/prompt";
import type {
  Agents,
  CodeLanguage,
  Expansion,
  Issue,
  KnownPlan,
  PastPlan,
  StepEntry,
  Strategy,
  ToolSpec,
} from "@planwright/plan";
import type { ModelClient } from "@planwright/shared/model";
import type { TraceParent } from "@planwright/shared/telemetry";
import type { DataSource } from "@planwright/shared/tools";
import type { DraftSize } from "./draft-size.ts";

/** What a strategy comes to once `auto` has been decided; the plan that summarizes a text needs no drafting. */
export type ChosenStrategy = Exclude<Strategy, "auto" | "summarize">;

/** How a model is asked to write drafts: as one JSON object under a schema, or as lines. */
export const DRAFT_FORMATS = ["json", "lines"] as const;
export type DraftFormat = (typeof DRAFT_FORMATS)[number];

/** Everything that a draft is written from. */
export type DraftRequest = StatedGoal & {
  readonly constraints: readonly string[];
  /** The date, such as `2026-03-01`; not told when absent. */
  readonly today?: string;
  readonly strategy: ChosenStrategy;
  /** The tools that the plan may use, by name. */
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** Those of them that the model is not told of, unless there are no others; none when absent. */
  readonly unlisted?: ReadonlySet<string>;
  /** Who may run the steps besides the tools' own workers; no one when absent. */
  readonly agents?: Agents;
  /** The data that the plan may query, described. */
  readonly sources: readonly DataSource[];
  /** Counts the plan's drafts from 1. */
  readonly draft: number;
  /** Every step that earlier drafts planned, whatever became of it. */
  readonly earlier: readonly StepEntry[];
  /** Whether the model is to say how sure it is; when absent it is not. */
  readonly asksConfidence?: boolean;
  /** Whether its steps are judged, so that it is to say by what; when absent they are not. */
  readonly asksReview?: boolean;
  /** What the plan knows for certain; nothing when absent. */
  readonly knowledge?: KnownPlan["knowledge"];
  /** What the actions of a tree search's round follow; of no use to other strategies. */
  readonly expansion?: Expansion;
  /** Similar plans of before; none when absent. */
  readonly pastPlans?: readonly PastPlan[];
  /** What a program is to be written in, with the strategy `code`; JavaScript when absent. */
  readonly language?: CodeLanguage;
  /** How many steps the draft may have; any number when absent. */
  readonly size?: DraftSize;
  /** Why a revision is wanted. */
  readonly reason?: string;
  /** What was wrong with the draft before. */
  readonly issues: readonly Issue[];
};

/** What a draft is written with. */
export type ModelAccess = {
  readonly model: ModelClient;
  /** Default `json`. */
  readonly format?: DraftFormat;
  readonly trace: TraceParent;
  readonly signal: AbortSignal;
};

/** The tools that the model is told of. */
export function listedTools({
  tools,
  unlisted,
}: Pick<DraftRequest, "tools" | "unlisted">): readonly ToolSpec[] {
  const specs = [...tools.values()];
  const listed = specs.filter(({ name }) => unlisted?.has(name) !== true);
  return listed.length === 0 ? specs : listed;
}
