export { readBlocks } from "./prompt/read-blocks.ts";
export {
  ChatRequest,
  type Ending,
  type JournalEntry,
  type ModelLog,
  type ModelServer,
  type Reply,
  type Respond,
  schemaNameOf,
  serveModel,
  textOf,
  type Usage,
} from "./protocol/index.ts";
export { OFFLINE_MODEL, type OfflineModel, startOfflineModel } from "./start-offline-model.ts";
