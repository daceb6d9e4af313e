export { readBlocks } from "./prompt/read-blocks.ts";
export {
  ChatRequest,
  type Ending,
  type Journal,
  type JournalEntry,
  type ModelLog,
  type ModelServer,
  type RefusalReply,
  type Reply,
  type Respond,
  type ServeModelOptions,
  type Split,
  type StatusReply,
  schemaNameOf,
  serveModel,
  type TextReply,
  textOf,
  type Usage,
} from "./protocol/index.ts";
export { OFFLINE_MODEL, type OfflineModel, startOfflineModel } from "./start-offline-model.ts";
