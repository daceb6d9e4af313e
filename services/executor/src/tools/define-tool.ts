/** The tools kit with what only our own tools are given. */
import {
  defineTool as defineKitTool,
  type Tool as KitTool,
  type ToolDefinition as KitDefinition,
} from "@planwright/tools-kit";
import type { ToolContext } from "./tool-context.ts";

export { AnyJson, type CheckResult } from "@planwright/tools-kit";
export { parseFor } from "@planwright/tools-kit/parse";
export type { DataSource, Workspace, WorkspaceFile, WrittenFile } from "@planwright/tools-kit";
export type { OpenSource, SourceCatalog, ToolContext } from "./tool-context.ts";

export type Tool = KitTool<ToolContext>;
export type ToolDefinition<I, O> = KitDefinition<I, O, ToolContext>;

/** `defineTool` of the kit, for tools that use the whole context. */
export function defineTool<I, O>(definition: ToolDefinition<I, O>): Tool {
  return defineKitTool(definition);
}
