/** Has a model write a draft, and hands over each step as soon as it is complete. */
import { NO_USAGE } from "@planwright/plan";
import type { PlannedStep } from "./draft-builder.ts";
import type { DraftRequest, ModelAccess } from "./draft-request.ts";
import type { WrittenDraft } from "./finish-draft.ts";
import { STRATEGIES } from "./strategies.ts";

export type WriteDraftDeps = ModelAccess & {
  /** Takes each step that is new to the plan, one at a time and in order, while the model continues to write. */
  readonly onStep: (planned: PlannedStep) => Promise<void>;
  /** Called once if slips of the model were corrected, whatever the outcome, with a text for each. */
  readonly onMended?: (mends: readonly string[]) => void;
};

/**
 * Writes one draft.
 *
 * @throws The signal's reason when it aborts, and what `onStep` throws; the model's failures are results.
 */
export async function writeDraft(request: DraftRequest, deps: WriteDraftDeps): Promise<WrittenDraft> {
  if (request.tools.size === 0) return NO_TOOLS;
  const { build, write } = STRATEGIES[request.strategy];
  const handedOver = createOrderedWork(deps.onStep);
  const builder = build(request, (planned) => handedOver.add(planned));
  try {
    const signal = AbortSignal.any([deps.signal, handedOver.failed]);
    return await write(request, builder, { ...deps, signal });
  } finally {
    if (builder.mends.length > 0) deps.onMended?.(builder.mends);
    // A step that could not be handed over is the cause of whatever came after it: its error goes first.
    await handedOver.done();
  }
}

/** Workers may yet come. */
const NO_TOOLS: WrittenDraft = {
  status: "model_failed",
  message: "no worker offers a tool that this plan may use",
  retryable: true,
  usage: NO_USAGE,
};

export type OrderedWork<Item> = {
  /** Queues an item; never waits. */
  add(item: Item): void;
  /** Aborts, with the error as its reason, when the work on an item fails; later items are left out. */
  readonly failed: AbortSignal;
  /** @throws The error of the item that failed. */
  done(): Promise<void>;
};

/** Works on items one at a time, in the order in which they come. */
export function createOrderedWork<Item>(work: (item: Item) => Promise<void>): OrderedWork<Item> {
  const failed = new AbortController();
  let last = Promise.resolve();
  return {
    add(item) {
      last = last.then(() => work(item));
      last.catch((error: unknown) => failed.abort(error));
    },
    failed: failed.signal,
    done: () => last,
  };
}
