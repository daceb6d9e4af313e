export { ToolSpec, Risk, Effect, JsonSchema, ToolName, PoolName } from "./tool-spec.ts";
