import type { StepId } from "../values/ids.ts";
import type { Step } from "../language/plan-language.ts";
import type { Program } from "./extract-program.ts";
import { readsOnly } from "./reads-only.ts";
import { withoutTemplates } from "../language/without-templates.ts";

/** Runs a program on a copy of a data source. */
export const DATA_DRYRUN = "data.dryrun";
/** Applies the changes of a dry run to the source itself. */
export const DATA_APPLY = "data.apply";
/** The `code` of a step whose changes hit rows that had changed in the meantime. */
export const DATA_CONFLICT = "data_conflict";

type CodeStep = Pick<Step, "id" | "description" | "tool" | "args" | "dependsOn">;

export type CodePlan = {
  readonly steps: (CodeStep | (CodeStep & { when: string }))[];
  readonly answerFrom: StepId;
};

const DRYRUN = "dryrun" as StepId;
const APPLY = "apply" as StepId;

/**
 * The plan of the `code` strategy: the program runs on a copy of the source. If it changes something there, the changes are then
 * applied to the source, which is high risk. The answer is the program's, once its changes are applied.
 *
 * @param applies - Whether the plan may change the source; if not, the program may change nothing at all.
 */
export function codePlan(
  { language, code }: Program,
  { goal, source, applies }: { readonly goal: string; readonly source: string; readonly applies: boolean },
): CodePlan {
  const request = withoutTemplates(goal);
  const only = !applies || readsOnly(goal) ? { readOnly: true } : {};
  const dryrun = {
    id: DRYRUN,
    description: "Run the program on a copy of the data",
    tool: DATA_DRYRUN,
    args: { source, language, code, request, ...only },
    dependsOn: [],
  };
  if ("readOnly" in only) return { steps: [dryrun], answerFrom: DRYRUN };
  const of = (field: string) => ({ $ref: `${DRYRUN}.output.${field}` });
  const apply = {
    id: APPLY,
    description: "Make the program's changes in the data",
    tool: DATA_APPLY,
    args: {
      source,
      changes: of("changes"),
      text: of("text"),
      status: of("status"),
      data: of("data"),
      changeset: of("changeset"),
    },
    dependsOn: [DRYRUN],
    when: `${DRYRUN}.output.changed`,
  };
  return { steps: [dryrun, apply], answerFrom: APPLY };
}
