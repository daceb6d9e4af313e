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

/** The strategies that remain once `auto` has been decided; the plan that summarizes a text needs no drafting. */
export type ChosenStrategy = Exclude<Strategy, "auto" | "summarize">;

/** The form in which a model writes drafts: one JSON object under a schema, or lines. */
export const DRAFT_FORMATS = ["json", "lines"] as const;
export type DraftFormat = (typeof DRAFT_FORMATS)[number];

/** Everything that a draft is based on. */
export type DraftRequest = StatedGoal & {
  readonly constraints: readonly string[];
  /** The date, such as `2026-03-01`; omitted from the prompt when absent. */
  readonly today?: string;
  readonly strategy: ChosenStrategy;
  /** The tools that the plan may use, by name. */
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** Tools that are not shown to the model unless there are no others; none when absent. */
  readonly unlisted?: ReadonlySet<string>;
  /** Agents that can run the steps besides the tools' own workers; none when absent. */
  readonly agents?: Agents;
  /** Descriptions of the data that the plan may query. */
  readonly sources: readonly DataSource[];
  /** Counts the plan's drafts from 1. */
  readonly draft: number;
  /** Every step that earlier drafts planned, whatever its outcome. */
  readonly earlier: readonly StepEntry[];
  /** Whether the model has to state its confidence; default false. */
  readonly asksConfidence?: boolean;
  /** Whether its steps are reviewed, so that the model has to state the criteria; default false. */
  readonly asksReview?: boolean;
  /** Established knowledge of the plan; none when absent. */
  readonly knowledge?: KnownPlan["knowledge"];
  /** The path that the actions of a tree search's round follow; unused by other strategies. */
  readonly expansion?: Expansion;
  /** Similar past plans; none when absent. */
  readonly pastPlans?: readonly PastPlan[];
  /** The language of a program, with the strategy `code`; JavaScript when absent. */
  readonly language?: CodeLanguage;
  /** How many steps the draft may have; any number when absent. */
  readonly size?: DraftSize;
  /** The reason for a revision. */
  readonly reason?: string;
  /** The issues of the previous draft. */
  readonly issues: readonly Issue[];
};

/** The model that writes a draft. */
export type ModelAccess = {
  readonly model: ModelClient;
  /** Default `json`. */
  readonly format?: DraftFormat;
  readonly trace: TraceParent;
  readonly signal: AbortSignal;
};

/** The tools that are shown to the model. */
export function listedTools({
  tools,
  unlisted,
}: Pick<DraftRequest, "tools" | "unlisted">): readonly ToolSpec[] {
  const specs = [...tools.values()];
  const listed = specs.filter(({ name }) => unlisted?.has(name) !== true);
  return listed.length === 0 ? specs : listed;
}
