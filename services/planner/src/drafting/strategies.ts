/** How each strategy drafts. Only this table and `request-for.ts` know strategies by name. */
import {
  DATA_APPLY,
  DATA_DRYRUN,
  directPlan,
  NO_USAGE,
  PLAN_RUN,
  type Strategy,
  type ToolSpec,
} from "@planwright/plan";
import { ActionBuilder } from "./action-builder.ts";
import { DraftBuilder, type PlannedStep, type StepsBuilder } from "./draft-builder.ts";
import { draftProgram, type DraftForm, draftWithModel } from "./draft-with-model.ts";
import type { DraftRequest, ModelAccess } from "./draft-request.ts";
import type { DraftExtent } from "./draft-size.ts";
import { finishWhole, type WrittenDraft } from "./finish-draft.ts";
import { linesPrompt } from "./lines-prompt.ts";
import { hierarchicalPrompt, planPrompt, sequentialPrompt, wavesPrompt } from "./plan-prompt.ts";
import { treeSearchPrompt } from "./tree-search-prompt.ts";

export type PlannerStrategy = {
  /** How steps are requested from a model. */
  readonly form: DraftForm;
  /** The extent of a draft, for `planSize`. */
  readonly extent: DraftExtent;
  /** Tools that are offered only for this strategy. */
  readonly ownTools: readonly string[];
  /** Whether its drafts may use one of the plan's tools. */
  readonly admits: (tool: ToolSpec) => boolean;
  readonly build: (request: DraftRequest, onPlanned: (planned: PlannedStep) => void) => StepsBuilder;
  readonly write: (
    request: DraftRequest,
    builder: StepsBuilder,
    access: ModelAccess,
  ) => WrittenDraft | Promise<WrittenDraft>;
};

function written(form: DraftForm, more: Partial<PlannerStrategy> = {}): PlannerStrategy {
  return {
    form,
    extent: "plan",
    ownTools: [],
    admits: () => true,
    build: (request, onPlanned) => new DraftBuilder(request, onPlanned),
    write: (request, builder, access) => draftWithModel(request, builder, { ...access, form }),
    ...more,
  };
}

const parallel = written({ json: planPrompt, lines: linesPrompt });

/** Strategies without their own drafting are drafted like plans whose steps run in parallel. */
export const STRATEGIES: Readonly<Record<Strategy, PlannerStrategy>> = {
  auto: parallel,
  summarize: parallel,
  parallel,
  sequential: written(
    { json: sequentialPrompt, lines: linesPrompt },
    { build: (request, onPlanned) => new DraftBuilder({ ...request, inOrder: true }, onPlanned) },
  ),
  hierarchical: written({ json: hierarchicalPrompt, lines: linesPrompt }, { ownTools: [PLAN_RUN] }),
  waves: written({ json: wavesPrompt, lines: linesPrompt }, { extent: "part" }),
  direct: {
    ...parallel,
    extent: "unsized",
    write: (request, builder) => finishWhole(builder, directPlan(request), { usage: NO_USAGE }),
  },
  // A search's few actions would gain nothing from being lines. Actions that are only tried must leave nothing behind.
  "tree-search": written(
    { json: treeSearchPrompt, isFlat: true },
    {
      extent: "unsized",
      admits: ({ effect }) => effect === "read",
      build: (request, onPlanned) => new ActionBuilder(request, onPlanned),
    },
  ),
  code: {
    ...parallel,
    extent: "unsized",
    ownTools: [DATA_DRYRUN, DATA_APPLY],
    // The rows of an earlier dry run are outdated, even if the program is the same.
    build: (request, onPlanned) => new DraftBuilder({ ...request, reusesNothing: true }, onPlanned),
    write: draftProgram,
  },
};

/** Those of a plan's tools that a strategy's drafts may use. */
export function admitted(strategy: Strategy, tools: DraftRequest["tools"]): DraftRequest["tools"] {
  return new Map(Array.from(tools).filter(([, tool]) => STRATEGIES[strategy].admits(tool)));
}
