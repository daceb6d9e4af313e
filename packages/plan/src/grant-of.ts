import type { ToolGrant } from "./events/values.ts";
import type { ToolSpec } from "./tool-spec.ts";

/** What a plan's log has to know of a tool to run a step with it. */
export function grantOf({ pool, risk, effect, timeoutMs, modelTokens, light }: ToolSpec): ToolGrant {
  return {
    pool,
    risk,
    effect,
    timeoutMs,
    ...(modelTokens === undefined ? {} : { modelTokens }),
    ...(light === undefined ? {} : { light }),
  };
}
