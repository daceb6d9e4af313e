/**
 * Reads a draft that is written as lines, each step as soon as its line is complete:
 *
 *     s1: docs.search "price of A"
 *     s2: math.evaluate {"expression": "{{s1.output.value}} * 2"} after s1  # twice the price
 *     s3: files.write {"path": "a", "content": "{{s2.output}}"} undo files.write {"path": "a", "content": ""}
 *     s4: model.write "Explain {{s2.output.value}}" when s2.output.value > 100
 *     s5: http.fetch {"url": "{{item.url}}"} for each s1.output.results
 *     s6: model.write "Write the note" expect "names the price" review 3
 *     s7: math.evaluate "{{s4.output.words}} < 200" verifies s4
 *     answer: s2
 *
 * This is the shortest notation for a plan: a model's latency grows with the tokens that it writes, so a plan starts
 * and finishes sooner than as JSON. Other lines are skipped.
 */
import { isJsonObject, type Json, type JsonObject } from "../values/json.ts";
import type { ToolSpec } from "../language/tool-spec.ts";
import type { DraftEnd, DraftHandlers, DraftParser } from "./draft-end.ts";
import { toolNameFor } from "./field-names.ts";
import { parseLenientJson } from "./mend-json.ts";
import { ValueScanner } from "./value-scanner.ts";

/** The longest reply that is parsed: 4 Mi UTF-16 code units. */
const DRAFT_CHARS_MAX = 4 * 1024 * 1024;
const DESCRIPTION_CHARS_MAX = 200;
/** Arguments that span more lines or characters are cut off: a bracket was left open. */
const HELD_LINES_MAX = 1_000;
const HELD_CHARS_MAX = 512 * 1024;

const STEP = /^\s*(?:[-*]\s+)?`?([\w-]{1,64})\s*[:=]\s*([A-Za-z][\w-]*(?:\.[\w-]+)*)\s*/;
/** How a line with a step starts, as far as this can be determined without the tools. */
export const LINES_BEGIN = /(?:[-*]\s+)?`?[\w-]{1,64}\s*[:=]\s*[\w-]+(?:\.[\w.-]+|\s*[{["])/;
const ANSWER = /^\s*(?:[-*]\s+)?`?answer\s*[:=]\s*([\w-]+)/i;
const BY = /^\s*by\s+([a-z][a-z0-9-]{0,31})(?=\s|$)/;
const EXPECT = /^\s*expect\s+("(?:[^"\\]|\\.)*")/;
const REVIEW = /^\s*review(?:\s+([1-5]))?(?=\s|$)/;
const AFTER = /^\s*after\s+([\w-]+(?:\s*,\s*[\w-]+)*)/;
const FOR_EACH = /^\s*for each\s+\{{0,2}([\w-]{1,64}\.output(?:\.[\w-]+|\[\d{1,9}\])*)\}{0,2}/;
const TIE = /^\s*(verifies|else)\s+([\w-]{1,64})(?=\s|$)/;
const WHEN = /^\s*when\s+((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?!#|\s+undo\s)[^"'])+)/;
const UNDO = /^\s*undo\s+([A-Za-z][\w-]*(?:\.[\w-]+)*)\s*/;
const NOTE = /#\s*(.+)$/;

/** The fields of each kind of end, besides the steps read; lines hold no reasoning. */
type Ending = DraftEnd extends infer End
  ? End extends DraftEnd
    ? Omit<End, "steps" | "reasoning">
    : never
  : never;

/** @param tools - By name: a text on its own is the value of the single argument that its tool requires. */
export function createLinesParser(
  handlers: DraftHandlers,
  tools: ReadonlyMap<string, ToolSpec>,
): DraftParser {
  let chars = 0;
  /** The text so far of an incomplete line, or of a step whose arguments span several lines. */
  let rest = "";
  let steps = 0;
  let answerFrom: string | undefined;
  let end: DraftEnd | undefined;

  const finish = (ending: Ending): void => {
    if (end !== undefined) return;
    end = { ...ending, steps, reasoning: undefined };
    handlers.onEnd?.(end);
  };

  /** Returns false when the line's arguments continue in the next line. */
  const take = (line: string, isLast: boolean): boolean => {
    const answer = ANSWER.exec(line)?.[1];
    if (answer !== undefined) {
      answerFrom = /^(?:none|null)$/i.test(answer) ? undefined : answer;
      return true;
    }
    const step = stepOf(line, tools);
    if (step === "unfinished" && !isLast) return false;
    if (typeof step === "object") handlers.onStep(step, steps++);
    else if (step === "unfinished") {
      finish({ status: "truncated", message: `the reply ends inside step ${steps + 1}` });
    }
    return true;
  };

  return {
    push(piece) {
      chars += piece.length;
      if (end !== undefined) return;
      if (chars > DRAFT_CHARS_MAX) {
        const message = `wanted a reply of at most ${DRAFT_CHARS_MAX} characters, got more`;
        finish({ status: "too_large", message });
        return;
      }
      // Only a line break can end a line; without one, nothing is parsed twice.
      if (!piece.includes("\n")) {
        rest += piece;
        return;
      }
      const lines = (rest + piece).split("\n");
      rest = lines.pop() ?? "";
      let held = "";
      let heldLines = 0;
      for (const line of lines) {
        const isTooLong = heldLines >= HELD_LINES_MAX || held.length > HELD_CHARS_MAX;
        const isOver = take(held + line, isTooLong);
        held = isOver ? "" : `${held}${line}\n`;
        heldLines = isOver ? 0 : heldLines + 1;
      }
      rest = held + rest;
    },
    end() {
      if (end === undefined && rest !== "") take(rest, true);
      rest = "";
      if (steps > 0 || answerFrom !== undefined) {
        finish({ status: "complete", answerFrom });
      }
      finish({
        status: "absent",
        message: 'wanted lines such as s1: tool.name {"argument": "value"}, got none',
      });
      // Set by the line above, unless it was set before.
      return end as DraftEnd;
    },
  };
}

function stepOf(line: string, tools: ReadonlyMap<string, ToolSpec>): JsonObject | "unfinished" | undefined {
  const [head, id, named] = STEP.exec(line) ?? [];
  if (head === undefined || id === undefined || named === undefined) return undefined;
  const tool = toolNameFor(named, tools);
  // One word may be prose: `Note: the user wants …`.
  if (!tool.includes(".") && !tools.has(tool)) return undefined;
  const written = argumentsOf(line.slice(head.length));
  if (written === undefined) return "unfinished";
  const { value, text, tail } = written;
  const isText = typeof value === "string" && text.startsWith('"');
  const by = BY.exec(tail);
  const judged = judgingOf(tail.slice(by?.[0].length ?? 0));
  const after = AFTER.exec(judged.tail);
  const rest = judged.tail.slice(after?.[0].length ?? 0);
  const forEach = FOR_EACH.exec(rest);
  const { ties, behind } = tiesOf(rest.slice(forEach?.[0].length ?? 0));
  const when = WHEN.exec(behind);
  const undo = undoOf(behind.slice(when?.[0].length ?? 0), tools);
  if (undo === "unfinished") return undo;
  const note = NOTE.exec(undo.tail)?.[1]?.trim();
  return {
    id,
    description: (note ?? (isText ? value : text)).slice(0, DESCRIPTION_CHARS_MAX),
    tool,
    args: argsOf(tools.get(tool), written),
    ...(by?.[1] === undefined ? {} : { agent: by[1] }),
    ...judged.fields,
    ...(undo.compensate === undefined ? {} : { compensate: undo.compensate }),
    ...(forEach?.[1] === undefined ? {} : { forEach: { $ref: forEach[1] } }),
    ...ties,
    ...(when?.[1] === undefined ? {} : { when: when[1].trim() }),
    ...(after?.[1] === undefined ? {} : { dependsOn: after[1].split(/\s*,\s*/) }),
  };
}

/** The step's review settings, if its line has any, and the rest of the line. */
function judgingOf(tail: string): { readonly fields: JsonObject; readonly tail: string } {
  const expect = EXPECT.exec(tail);
  const behind = tail.slice(expect?.[0].length ?? 0);
  const review = REVIEW.exec(behind);
  const criteria = expect?.[1] === undefined ? undefined : parseJson(expect[1]);
  const fields: JsonObject = {};
  if (typeof criteria === "string") fields["successCriteria"] = criteria;
  if (review !== null) fields["review"] = review[1] === undefined ? {} : { maxIterations: Number(review[1]) };
  return { fields, tail: behind.slice(review?.[0].length ?? 0) };
}

/** The step that it verifies, its fallback, and the rest of the line. */
function tiesOf(tail: string): { readonly ties: JsonObject; readonly behind: string } {
  const ties: JsonObject = {};
  let behind = tail;
  for (let tie = TIE.exec(behind); tie !== null; tie = TIE.exec(behind)) {
    const [head, kind, id = ""] = tie;
    ties[kind === "else" ? "fallback" : "verifies"] = id;
    behind = behind.slice(head.length);
  }
  return { ties, behind };
}

type Undo = { readonly compensate?: JsonObject; readonly tail: string };

/** The step's compensation, if its line has one, and the rest of the line. */
function undoOf(tail: string, tools: ReadonlyMap<string, ToolSpec>): Undo | "unfinished" {
  const [head, named] = UNDO.exec(tail) ?? [];
  if (head === undefined || named === undefined) return { tail };
  const tool = toolNameFor(named, tools);
  const written = argumentsOf(tail.slice(head.length));
  if (written === undefined) return "unfinished";
  return { compensate: { tool, args: argsOf(tools.get(tool), written) }, tail: written.tail };
}

function argsOf(tool: ToolSpec | undefined, { value, text }: Written): Json {
  return typeof value === "string" && text.startsWith('"') ? loneArgument(tool, value) : value;
}

type Written = {
  readonly value: Json;
  readonly text: string;
  /** The text after the arguments. */
  readonly tail: string;
};

/** Undefined when the arguments are not complete yet. Text that is not JSON is left for the check to refuse. */
function argumentsOf(rest: string): Written | undefined {
  if (!/^[{["]/.test(rest)) return { value: {}, text: "", tail: rest };
  const length = new ValueScanner().read(rest, 0);
  if (length === undefined) return undefined;
  const text = rest.slice(0, length);
  return { value: parseJson(text) ?? text, text, tail: rest.slice(length) };
}

function loneArgument(tool: ToolSpec | undefined, text: string): Json {
  const { required, properties } = tool?.input ?? {};
  const [name, another] = Array.isArray(required) ? required : [];
  const isKnown = typeof name === "string" && another === undefined;
  if (!isKnown || properties === undefined || !isJsonObject(properties)) return text;
  return { [name]: text };
}

function parseJson(text: string): Json | undefined {
  return parseLenientJson(text)?.value;
}
