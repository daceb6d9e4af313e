export { Effect, JsonSchema, PoolName, Risk, ToolName, ToolSpec } from "./tool-spec.ts";
