export { ChatRequest, schemaNameOf, textOf } from "./chat-request.ts";
export type { JournalEntry } from "./journal.ts";
export type { Ending, Reply, Respond, Usage } from "./reply.ts";
export { type ModelLog, type ModelServer, serveModel } from "./serve-model.ts";
