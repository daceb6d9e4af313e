/** The output of a draft reader, and how a draft ended; the same for JSON and for lines. */
import type { Json } from "../values/json.ts";

type Known = {
  /** The number of steps handed over. */
  readonly steps: number;
  readonly reasoning: string | undefined;
};

/** How a draft ended. Every kind except `complete` has a message for the log and for the model. */
export type DraftEnd =
  | (Known & {
      readonly status: "complete";
      readonly answerFrom: string | undefined;
      /** The model's confidence in the plan, from 0 to 1; absent if it states none. */
      readonly confidence?: number;
    })
  | (Known & {
      readonly status: "absent" | "truncated" | "malformed" | "too_large";
      readonly message: string;
    });

export type DraftHandlers = {
  /** The draft's complete reasoning. */
  readonly onReasoning?: (reasoning: string) => void;
  /** One element of `steps`, decoded and not yet checked; `index` counts from 0. */
  readonly onStep: (step: Json, index: number) => void;
  /** Called with a description of each mended slip in the draft's JSON. */
  readonly onMend?: (mend: string) => void;
  /** Called once: when the draft's closing brace arrives, the draft cannot be parsed any further, or the text ends. */
  readonly onEnd?: (end: DraftEnd) => void;
};

export type DraftParser = {
  /** Takes the next piece of the model's text, which can be cut anywhere. Throws only errors from a handler. */
  push(piece: string): void;
  /** Ends the text and returns how the draft ended. Can be called again. */
  end(): DraftEnd;
};
