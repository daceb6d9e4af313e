/**
 * Removes a model's reasoning from its replies.
 *
 * Servers that do not know a model's format pass its reasoning on as text: in `<think>` or a similar tag at the start of the
 * reply, without the opening tag if the chat template has written that, or as gpt-oss's channels. Only the start of a reply
 * counts; the same tags later are text, such as code about them.
 *
 * Invariants:
 *   REASON-1. However a reply is cut into pieces, the pieces that are passed on add up to the same text.
 *   REASON-2. A reply that neither begins with a reasoning tag nor has a lone closing tag is passed on unchanged.
 */

/** Opening and closing tags, in lower case. */
const TAGS: readonly (readonly [string, string])[] = [
  ...["think", "thinking", "thought", "reasoning", "reason", "seed:think"].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
  ["◁think▷", "◁/think▷"],
  ["[think]", "[/think]"],
  ["<|start_thinking|>", "<|end_thinking|>"],
];
/** The start of a gpt-oss reply whose channels the server has not separated; the answer is in the channel `final`. */
const CHANNELS = ["<|channel|>", "<|start|>assistant<|channel|>"];
const FINAL_CHANNEL = /<\|channel\|>\s*final\b[^<]{0,20}(?:<\|constrain\|>[^<]{0,20})?<\|message\|>/;
const CHANNEL_END = /<\|(?:return|end|call)\|>\s*$/;
const OPENINGS = [...TAGS.map(([open]) => open), ...CHANNELS];
const CLOSING = new RegExp(TAGS.map(([, close]) => escaped(close)).join("|"), "i");
const CLOSING_LINE = new RegExp(`^[ \\t]*(?:${CLOSING.source})[ \\t]*$`, "gim");

/** The start of a JSON reply, with or without a fence. */
export const JSON_BEGINS = /```|[{[]/;
/** The wanted text can follow a sentence or two. */
const PREAMBLE_CHARS_MAX = 300;
/** Longer than any tag or marker; the end of a reply that may be the start of one is held back. */
const MARKER_CHARS_MAX = 96;

export type ReasoningState =
  /** There was no reasoning. */
  | "none"
  | "removed"
  /** The reasoning had no opening tag. */
  | "unopened"
  /** The reasoning never ended, so there is no answer. */
  | "unclosed";

export type ReplyForm = {
  /**
   * Matches the possible starts of a line of the wanted reply; absent for free text. A reply with another start is held back
   * until it is known not to be reasoning.
   */
  readonly begins?: RegExp | undefined;
  /** The model is known to omit the opening tag: everything up to the closing one is held back. */
  readonly unopened: boolean;
};

export type ReasoningFilter = {
  /** Adds the next piece of a reply. @returns Text without reasoning that can be passed on. */
  push(piece: string): string;
  /** Ends the reply. @returns The rest of the text, and the state of the reasoning. */
  end(): { readonly text: string; readonly reasoning: ReasoningState };
};

/** Reads a reply piece by piece. */
export function createReasoningFilter(form: ReplyForm): ReasoningFilter {
  return new Filter(form);
}

/** Returns a whole reply without its reasoning. */
export function stripReasoning(
  reply: string,
  form: ReplyForm,
): { readonly text: string; readonly reasoning: ReasoningState } {
  const filter = new Filter(form);
  const begun = filter.push(reply);
  const { text, reasoning } = filter.end();
  const rest = begun + text;
  const lone = reasoning === "none" ? afterLoneTag(rest) : undefined;
  return lone === undefined ? { text: rest, reasoning } : { text: lone, reasoning: "unopened" };
}

type Mode = "start" | "reasoning" | "channels" | "held" | "text";

class Filter implements ReasoningFilter {
  readonly #unopened: boolean;
  readonly #begins: RegExp | undefined;
  #mode: Mode = "start";
  #reasoning: ReasoningState = "none";
  /** The text held back, except for its end. */
  #held: string[] = [];
  /** Text that has been read but not passed on. */
  #rest = "";
  #close = CLOSING;
  #inChannel = false;

  constructor({ begins, unopened }: ReplyForm) {
    this.#unopened = unopened;
    this.#begins = begins && new RegExp(`(?:^|\\n)[ \\t]*(?:${begins.source})`);
  }

  push(piece: string): string {
    this.#rest += piece;
    // Each turn reads a tag or a block, or waits for more.
    while (this.#turn());
    if (this.#mode !== "text") return "";
    const kept = this.#inChannel ? startOfMarker(this.#rest) : this.#rest.length;
    return this.#take(kept);
  }

  end(): { readonly text: string; readonly reasoning: ReasoningState } {
    if (this.#mode === "reasoning" || this.#mode === "channels") {
      return { text: "", reasoning: "unclosed" };
    }
    const text = this.#held.join("") + this.#take(this.#rest.length);
    return {
      text: this.#inChannel ? text.replace(CHANNEL_END, "") : text,
      reasoning: this.#reasoning,
    };
  }

  /** False when more input is needed. */
  #turn(): boolean {
    switch (this.#mode) {
      case "start":
        return this.#readStart();
      case "reasoning":
        return this.#readReasoning();
      case "channels":
        return this.#readChannels();
      case "held":
        return this.#readHeld();
      case "text":
        return false;
      default:
        return this.#mode satisfies never;
    }
  }

  #readStart(): boolean {
    const begun = this.#rest.trimStart().toLowerCase();
    // The blank lines between reasoning and answer belong to neither.
    if (this.#reasoning !== "none") this.#rest = this.#rest.trimStart();
    if (OPENINGS.some((opening) => opening.startsWith(begun) && opening !== begun)) return false;
    const tag = TAGS.find(([open]) => begun.startsWith(open));
    const channel = CHANNELS.some((opening) => begun.startsWith(opening));
    if (tag !== undefined) {
      this.#rest = this.#rest.trimStart().slice(tag[0].length);
      this.#close = new RegExp(escaped(tag[1]), "i");
      this.#mode = "reasoning";
    } else if (channel) this.#mode = "channels";
    else if (this.#reasoning === "none" && (this.#unopened || this.#begins !== undefined))
      this.#mode = "held";
    else this.#mode = "text";
    return this.#mode !== "text";
  }

  #readReasoning(): boolean {
    const close = this.#close.exec(this.#rest);
    if (close === null) {
      this.#rest = this.#rest.slice(-MARKER_CHARS_MAX);
      return false;
    }
    this.#answerBegins(close.index + close[0].length, "removed");
    return true;
  }

  #readChannels(): boolean {
    const final = FINAL_CHANNEL.exec(this.#rest);
    if (final === null) {
      this.#rest = this.#rest.slice(-MARKER_CHARS_MAX);
      return false;
    }
    this.#inChannel = true;
    this.#answerBegins(final.index + final[0].length, "removed");
    return true;
  }

  #readHeld(): boolean {
    const closing = CLOSING.exec(this.#rest);
    const wanted = this.#held.length > 0 ? null : this.#wantedStart();
    if (wanted !== null && (closing === null || wanted.index < closing.index)) {
      this.#mode = "text";
      return false;
    }
    if (closing !== null) {
      this.#held = [];
      this.#answerBegins(closing.index + closing[0].length, "unopened");
      return true;
    }
    if (this.#rest.length > PREAMBLE_CHARS_MAX)
      this.#held.push(this.#take(this.#rest.length - MARKER_CHARS_MAX));
    return false;
  }

  #wantedStart(): RegExpExecArray | null {
    if (this.#unopened || this.#begins === undefined) return null;
    return this.#begins.exec(this.#rest.slice(0, PREAMBLE_CHARS_MAX));
  }

  #answerBegins(at: number, reasoning: ReasoningState): void {
    this.#rest = this.#rest.slice(at);
    this.#reasoning = reasoning;
    this.#mode = "start";
  }

  #take(length: number): string {
    const text = this.#rest.slice(0, length);
    this.#rest = this.#rest.slice(length);
    return text;
  }
}

/** The index where the end of a text could be the start of a channel's marker. */
function startOfMarker(text: string): number {
  const at = text.lastIndexOf("<|", text.length);
  if (at !== -1 && text.length - at <= MARKER_CHARS_MAX) return at;
  return text.endsWith("<") ? text.length - 1 : text.length;
}

/** The answer after a closing tag on its own line, outside of code, without an opening tag before it. */
function afterLoneTag(text: string): string | undefined {
  for (const match of text.matchAll(CLOSING_LINE)) {
    const before = text.slice(0, match.index);
    if (OPENINGS.some((opening) => before.toLowerCase().includes(opening))) return undefined;
    const fences = before.split("```").length - 1;
    if (fences % 2 === 0) return text.slice(match.index + match[0].length).trimStart();
  }
  return undefined;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
