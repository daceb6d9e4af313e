export type {
  ModelClient,
  ModelMessage,
  ModelReply,
  ModelRequest,
  ModelUsage,
  OutputSchema,
} from "./model-client.ts";
