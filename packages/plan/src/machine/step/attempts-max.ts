import type { ToolGrant } from "../../events/values.ts";
import { LIMITS } from "../../values/limits.ts";
import { isOwnerTool } from "../../language/tool-names.ts";
import type { RetryPolicy } from "../../language/plan-language.ts";

/** Attempts in all, unless the step says otherwise: an effect that must not happen twice gets one. */
const ATTEMPTS = { read: 3, idempotent: 3, once: 1 } as const;

/** A sub-plan has tried what it could: it is repeated only where the step says so. */
const OWNER_ATTEMPTS = 1;

type Retried = { readonly tool: string; readonly retry?: RetryPolicy | undefined };

/** How often a step may be tried in all, reviews and questions not counted. */
export function attemptsMaxOf({ tool, retry }: Retried, { effect }: ToolGrant): number {
  const usual = isOwnerTool(tool) ? OWNER_ATTEMPTS : ATTEMPTS[effect];
  return Math.min(retry?.maxAttempts ?? usual, LIMITS.attemptsMax);
}
