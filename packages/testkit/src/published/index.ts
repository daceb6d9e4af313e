/** `@planwright/testkit`: the whole system for your own tests, with a scripted model and tools that run in the test. */
export { type FakeOptions, fakeTool, type ToolCall } from "./fake-tool.ts";
export {
  answerText,
  type ModelCall,
  type ModelReply,
  type ModelScript,
  planText,
  type Scripted,
  type ScriptedPlan,
  type ScriptedStep,
} from "./model-script.ts";
export { startSystem, type SystemOptions, type TestSystem } from "./start-system.ts";
