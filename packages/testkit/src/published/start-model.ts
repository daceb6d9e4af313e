import { type ScriptedModel, type ScriptedReply, startScriptedModel } from "../model/start-scripted-model.ts";
import type { ModelScript, Scripted } from "./model-script.ts";

/** A model server on a free port. */
export function startModel(script: ModelScript): Promise<ScriptedModel> {
  const roles = Object.entries(script).map(([role, scripted]) => {
    const replies = isList(scripted) ? scripted : [scripted];
    return [role, replies.map((reply) => replyOf(role, reply))] as const;
  });
  return startScriptedModel(Object.fromEntries(roles), { checksSchemas: false });
}

function replyOf(role: string, reply: Scripted): ScriptedReply {
  if (typeof reply !== "function") return reply;
  return ({ number, system, user }) => reply({ role, number, system, user });
}

/** `Array.isArray` does not narrow read-only arrays. */
function isList(scripted: ModelScript[string]): scripted is readonly Scripted[] {
  return Array.isArray(scripted);
}
