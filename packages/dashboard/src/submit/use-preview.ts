import { useRef, useState } from "react";
import { type ApiError, toApiError } from "../api/api-error.ts";
import type { GoalRequest, Preview } from "../api/api-types.ts";
import { useServices } from "../shell/services.ts";

export type PreviewState =
  | { readonly phase: "none" }
  | { readonly phase: "drafting"; readonly of: string }
  | { readonly phase: "failed"; readonly of: string; readonly error: ApiError }
  | { readonly phase: "ready"; readonly of: string; readonly preview: Preview };

/** Drafts without running. What was drafted for another request is not shown. */
export function usePreview(request: GoalRequest) {
  const { gateway } = useServices();
  const [state, setState] = useState<PreviewState>({ phase: "none" });
  const asked = useRef<AbortController>(undefined);
  const of = JSON.stringify(request);
  const draft = async (): Promise<void> => {
    asked.current?.abort();
    const closing = new AbortController();
    asked.current = closing;
    setState({ phase: "drafting", of });
    try {
      const preview = await gateway.preview(request, closing.signal);
      if (!closing.signal.aborted) setState({ phase: "ready", of, preview });
    } catch (error) {
      if (!closing.signal.aborted) setState({ phase: "failed", of, error: toApiError(error) });
    }
  };
  const current: PreviewState = state.phase !== "none" && state.of === of ? state : { phase: "none" };
  return { preview: current, draft: () => void draft() };
}
