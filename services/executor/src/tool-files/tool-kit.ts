/** What a file of tools imports as `@planwright/executor/tools`, wherever it lies. */
export { PermanentError, TransientError } from "@planwright/shared/errors";
export { z } from "zod";
export { NotDoneError } from "../not-done-error.ts";
export { defineTool, type Tool, type ToolContext, type ToolDefinition } from "../tools/define-tool.ts";
