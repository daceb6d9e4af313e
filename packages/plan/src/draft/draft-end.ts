/** What a reader of drafts hands over, and how a draft ended; the same for JSON and for lines. */
import type { Json } from "../values/json.ts";

type Known = {
  /** Steps that have been handed over. */
  readonly steps: number;
  readonly reasoning: string | undefined;
};

/** How a draft ended. Everything but `complete` has a message for the log and for the model. */
export type DraftEnd =
  | (Known & {
      readonly status: "complete";
      readonly answerFrom: string | undefined;
      /** How sure the model is of the plan, from 0 to 1; absent when it does not say. */
      readonly confidence?: number;
    })
  | (Known & {
      readonly status: "absent" | "truncated" | "malformed" | "too_large";
      readonly message: string;
    });

export type DraftHandlers = {
  /** The draft's reasoning, whole. */
  readonly onReasoning?: (reasoning: string) => void;
  /** One element of `steps`, decoded and not yet checked; `index` counts from 0. */
  readonly onStep: (step: Json, index: number) => void;
  /** Called with each slip of the draft's JSON that was mended, in words. */
  readonly onMend?: (mend: string) => void;
  /** Called once: when the draft's closing brace arrives, it cannot be read on, or the text ends. */
  readonly onEnd?: (end: DraftEnd) => void;
};

export type DraftParser = {
  /** Takes the next piece of the model's text, cut anywhere. Throws only what a handler throws. */
  push(piece: string): void;
  /** The text is over; says how the draft ended. May be called again. */
  end(): DraftEnd;
};
