import type { ServerResponse } from "node:http";
import type { ChatRequest } from "./chat-request.ts";
import type { Tally } from "./usage.ts";

/** One request and the connection that waits for its reply. */
export type Exchange = {
  readonly id: string;
  /** Seconds since 1970, as the protocol counts. */
  readonly created: number;
  /** The model that the reply names. */
  readonly model: string;
  readonly request: ChatRequest;
  readonly response: ServerResponse;
  /** Aborts when the client has disconnected or the server closes. */
  readonly signal: AbortSignal;
  /** The server's, shared by all exchanges. */
  readonly tally: Tally;
};
