export type { Gates } from "./model/gates.ts";
export {
  judgementText,
  planPieces,
  planText,
  type ScriptedJudgement,
  type ScriptedPlan,
  type ScriptedStep,
} from "./model/scripted-plan.ts";
export {
  type ModelScript,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedReply,
  startScriptedModel,
} from "./model/start-scripted-model.ts";
export { startNats, type TestNats, type TestNatsOptions } from "./nats/start-nats.ts";
