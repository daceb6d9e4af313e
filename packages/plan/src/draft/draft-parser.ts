/**
 * Reads a draft while a model writes it: each step is there as soon as its closing brace has arrived.
 *
 * States: outside → key → colon → value → comma, and inside `steps` element → separator; `ended` is final.
 */

import { describeValue, quote } from "../check/describe-value.ts";
import type { Json } from "../json.ts";
import { Confidence } from "../plan-language.ts";
import { ValueScanner } from "./value-scanner.ts";

/** A reply longer than this is given up: 4 Mi UTF-16 code units. */
const DRAFT_CHARS_MAX = 4 * 1024 * 1024;
const DRAFT_KEYS: ReadonlySet<string> = new Set(["reasoning", "steps", "answerFrom", "confidence"]);

type Known = {
  /** Steps that have been handed over. */
  readonly steps: number;
  readonly reasoning: string | undefined;
};

/** How a draft ended. Everything but `complete` has a message for the log and for the model. */
export type DraftEnd =
  | (Known & {
      readonly status: "complete";
      readonly answerFrom: string | undefined;
      /** How sure the model is of the plan, from 0 to 1; absent when it does not say. */
      readonly confidence?: number;
    })
  | (Known & {
      readonly status: "absent" | "truncated" | "malformed" | "too_large";
      readonly message: string;
    });

export type DraftHandlers = {
  /** The draft's reasoning, whole. */
  readonly onReasoning?: (reasoning: string) => void;
  /** One element of `steps`, decoded and not yet checked; `index` counts from 0. */
  readonly onStep: (step: Json, index: number) => void;
  /** Called once: when the draft's closing brace arrives, it cannot be read on, or the text ends. */
  readonly onEnd?: (end: DraftEnd) => void;
};

export type DraftParser = {
  /** Takes the next piece of the model's text, cut anywhere. Throws only what a handler throws. */
  push(piece: string): void;
  /** The text is over; says how the draft ended. May be called again. */
  end(): DraftEnd;
};

/**
 * Prose, code fences and `<think>` parts around the draft are passed over, and so is an object that turns
 * out not to be a draft. After the draft's closing brace the rest is ignored.
 *
 * @param charsMax - Longest reply, in UTF-16 code units. Default: 4 Mi.
 */
export function createDraftParser(
  handlers: DraftHandlers,
  { charsMax = DRAFT_CHARS_MAX }: { charsMax?: number } = {},
): DraftParser {
  const reader = new DraftReader(handlers);
  let chars = 0;
  return {
    push(piece) {
      chars += piece.length;
      if (chars > charsMax)
        reader.fail("too_large", `wanted a reply of at most ${charsMax} characters, got more`);
      else reader.read(piece);
    },
    end: () => reader.end(),
  };
}

type Mode = "outside" | "thinking" | "key" | "colon" | "value" | "comma" | "element" | "separator";

class DraftReader {
  readonly #handlers: DraftHandlers;
  #mode: Mode = "outside";
  /** The value that is being read, if any. */
  #capture: { scanner: ValueScanner; pieces: string[] } | undefined;
  #key = "";
  /** The last few characters outside of any object, to notice `<think>`. */
  #tail = "";
  /** The start of the reply, to say what came instead of a draft. */
  #head = "";
  #isDraft = false;
  #sawSteps = false;
  #steps = 0;
  #reasoning: string | undefined;
  #answerFrom: string | undefined;
  #confidence: number | undefined;
  #end: DraftEnd | undefined;

  constructor(handlers: DraftHandlers) {
    this.#handlers = handlers;
  }

  read(piece: string): void {
    if (this.#head.length < 80) this.#head += piece.slice(0, 81);
    let index = 0;
    while (index < piece.length && this.#end === undefined) {
      index = this.#capture === undefined ? this.#step(piece, index) : this.#readValue(piece, index);
    }
  }

  fail(status: "truncated" | "malformed" | "too_large" | "absent", message: string): void {
    this.#finish({ status, message, steps: this.#steps, reasoning: this.#reasoning });
  }

  end(): DraftEnd {
    if (this.#end === undefined) {
      if (this.#isDraft) this.fail("truncated", `the reply ends inside ${this.#placeText()}`);
      else this.fail("absent", `wanted a JSON object with "steps", got ${describeValue(this.#head)}`);
    }
    // The line above has just set it, unless it was set before.
    return this.#end as DraftEnd;
  }

  #finish(end: DraftEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#capture = undefined;
    this.#handlers.onEnd?.(end);
  }

  /** Reads one character that is outside of any value. Returns the index to go on with. */
  #step(piece: string, index: number): number {
    const char = piece.charAt(index);
    if (this.#mode === "outside" || this.#mode === "thinking") this.#lookForObject(char);
    else if (!/\s/.test(char)) return this.#structure(char, index);
    return index + 1;
  }

  #lookForObject(char: string): void {
    this.#tail = (this.#tail + char).slice(-"</think>".length);
    if (this.#mode === "thinking") {
      if (this.#tail.endsWith("</think>")) this.#mode = "outside";
    } else if (this.#tail.endsWith("<think>")) this.#mode = "thinking";
    else if (char === "{") {
      this.#mode = "key";
      this.#reasoning = undefined;
      this.#answerFrom = undefined;
      this.#confidence = undefined;
    }
  }

  #structure(char: string, index: number): number {
    switch (this.#mode) {
      case "key":
        if (char === '"') return this.#startValue(index);
        if (char === "}") return this.#closeObject(index);
        return this.#unexpected("a key", char, index);
      case "colon":
        if (char !== ":") return this.#unexpected("a colon", char, index);
        this.#mode = "value";
        return index + 1;
      case "value":
        if (this.#key === "steps") return this.#openSteps(char, index);
        return /[,:}\]]/.test(char) ? this.#unexpected("a value", char, index) : this.#startValue(index);
      case "comma":
        if (char === "}") return this.#closeObject(index);
        if (char !== ",") return this.#unexpected("a comma or a closing brace", char, index);
        this.#mode = "key";
        return index + 1;
      case "element":
        if (char === "]") return this.#closeSteps(index);
        return /[,:}]/.test(char) ? this.#unexpected("a step", char, index) : this.#startValue(index);
      case "separator":
        if (char === "]") return this.#closeSteps(index);
        if (char !== ",") return this.#unexpected("a comma or the end of the steps", char, index);
        this.#mode = "element";
        return index + 1;
      default:
        return index + 1;
    }
  }

  #openSteps(char: string, index: number): number {
    if (this.#sawSteps) return this.#unexpected("one list of steps", "another", index);
    if (char !== "[") return this.#unexpected("a list of steps", char, index);
    this.#sawSteps = true;
    this.#mode = "element";
    return index + 1;
  }

  #closeSteps(index: number): number {
    this.#mode = "comma";
    return index + 1;
  }

  #closeObject(index: number): number {
    if (!this.#sawSteps) {
      if (this.#isDraft) this.fail("malformed", 'wanted an object with "steps", got one without');
      this.#mode = "outside";
    } else {
      const known = { steps: this.#steps, reasoning: this.#reasoning };
      const sure = this.#confidence === undefined ? {} : { confidence: this.#confidence };
      this.#finish({ status: "complete", ...known, answerFrom: this.#answerFrom, ...sure });
    }
    return index + 1;
  }

  /** Text that is no JSON ends a draft; anything else was only a brace in prose. */
  #unexpected(wanted: string, char: string, index: number): number {
    if (this.#isDraft) this.fail("malformed", `wanted ${wanted} in ${this.#placeText()}, got ${quote(char)}`);
    this.#mode = "outside";
    // The same character may open the draft.
    return char === "{" ? index : index + 1;
  }

  #startValue(index: number): number {
    this.#capture = { scanner: new ValueScanner(), pieces: [] };
    return index;
  }

  #readValue(piece: string, index: number): number {
    const capture = this.#capture;
    if (capture === undefined) return index;
    const end = capture.scanner.read(piece, index);
    capture.pieces.push(piece.slice(index, end));
    if (end === undefined) return piece.length;
    this.#capture = undefined;
    this.#takeValue(capture.pieces.join(""));
    return end;
  }

  #takeValue(text: string): void {
    const value = parseJson(text);
    if (value === undefined) {
      if (this.#isDraft) this.fail("malformed", `wanted JSON in ${this.#placeText()}, got ${quote(text)}`);
      this.#mode = "outside";
    } else if (this.#mode === "key" && typeof value === "string") {
      this.#key = value;
      this.#isDraft ||= DRAFT_KEYS.has(this.#key);
      this.#mode = "colon";
    } else if (this.#mode === "element") {
      this.#mode = "separator";
      this.#handlers.onStep(value, this.#steps++);
    } else {
      this.#mode = "comma";
      this.#takeField(value);
    }
  }

  #takeField(value: Json): void {
    if (this.#key === "reasoning" && typeof value === "string") {
      this.#reasoning = value;
      this.#handlers.onReasoning?.(value);
    } else if (this.#key === "answerFrom" && (typeof value === "number" || typeof value === "string")) {
      this.#answerFrom = value === "" ? undefined : String(value);
    } else if (this.#key === "confidence") this.#confidence = Confidence.safeParse(value).data;
  }

  #placeText(): string {
    if (this.#mode === "element") return `step ${this.#steps + 1}`;
    if (this.#mode === "separator") return "the list of steps";
    return "the draft";
  }
}

function parseJson(text: string): Json | undefined {
  try {
    // JSON.parse yields JSON and nothing else.
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
