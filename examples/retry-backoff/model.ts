/** A model that says nothing three times before it works, and one thing never. */
import type { ModelScript } from "@planwright/testkit";

const EMPTY_REPLIES = 3;
let asked = 0;

export const script: ModelScript = {
  write: ({ blocks, number }) => {
    if (number === 1) asked = 0;
    if (blocks.get("task")?.includes("must not") === true) return { refusal: "I cannot say that." };
    asked += 1;
    return asked > EMPTY_REPLIES ? "It worked." : "";
  },
};

/** The step that the model declines has failed for good. */
export const expected = "partial";
