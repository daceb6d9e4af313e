import type { ToolGrant } from "../events/values.ts";
import type { Step } from "../plan-language.ts";
import type { StepEntry } from "./plan-state.ts";

/** What an unchecked plan gets for a tool nobody granted: the worker will say that there is no such tool. */
const UNKNOWN_GRANT: ToolGrant = { pool: "default", risk: "high", effect: "once", timeoutMs: 60_000 };

type Grants = Readonly<Record<string, ToolGrant>>;

/** A submitted step with the grants of its tools; a tool that nobody granted is of high risk. */
export function withGrants(
  grants: Grants,
  step: Step,
): Pick<StepEntry, "step" | "grant" | "compensateGrant"> {
  const { compensate } = step;
  const grant = grantOf(grants, step);
  if (compensate === undefined) return { step, grant };
  return { step, grant, compensateGrant: grantOf(grants, compensate) };
}

/** Own properties only: a tool may call itself `constructor`. */
function grantOf(grants: Grants, { tool }: Pick<Step, "tool">): ToolGrant {
  return (Object.hasOwn(grants, tool) ? grants[tool] : undefined) ?? UNKNOWN_GRANT;
}
