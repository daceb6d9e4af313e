/** Steps whose tool is a program that may call other tools. */
import type { ToolGrant } from "../events/values.ts";
import type { JsonObject } from "../values/json.ts";

/** The tool whose steps are programs. */
export const CODE_RUN = "code.run";

/** Calls of one program, over all attempts of its step: each is a turn in the log. */
export const PROGRAM_CALLS_MAX = 100;

/** What the calls of one program may usually use of a model, when it has one at hand. */
const MODEL_TOKENS = 65_536;
const MODEL_TOOL = "model.write";

/**
 * What a step may do by its tool's grant. A program without tools only reads. One that calls tools is a loop: its
 * attempts begin in the log, not before the plan is complete, and whatever it calls has to pass its own gate.
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

/** A reference may come to any list. */
function namesTools(tools: unknown): boolean {
  return tools !== undefined && !(Array.isArray(tools) && tools.length === 0);
}

function usesModel(tools: unknown): boolean {
  return !Array.isArray(tools) || tools.some((name) => typeof name !== "string" || name === MODEL_TOOL);
}
