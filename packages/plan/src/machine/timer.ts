import type { StepId } from "../values/ids.ts";
import type { RunName } from "./runs.ts";

/** What a plan waits for that time brings. */
export type Timer =
  | (RunName & { readonly kind: "retry"; readonly at: string })
  | { readonly kind: "draft"; readonly at: string }
  | { readonly kind: "start"; readonly at: string }
  | { readonly kind: "sub-plans"; readonly at: string }
  /** The model server is tried again: it ends the pause that it names. */
  | { readonly kind: "model"; readonly pause: number; readonly at: string }
  | { readonly kind: "undo"; readonly stepId: StepId; readonly at: string };
