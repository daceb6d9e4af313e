import type { ToolGrant } from "../events/values.ts";
import type { ToolSpec } from "./tool-spec.ts";

/** What a plan's log has to know of a tool to run a step with it. */
export function grantOf({ pool, risk, effect, timeoutMs, modelTokens, light, revises }: ToolSpec): ToolGrant {
  return {
    pool,
    risk,
    effect,
    timeoutMs,
    ...(modelTokens === undefined ? {} : { modelTokens }),
    ...(light === undefined ? {} : { light }),
    // To try again is harmless only where nothing is changed.
    ...(revises === true && effect === "read" ? { revises } : {}),
  };
}
