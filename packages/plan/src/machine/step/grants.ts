import { grantKey } from "../../language/tool-names.ts";
import type { ToolGrant } from "../../events/values.ts";
import type { Step } from "../../language/plan-language.ts";
import type { StepEntry } from "../plan-state.ts";

/** The tool policy of an unknown tool in an unchecked plan: the worker will report that the tool does not exist. */
const UNKNOWN_GRANT: ToolGrant = { pool: "default", risk: "high", effect: "once", timeoutMs: 60_000 };

type Grants = Readonly<Record<string, ToolGrant>>;

/** Adds the tool policies to a submitted step; a tool without a policy gets the highest risk. */
export function withGrants(
  grants: Grants,
  step: Step,
): Pick<StepEntry, "step" | "grant" | "compensateGrant"> {
  const { compensate } = step;
  const grant = grantOf(grants, step);
  if (compensate === undefined) return { step, grant };
  return { step, grant, compensateGrant: grantOf(grants, compensate) };
}

function grantOf(grants: Grants, call: Pick<Step, "tool" | "agent">): ToolGrant {
  return own(grants, grantKey(call)) ?? own(grants, call.tool) ?? UNKNOWN_GRANT;
}

/** Own properties only: a tool can be named `constructor`. */
function own(grants: Grants, key: string): ToolGrant | undefined {
  return Object.hasOwn(grants, key) ? grants[key] : undefined;
}
