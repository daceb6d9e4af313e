/**
 * Reads a draft while a model writes it: each step is reported as soon as its closing brace has arrived.
 *
 * States: outside → key → colon → value → comma, and inside `steps` element → separator; `ended` is final. A list outside
 * any object (`list`) is a list of steps when its first element is a step.
 */
import { describeValue, quote } from "../check/describe-value.ts";
import { isJsonObject, type Json } from "../values/json.ts";
import { Confidence, Step } from "../language/plan-language.ts";
import { planFieldFor, stepFieldFor } from "./field-names.ts";
import type { DraftEnd, DraftHandlers, DraftParser } from "./draft-end.ts";
import { parseLenientJson } from "./mend-json.ts";
import { ValueScanner } from "./value-scanner.ts";

/** The longest reply that is parsed: 4 Mi UTF-16 code units. */
const DRAFT_CHARS_MAX = 4 * 1024 * 1024;
/** Objects that hold the draft, in replies that wrap it. */
const ENVELOPES: ReadonlySet<string> = new Set(["plan", "draft", "result", "response", "output", "json"]);
const STEP_FIELDS = Object.keys(Step.shape);
const DRAFT_KEYS: ReadonlySet<string> = new Set(["reasoning", "steps", "answerFrom", "confidence"]);

/**
 * Skips prose, code fences and `<think>` parts around the draft, and objects that turn out not to be
 * a draft. After the draft's closing brace the rest is ignored.
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

type Mode = "outside" | "thinking" | "list" | "key" | "colon" | "value" | "comma" | "element" | "separator";

class DraftReader {
  readonly #handlers: DraftHandlers;
  #mode: Mode = "outside";
  /** The value that is being read, if any. */
  #capture: { scanner: ValueScanner; pieces: string[] } | undefined;
  #key = "";
  /** The last few characters outside any object, used to detect `<think>`. */
  #tail = "";
  /** The start of the reply, for the message when it contains no draft. */
  #head = "";
  #isDraft = false;
  /** Whether the draft is a list of steps without an object around it. */
  #isList = false;
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
    // Set by the line above, unless it was set before.
    return this.#end as DraftEnd;
  }

  #finish(end: DraftEnd): void {
    if (this.#end !== undefined) return;
    this.#end = end;
    this.#capture = undefined;
    this.#handlers.onEnd?.(end);
  }

  /** Reads one character outside any value. Returns the index to continue at. */
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
    } else if (char === "[") this.#mode = "list";
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
      case "list":
        // The same character may open the draft.
        if (char !== "{") this.#mode = "outside";
        return char === "{" ? this.#startValue(index) : index;
      case "value":
        if (this.#opensPlan(char)) return index + 1;
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

  /** Enters an object that contains the draft, and reads `plan` and `tasks` as the steps if they are lists. */
  #opensPlan(char: string): boolean {
    if (this.#sawSteps || this.#key === "steps") return false;
    if (char === "{" && ENVELOPES.has(this.#key)) {
      this.#handlers.onMend?.(`read the plan inside ${JSON.stringify(this.#key)}`);
      this.#mode = "key";
      return true;
    }
    if (char !== "[" || planFieldFor(this.#key, DRAFT_KEYS) !== "steps") return false;
    this.#handlers.onMend?.(`read the field ${JSON.stringify(this.#key)} as "steps"`);
    this.#isDraft = true;
    this.#sawSteps = true;
    this.#mode = "element";
    return true;
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
    if (this.#isList) {
      this.#finish({ status: "complete", steps: this.#steps, reasoning: undefined, answerFrom: undefined });
    }
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

  /** Invalid JSON ends a draft; before a draft, it was only a brace in prose. */
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
    const parsed = parseLenientJson(text);
    if (parsed?.isMended === true) this.#handlers.onMend?.(`mended the JSON of ${this.#placeText()}`);
    const value = parsed?.value;
    if (value === undefined) {
      if (this.#isDraft) this.fail("malformed", `wanted JSON in ${this.#placeText()}, got ${quote(text)}`);
      this.#mode = "outside";
    } else if (this.#mode === "key" && typeof value === "string") {
      this.#key = value;
      this.#isDraft ||= DRAFT_KEYS.has(this.#key);
      this.#mode = "colon";
    } else if (this.#mode === "list") this.#takeFirst(value);
    else if (this.#mode === "element") {
      this.#mode = "separator";
      this.#handlers.onStep(value, this.#steps++);
    } else {
      this.#mode = "comma";
      this.#takeField(value);
    }
  }

  /** The first element of a list decides whether the list contains steps or is part of the prose. */
  #takeFirst(value: Json): void {
    if (!isStep(value)) {
      this.#mode = "outside";
      return;
    }
    this.#handlers.onMend?.("read a list as the steps of the plan");
    this.#isDraft = true;
    this.#isList = true;
    this.#sawSteps = true;
    this.#mode = "separator";
    this.#handlers.onStep(value, this.#steps++);
  }

  #takeField(value: Json): void {
    const key = planFieldFor(this.#key, DRAFT_KEYS) ?? this.#key;
    if (this.#key === "reasoning" && typeof value === "string") {
      this.#reasoning = value;
      this.#handlers.onReasoning?.(value);
    } else if (key === "answerFrom" && (typeof value === "number" || typeof value === "string")) {
      this.#answerFrom = value === "" ? undefined : String(value);
    } else if (this.#key === "confidence") this.#confidence = Confidence.safeParse(value).data;
  }

  #placeText(): string {
    if (this.#mode === "element") return `step ${this.#steps + 1}`;
    if (this.#mode === "separator") return "the list of steps";
    return "the draft";
  }
}

/** Whether a value calls a tool, whatever the field's name. */
function isStep(value: Json): boolean {
  if (!isJsonObject(value)) return false;
  if (Object.hasOwn(value, "name") && Object.hasOwn(value, "arguments")) return true;
  return Object.keys(value).some(
    (name) => name === "tool" || name === "call" || stepFieldFor(name, STEP_FIELDS) === "tool",
  );
}
