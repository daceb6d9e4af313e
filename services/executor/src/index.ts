export { AgentFile } from "./agents/agent-file.ts";
export { executorService, executorWith } from "./executor-service.ts";
export { defineTool, type Tool, type ToolContext, type ToolDefinition } from "./tools/define-tool.ts";
