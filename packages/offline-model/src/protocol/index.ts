export { ChatRequest, schemaNameOf, textOf } from "./chat-request.ts";
export type { Journal, JournalEntry } from "./journal.ts";
export type { Ending, RefusalReply, Reply, Respond, Split, StatusReply, TextReply, Usage } from "./reply.ts";
export { type ModelLog, type ModelServer, type ServeModelOptions, serveModel } from "./serve-model.ts";
