import type { Accepted, GoalRequest, Submission } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";
import type { KeptDraft } from "../submit/use-draft.ts";
import { editedSubmission, editsBetween, formOf } from "./rerun-of.ts";

/** The plan that is edited and run again. */
export type Origin = { readonly planId: string; readonly submission: Submission };

/** The form as it was submitted; edits are kept apart from those of other plans. */
export function draftOf({ planId, submission }: Origin): KeptDraft {
  return { key: `planwright.draft.${planId}`, initial: formOf(submission) };
}

type Submitting = {
  /** Adds what the form cannot say, from the first run. */
  readonly complete: (request: GoalRequest) => GoalRequest;
  readonly send: (request: GoalRequest, idempotencyKey: string, signal: AbortSignal) => Promise<Accepted>;
};

/** How the form is submitted: as a new goal, or as the re-run of a plan. */
export function useOrigin(origin: Origin | undefined): Submitting {
  const { gateway } = useServices();
  if (origin === undefined) return { complete: (request) => request, send: gateway.submit };
  const { planId, submission } = origin;
  return {
    complete: (request) => editedSubmission(submission, request),
    send: (request, key, signal) => gateway.rerun(planId, editsBetween(submission, request), key, signal),
  };
}
