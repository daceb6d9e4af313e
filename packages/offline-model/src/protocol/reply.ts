/**
 * A responder's possible answers: text, or one of the ways in which real servers fail.
 *
 * `send-reply.ts` contains the HTTP side of all of them; the rules and the tests only choose one.
 */
import type { ChatRequest } from "./chat-request.ts";

/**
 * How text is split in a stream: `words` (default) is one event per word, `pieces` one event for each piece of
 * the responder, `characters` one event per character, `merged` one event and one write for everything, `bytes`
 * one event per word but cut into writes of three bytes, so that lines and characters break anywhere.
 */
export type Split = "words" | "pieces" | "characters" | "merged" | "bytes";

/**
 * How a text reply ends. `complete`: as the protocol requires. `stall`: silence, the connection stays open.
 * `reset`: the connection is destroyed. `truncated`: the response ends without its last part.
 */
export type Ending = "complete" | "stall" | "reset" | "truncated";

export type Usage = { readonly inputTokens: number; readonly outputTokens: number };

export type TextReply = {
  /** Pieces of an iterable are sent as they arrive, so a responder can withhold them. */
  readonly text: string | AsyncIterable<string>;
  readonly split?: Split;
  readonly ending?: Ending;
  readonly finishReason?: "stop" | "length" | "content_filter";
  /** Default: estimated from the text's length. `none`: the server sends no usage, even if requested. */
  readonly usage?: Usage | "none";
};

/** The model declines; the protocol carries it in a separate field. */
export type RefusalReply = { readonly refusal: string };

/** An HTTP error, unchanged: `body` is sent as JSON unless it is a string; default an OpenAI error of that status. */
export type StatusReply = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
};

export type Reply = string | AsyncIterable<string> | TextReply | RefusalReply | StatusReply;

/** Answers one request. `signal` aborts when the client has disconnected or the server closes. */
export type Respond = (
  request: ChatRequest,
  context: { readonly signal: AbortSignal },
) => Reply | Promise<Reply>;

/** A reply with its shorthand forms written out. */
type NormalReply =
  | ({ readonly kind: "text" } & TextReply)
  | ({ readonly kind: "refusal" } & RefusalReply)
  | ({ readonly kind: "status" } & StatusReply);

export function normalReply(reply: Reply): NormalReply {
  if (typeof reply === "string") return { kind: "text", text: reply };
  if (Symbol.asyncIterator in reply) return { kind: "text", text: reply, split: "pieces" };
  if ("refusal" in reply) return { kind: "refusal", ...reply };
  if ("status" in reply) return { kind: "status", ...reply };
  return { kind: "text", ...reply };
}
