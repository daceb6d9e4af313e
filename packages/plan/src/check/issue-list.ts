import type { Issue } from "../events/values.ts";

/** Maximum number of listed issues, including the one that counts the rest. */
export const ISSUES_MAX = 200;

export type IssueCode =
  | "malformed"
  | "too_many_steps"
  | "duplicate_id"
  | "self_dependency"
  | "unknown_dependency"
  | "dangling_reference"
  | "malformed_reference"
  | "unknown_secret"
  | "secret_not_allowed"
  | "malformed_condition"
  | "cycle"
  | "unknown_tool"
  | "tool_not_allowed"
  | "unknown_agent"
  | "tool_not_granted"
  | "invalid_arguments"
  | "args_too_large"
  | "unknown_answer_step"
  | "unknown_fallback"
  | "shared_fallback"
  | "too_many_fallbacks"
  | "unknown_verified"
  | "nested_verification"
  | "unsafe_key"
  | "unsafe_text"
  | "not_finite"
  | "not_json"
  | "depth_exceeded"
  | "needless_compensation"
  | "sub_plan_too_deep"
  | "invalid_sub_plan"
  | "compensated_items"
  | "reviewed_items"
  | "more_issues";

/** The step that an issue concerns: its id if readable, and its position in the plan. */
export type StepPlace = {
  readonly stepId: string | undefined;
  readonly path: string;
  /** The part of the step that contains its fields; absent for the step itself. */
  readonly within?: string;
};

/** Builds an issue's content, only if it is going to be listed. */
export type Saying = () => { readonly field: string; readonly message: string };

/**
 * Collects issues up to {@link ISSUES_MAX} and counts the rest.
 *
 * Issue content is lazy, so that a plan with a million faults stays cheap to check.
 */
export class IssueList {
  readonly #issues: Issue[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** An issue of the whole plan; its field is a path from the plan's root. */
  addToPlan(code: IssueCode, say: Saying): void {
    if (++this.#count <= ISSUES_MAX) this.#issues.push({ code, ...say() });
  }

  /**
   * An issue of one step; its field is a path inside the step.
   *
   * For malformed values, and for steps without a readable id, the field is a path from the plan's root instead.
   */
  addToStep(code: IssueCode, { stepId, path, within }: StepPlace, say: Saying): void {
    if (++this.#count > ISSUES_MAX) return;
    const { field: inner, message } = say();
    const field = within === undefined ? inner : `${within}.${inner}`;
    const rooted = [path, field].filter((part) => part !== "").join(field.startsWith("[") ? "" : ".");
    if (stepId === undefined) this.#issues.push({ code, field: rooted, message });
    else this.#issues.push({ code, stepId, field: code === "malformed" ? rooted : field, message });
  }

  /** Every issue; if there are too many, the last one states how many are omitted. */
  toArray(): Issue[] {
    if (this.#count <= ISSUES_MAX) return [...this.#issues];
    const shown = this.#issues.slice(0, ISSUES_MAX - 1);
    const message = `${this.#count - shown.length} more issues are not listed`;
    return [...shown, { code: "more_issues", field: "", message }];
  }
}
