import type { Agents } from "../language/agent-type.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import type { Limits } from "../values/limits.ts";

/** What a plan may use, regardless of its author. */
export type PlanRules = {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** The only tools that the plan may use; every tool when absent. */
  readonly allowed?: readonly string[] | undefined;
  /** Who may run steps; any pool when absent. */
  readonly agents?: Agents | undefined;
  /** Default: {@link LIMITS}. */
  readonly limits?: Limits | undefined;
  /** The plan's nesting depth. Default: 0, for a plan that is not a sub-plan. */
  readonly depth?: number | undefined;
  /** Steps that the plan has already; none when absent. */
  readonly beside?: StepsBeside | undefined;
};

/** Steps beside those that are checked. */
export type StepsBeside = {
  /** Those that may be depended on. */
  readonly usable: ReadonlySet<string>;
  /** Every id that is in use, so that no other step can have it. */
  readonly taken: ReadonlySet<string>;
};
