import type { Agents } from "../language/agent-type.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import type { Limits } from "../values/limits.ts";

/** What a plan may use, regardless of its author. */
export type PlanRules = {
  readonly tools: ReadonlyMap<string, ToolSpec>;
  /** The only tools that the plan may use; every tool when absent. */
  readonly allowed?: readonly string[] | undefined;
  /** The agents that can run steps; any pool when absent. */
  readonly agents?: Agents | undefined;
  /** Default: {@link LIMITS}. */
  readonly limits?: Limits | undefined;
  /** The plan's nesting depth. Default: 0, for a plan that is not a sub-plan. */
  readonly depth?: number | undefined;
  /** Steps that the plan already has; none when absent. */
  readonly beside?: StepsBeside | undefined;
};

/** Steps outside the checked document. */
export type StepsBeside = {
  /** Steps that can be depended on. */
  readonly usable: ReadonlySet<string>;
  /** Every id in use, which no other step can have. */
  readonly taken: ReadonlySet<string>;
};
