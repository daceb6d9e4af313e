import type { ToolGrant } from "../events/values.ts";
import type { Step } from "./plan-language.ts";

type Granted = { readonly step: Pick<Step, "agent">; readonly grant: ToolGrant };

/** The pool whose workers run a step: that of its agent type, the pool that it names, or its tool's own. */
export function poolOf({ step, grant }: Granted): string {
  return grant.agent?.pool ?? step.agent ?? grant.pool;
}

/** The agent type of a step's worker; none if its agent is only the name of a pool. */
export function agentOf({ step, grant }: Granted): { readonly agent?: string } {
  return grant.agent === undefined || step.agent === undefined ? {} : { agent: step.agent };
}
