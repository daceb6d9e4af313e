/**
 * A model server with the latency of a real model: OpenAI's protocol over real HTTP, each token at its time.
 *
 * `replies.ts` determines the text, `latency.ts` the speed. The JSON schema of a request counts as input.
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  type ChatRequest,
  type ModelServer,
  schemaNameOf,
  serveModel,
  textOf,
} from "@planwright/offline-model";
import { type Question, rounds } from "../questions/question.ts";
import { modelNamed, tokenCount, tokensOf, tokenTimesMs } from "./latency.ts";
import type { ModelCall } from "./streaming-floor.ts";
import { BATCH_MARK, OBSERVATION, QUESTION, REACT_MARK, RESULTS } from "../modes/transcript.ts";
import { batchReply, judgementReply, planLinesReply, planReply, reactReply } from "./replies.ts";

export type SimulatedModel = ModelServer & {
  /** Whether replies are sent token by token; otherwise a whole reply arrives at the time of its last token. */
  setStreaming(streaming: boolean): void;
  /** The requests since the last call of this function, in order, by the question's text. */
  takeCalls(): ReadonlyMap<string, readonly ModelCall[]>;
};

export async function startSimulatedModel(questions: readonly Question[]): Promise<SimulatedModel> {
  const byText = new Map(questions.map((question) => [question.text, question]));
  let streaming = true;
  let calls = new Map<string, ModelCall[]>();

  const server = await serveModel({
    respond: (request, { signal }) => {
      const receivedAt = performance.now();
      const model = modelNamed(request.model);
      const { question, reply } = recognise(
        {
          schemaName: schemaNameOf(request),
          system: textOf(request, "system"),
          user: textOf(request, "user"),
        },
        byText,
      );
      const usage = { inputTokens: inputTokensOf(request), outputTokens: tokenCount(reply) };
      const call = { model, reply, ...usage };
      calls.set(question.text, [...(calls.get(question.text) ?? []), call]);
      const atMs = tokenTimesMs(model, usage);
      const pieces = streaming ? tokensOf(reply) : [reply];
      // A reply that is not streamed arrives when its last token would have.
      const timeOf = (index: number): number => receivedAt + atMs(streaming ? index : usage.outputTokens);
      return { text: paced(pieces, timeOf, signal), split: "pieces", usage };
    },
  });

  return {
    url: server.url,
    requests: server.requests,
    counted: server.counted,
    setStreaming(value) {
      streaming = value;
    },
    takeCalls() {
      const taken = calls;
      calls = new Map();
      return taken;
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

async function* paced(
  pieces: readonly string[],
  timeOf: (index: number) => number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  for (const [index, piece] of pieces.entries()) {
    const waitMs = timeOf(index) - performance.now();
    if (waitMs > 0) await delay(waitMs, undefined, { signal });
    yield piece;
  }
  const restMs = timeOf(pieces.length) - performance.now();
  if (restMs > 0) await delay(restMs, undefined, { signal });
}

function inputTokensOf(request: ChatRequest): number {
  const messages = request.messages.reduce((sum, { content }) => sum + tokenCount(content), 0);
  return (
    messages +
    (request.response_format === undefined ? 0 : tokenCount(JSON.stringify(request.response_format)))
  );
}

/** A request to the simulated model. It determines the question, the way of prompting and the turn. */
export type ModelRequest = {
  readonly schemaName: string | null;
  readonly system: string;
  readonly user: string;
};

export type Recognised = { readonly question: Question; readonly reply: string };

/** The model's reply when it was not shown the results that the answer relies on: recognizably wrong. */
const CANNOT_SAY = "unknown: the results are not there";
const NUMBER = /-?\d+(?:\.\d+)?(?:e[-+]?\d+)?/gi;

/**
 * The reply to a request. It contains an answer only if the request shows every result that the answer relies on, so that
 * a mode cannot skip work unnoticed.
 *
 * @throws {RangeError} When the request is about no known question.
 */
export function recognise(request: ModelRequest, byText: ReadonlyMap<string, Question>): Recognised {
  const { schemaName, system, user } = request;
  if (system.startsWith(REACT_MARK)) {
    const question = questionIn(user, byText);
    const turn = count(user, OBSERVATION);
    const shown = showsAll(user, question, { searches: turn, calculations: turn - question.searches.length });
    return { question, reply: shown ? reactReply(question, turn) : `Final Answer: ${CANNOT_SAY}` };
  }
  if (system.startsWith(BATCH_MARK)) {
    const question = questionIn(user, byText);
    const round = count(user, RESULTS);
    const done = rounds(question)
      .slice(0, Math.max(0, round - 1))
      .flat().length;
    const searches = round === 0 ? 0 : question.searches.length;
    const shown = showsAll(user, question, { searches, calculations: done });
    return { question, reply: shown ? batchReply(question, round) : `Final Answer: ${CANNOT_SAY}` };
  }
  const question = questionOfGoal(user, byText);
  if (schemaName === "plan") return { question, reply: planReply(question) };
  if (schemaName === null) return { question, reply: planLinesReply(question) };
  const all = { searches: question.searches.length, calculations: question.calculations.length };
  const shown = showsAll(user, question, all);
  return { question, reply: judgementReply(shown ? question : { ...question, answer: CANNOT_SAY }) };
}

function questionIn(user: string, byText: ReadonlyMap<string, Question>): Question {
  const start = user.indexOf(QUESTION) + QUESTION.length;
  const ends = [user.indexOf("\n\n", start), user.length].filter((index) => index >= 0);
  return known(user.slice(start, Math.min(...ends)), byText);
}

function questionOfGoal(user: string, byText: ReadonlyMap<string, Question>): Question {
  return known(/<goal>\n([\s\S]*?)\n<\/goal>/.exec(user)?.[1] ?? "", byText);
}

function known(text: string, byText: ReadonlyMap<string, Question>): Question {
  const question = byText.get(text.trim());
  if (question === undefined) throw new RangeError(`no question reads ${JSON.stringify(text.slice(0, 200))}`);
  return question;
}

/** Whether the text contains the results of the first `searches` searches and `calculations` calculations. */
function showsAll(
  text: string,
  question: Question,
  { searches, calculations }: { searches: number; calculations: number },
): boolean {
  const numbers = Array.from(text.matchAll(NUMBER), ([number]) => Number(number));
  const has = (value: number): boolean =>
    numbers.some((number) => Math.abs(number - value) <= 1e-9 * Math.abs(value));
  return (
    question.searches
      .slice(0, searches)
      .every((search) => text.includes(JSON.stringify(search.text).slice(1, -1))) &&
    question.calculations.slice(0, Math.max(0, calculations)).every(({ value }) => has(value))
  );
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}
