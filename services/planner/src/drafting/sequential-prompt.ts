/** What the planner's model is told when the steps of its plan run one after another. */
import { definePrompt } from "@planwright/shared/prompt";
import { draftMessages } from "./draft-messages.ts";
import type { DraftRequest } from "./draft-request.ts";
import { PLAN_TEXTS } from "./plan-prompt.ts";

/** What is added to the prompt of a plan whose steps run one after another. */
export const SEQUENTIAL =
  "The steps of this plan run one after another, in the order in which you write them.";

/** Asks for a plan whose steps run in the order in which they are written. */
export const sequentialPrompt = definePrompt({
  name: "planner.sequential",
  version: 9,
  texts: { ...PLAN_TEXTS, order: SEQUENTIAL },
  messages: (texts, request: DraftRequest) => draftMessages(request, "json", texts),
});
