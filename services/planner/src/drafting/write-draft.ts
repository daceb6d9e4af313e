/** Has a model write a draft, and hands over each step as soon as it is complete. */
import { NO_USAGE } from "@planwright/plan";
import type { PlannedStep } from "./draft-builder.ts";
import type { DraftRequest, ModelAccess } from "./draft-request.ts";
import type { WrittenDraft } from "./finish-draft.ts";
import { createGatheredWork } from "./gathered-work.ts";
import { STRATEGIES } from "./strategies.ts";

export type WriteDraftDeps = ModelAccess & {
  /**
   * Takes the steps that are new to the plan, in order, while the model continues to write; steps that are complete at the same
   * time come together. The next ones wait until it resolves.
   */
  readonly onSteps: (planned: readonly PlannedStep[]) => Promise<void>;
  /** Called once if mistakes of the model were corrected, whatever the outcome, with a text for each. */
  readonly onMended?: (mends: readonly string[]) => void;
};

/** A draft, with its last steps if they have not been handed over yet: they are stored in the log together with its end. */
export type HandedDraft = { readonly draft: WrittenDraft; readonly held: readonly PlannedStep[] };

/**
 * Writes one draft.
 *
 * @throws The signal's reason when it aborts, and any error of `onSteps`; the model's failures are results.
 */
export async function writeDraft(request: DraftRequest, deps: WriteDraftDeps): Promise<HandedDraft> {
  if (request.tools.size === 0) return { draft: NO_TOOLS, held: [] };
  const { build, write } = STRATEGIES[request.strategy];
  const handedOver = createGatheredWork(deps.onSteps);
  const builder = build(request, (planned) => handedOver.add(planned));
  try {
    const signal = AbortSignal.any([deps.signal, handedOver.failed]);
    const draft = await write(request, builder, { ...deps, signal });
    return { draft, held: await handedOver.rest() };
  } finally {
    if (builder.mends.length > 0) deps.onMended?.(builder.mends);
    // A step that could not be handed over caused any later error, so its own error is thrown first.
    await handedOver.done();
  }
}

/** Not permanent: workers may still appear. */
const NO_TOOLS: WrittenDraft = {
  status: "model_failed",
  message: "no worker offers a tool that this plan may use",
  retryable: true,
  usage: NO_USAGE,
};
