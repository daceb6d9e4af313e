/** Everything that a file of tools imports: `@planwright/tools-kit`. */
export { PermanentError, TransientError } from "@planwright/shared/errors";
export { z } from "zod";
export {
  AnyJson,
  type CheckResult,
  defineTool,
  type Effect,
  type Risk,
  type Tool,
  type ToolDefinition,
  type ToolSpec,
} from "./define-tool.ts";
export { NotDoneError } from "./not-done-error.ts";
export type {
  ArtifactRef,
  DataSource,
  FactClaim,
  OpenSource,
  SourceCatalog,
  ToolContext,
  ToolLog,
  ToolModel,
  ToolModelReply,
  ToolModelRequest,
  Workspace,
  WorkspaceFile,
  WrittenFile,
} from "./tool-context.ts";
