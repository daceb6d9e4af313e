/** Steps whose tool is a program that can call other tools. */
import type { ToolGrant } from "../events/values.ts";
import type { JsonObject } from "../values/json.ts";

/** The tool whose steps are programs. */
export const CODE_RUN = "code.run";

/** Maximum number of calls of one program, over all attempts of its step. Each call is a turn in the log. */
export const PROGRAM_CALLS_MAX = 100;

/** The usual model allowance of a program's calls, when it has a model. */
const MODEL_TOKENS = 65_536;
const MODEL_TOOL = "model.write";

/**
 * Returns the permissions of a step, based on its tool's grant. A program without tools is read-only. One that calls tools is a
 * loop: its attempts start in the log, only once the plan is complete, and each of its calls passes its own gate.
 */
export function grantOfStep(
  grant: ToolGrant,
  { tool, args }: { readonly tool: string; readonly args: JsonObject },
): ToolGrant {
  if (tool !== CODE_RUN || !namesTools(args["tools"])) return grant;
  const risk = grant.risk === "low" ? "medium" : grant.risk;
  return {
    ...grant,
    risk,
    effect: "idempotent",
    ...(usesModel(args["tools"]) ? { modelTokens: MODEL_TOKENS } : {}),
  };
}

/** A reference can resolve to any list. */
function namesTools(tools: unknown): boolean {
  return tools !== undefined && !(Array.isArray(tools) && tools.length === 0);
}

function usesModel(tools: unknown): boolean {
  return !Array.isArray(tools) || tools.some((name) => typeof name !== "string" || name === MODEL_TOOL);
}
