/** Parses conditions: recursive descent over a list of tokens, with a depth limit. */
import type { StepId } from "../values/ids.ts";
import type { Json } from "../values/json.ts";
import { parseItemReference, parseReference, type Reference } from "./references.ts";
import { type Comparison, COMPARISONS, type Condition, referencesIn } from "./condition.ts";

export const CONDITION_CHARS_MAX = 1_000;
const LEVELS_MAX = 32;

export type ParsedCondition = { readonly condition: Condition } | { readonly fault: string };

type Token =
  | { readonly kind: "literal"; readonly value: Json }
  | { readonly kind: "reference"; readonly condition: Condition }
  | { readonly kind: "symbol"; readonly text: string };

const SPACE = /^\s+/;
const TEXT = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/;
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.-])/;
const REFERENCE = /^[\w-]{1,64}\.output(?:\.[\w-]+|\[\d{1,9}\]|\["(?:[^"\\]|\\.)*"\])*/;
const QUOTED_OR_REFERENCE = new RegExp(`${TEXT.source.slice(1)}|${REFERENCE.source.slice(1)}`, "g");
const TEMPLATE = /^\{\{\s*([^{}\s](?:[^{}]{0,498}[^{}\s])?)\s*\}\}/;
const SYMBOL = /^(?:==|!=|<=|>=|&&|\|\||[<>!()])/;
const WORD = /^[A-Za-z]\w*/;
/** In a condition over arguments: an argument, with keys and indexes below it. */
const ARGUMENT = /^[A-Za-z_][\w-]{0,63}(?:\.[\w-]+|\[\d{1,9}\]|\["(?:[^"\\]|\\.)*"\])*/;

/** The operators spelled as words, and the equivalent symbols. */
const SYMBOL_OF = new Map([
  ["and", "and"],
  ["&&", "and"],
  ["or", "or"],
  ["||", "or"],
  ["not", "not"],
  ["!", "not"],
]);
const LITERALS = new Map<string, Json>([
  ["true", true],
  ["false", false],
  ["null", null],
]);
const COMPARED: ReadonlySet<string> = new Set(COMPARISONS);

class ConditionFault extends Error {}

/** Never throws: a fault is returned as a sentence. */
export function parseCondition(text: string): ParsedCondition {
  return parsed(text, tokenAt);
}

/**
 * Parses a condition over a tool's arguments, such as `amount < 100 and currency == "EUR"`: the same language, in which
 * references name arguments. A reference's path begins with the argument; its step id is meaningless.
 */
export function parseArgumentCondition(text: string): ParsedCondition {
  return parsed(text, argumentTokenAt);
}

type ReadToken = (rest: string) => { readonly token: Token; readonly length: number };

function parsed(text: string, read: ReadToken): ParsedCondition {
  if (text.length > CONDITION_CHARS_MAX) {
    return { fault: `wanted a condition of at most ${CONDITION_CHARS_MAX} characters, got ${text.length}` };
  }
  try {
    const reader = new ConditionReader(tokensOf(text, read));
    return { condition: reader.whole() };
  } catch (error) {
    if (!(error instanceof ConditionFault)) throw error;
    return { fault: error.message };
  }
}

/** The references of a condition; empty if it cannot be parsed, which the check of a plan refuses. */
export function conditionReferences(text: string | undefined): Reference[] {
  const parsed = text === undefined ? undefined : parseCondition(text);
  return parsed === undefined || "fault" in parsed ? [] : referencesIn(parsed.condition);
}

/** Renames every step that a condition refers to. */
export function renameInCondition(text: string, rename: (stepId: StepId) => StepId): string {
  return text.replaceAll(QUOTED_OR_REFERENCE, (written) => {
    const reference = parseReference(written);
    return reference === undefined
      ? written
      : rename(reference.stepId) + written.slice(reference.stepId.length);
  });
}

function tokensOf(text: string, read: ReadToken): Token[] {
  const tokens: Token[] = [];
  for (let rest = text; rest !== ""; ) {
    const space = SPACE.exec(rest)?.[0];
    if (space !== undefined) {
      rest = rest.slice(space.length);
      continue;
    }
    const { token, length } = read(rest);
    tokens.push(token);
    rest = rest.slice(length);
  }
  return tokens;
}

function argumentTokenAt(rest: string): { token: Token; length: number } {
  const written = ARGUMENT.exec(rest)?.[0];
  const word = WORD.exec(rest)?.[0];
  const isKeyword = word === written && word !== undefined && isReserved(word);
  const place = written === undefined || isKeyword ? undefined : parseItemReference(`item.${written}`);
  if (written === undefined || place === undefined) return plainTokenAt(rest, ARGUMENT_EXAMPLE);
  // The step id of an argument is never read.
  const reference: Reference = { stepId: "" as StepId, path: place.path, text: written };
  return {
    token: { kind: "reference", condition: { kind: "reference", reference } },
    length: written.length,
  };
}

function isReserved(word: string): boolean {
  return SYMBOL_OF.has(word) || LITERALS.has(word) || word === "contains";
}

function tokenAt(rest: string): { token: Token; length: number } {
  if (TEXT.test(rest)) return plainTokenAt(rest);
  const template = TEMPLATE.exec(rest);
  const written = template?.[1] ?? REFERENCE.exec(rest)?.[0];
  if (written === undefined) return plainTokenAt(rest);
  const reference = parseReference(written);
  if (reference === undefined) throw notUnderstood(written);
  const token: Token = { kind: "reference", condition: { kind: "reference", reference } };
  return { token, length: template?.[0].length ?? written.length };
}

/** A text, a number, a word or a symbol of the language. */
function plainTokenAt(rest: string, example?: string): { token: Token; length: number } {
  const quoted = TEXT.exec(rest)?.[0];
  if (quoted !== undefined) {
    const value = quoted.slice(1, -1).replaceAll(/\\(.)/gs, "$1");
    return { token: { kind: "literal", value }, length: quoted.length };
  }
  const number = NUMBER.exec(rest)?.[0];
  if (number !== undefined)
    return { token: { kind: "literal", value: Number(number) }, length: number.length };
  const text = SYMBOL.exec(rest)?.[0] ?? WORD.exec(rest)?.[0];
  if (text === undefined) throw notUnderstood(rest, example);
  const literal = LITERALS.get(text);
  const symbol = SYMBOL_OF.get(text) ?? text;
  if (literal !== undefined) return { token: { kind: "literal", value: literal }, length: text.length };
  if (/^\w/.test(symbol) && symbol !== "contains" && !SYMBOL_OF.has(symbol))
    throw notUnderstood(rest, example);
  return { token: { kind: "symbol", text: symbol }, length: text.length };
}

class ConditionReader {
  readonly #tokens: readonly Token[];
  #next = 0;
  #levels = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Condition {
    const condition = this.#or();
    const rest = this.#tokens[this.#next];
    if (rest !== undefined) throw new ConditionFault(`wanted and, or, or the end, got ${shown(rest)}`);
    return condition;
  }

  #or(): Condition {
    let left = this.#and();
    while (this.#takes("or")) left = { kind: "or", left, right: this.#and() };
    return left;
  }

  #and(): Condition {
    let left = this.#not();
    while (this.#takes("and")) left = { kind: "and", left, right: this.#not() };
    return left;
  }

  #not(): Condition {
    if (!this.#takes("not")) return this.#comparison();
    return { kind: "not", inner: this.#deeper(() => this.#not()) };
  }

  #comparison(): Condition {
    const left = this.#operand();
    const token = this.#tokens[this.#next];
    if (token?.kind !== "symbol" || !isComparison(token.text)) return left;
    this.#next += 1;
    return { kind: "comparison", operator: token.text, left, right: this.#operand() };
  }

  #operand(): Condition {
    if (this.#takes("(")) {
      const inner = this.#deeper(() => this.#or());
      if (!this.#takes(")")) throw new ConditionFault(`wanted ), got ${shown(this.#tokens[this.#next])}`);
      return inner;
    }
    const token = this.#tokens[this.#next];
    if (token === undefined || token.kind === "symbol") {
      throw new ConditionFault(
        `wanted a reference such as s1.output.total, a number, a text in quotes, true, false or null, got ${shown(token)}`,
      );
    }
    this.#next += 1;
    return token.kind === "literal" ? token : token.condition;
  }

  #takes(text: string): boolean {
    const token = this.#tokens[this.#next];
    if (token?.kind !== "symbol" || token.text !== text) return false;
    this.#next += 1;
    return true;
  }

  #deeper(read: () => Condition): Condition {
    this.#levels += 1;
    if (this.#levels > LEVELS_MAX) throw new ConditionFault(`wanted at most ${LEVELS_MAX} levels of nesting`);
    const inner = read();
    this.#levels -= 1;
    return inner;
  }
}

function isComparison(text: string): text is Comparison {
  return COMPARED.has(text);
}

const STEP_EXAMPLE = 's1.output.total > 100 and s2.output.status == "ok"';
const ARGUMENT_EXAMPLE = 'amount < 100 and currency == "EUR"';

function notUnderstood(rest: string, example: string = STEP_EXAMPLE): ConditionFault {
  const start = JSON.stringify(rest.slice(0, 40));
  return new ConditionFault(`wanted a condition such as ${example}, got ${start}`);
}

function shown(token: Token | undefined): string {
  if (token === undefined) return "the end";
  if (token.kind === "symbol") return JSON.stringify(token.text);
  if (token.kind === "literal") return JSON.stringify(token.value);
  return token.condition.kind === "reference" ? token.condition.reference.text : "a reference";
}
