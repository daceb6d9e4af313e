/**
 * A model server that takes as long as a model does: OpenAI's protocol over real HTTP, each token at its time.
 *
 * What it writes comes from the questions (`replies.ts`), how fast from `latency.ts`. Tokens are counted at four
 * characters each, as OpenAI's rule of thumb has it, the JSON schema of a request among its input.
 */
import { setTimeout as delay } from "node:timers/promises";
import {
  type ChatRequest,
  type ModelServer,
  schemaNameOf,
  serveModel,
  textOf,
} from "@planwright/offline-model";
import type { Question } from "../questions/question.ts";
import { modelNamed, tokenTimesMs } from "./latency.ts";
import { recognise } from "./recognise.ts";

const CHARS_PER_TOKEN = 4;

export type Tally = { calls: number; inputTokens: number; outputTokens: number };

export type SimulatedModel = ModelServer & {
  /** Whether replies are sent token by token; otherwise all of a reply comes at the time of its last token. */
  setStreaming(streaming: boolean): void;
  /** What was asked and written since the last call of this, by the question's text. */
  takeTallies(): ReadonlyMap<string, Tally>;
};

export async function startSimulatedModel(questions: readonly Question[]): Promise<SimulatedModel> {
  const byText = new Map(questions.map((question) => [question.text, question]));
  let streaming = true;
  let tallies = new Map<string, Tally>();

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
      const usage = { inputTokens: inputTokensOf(request), outputTokens: tokensOf(reply) };
      const tally = tallies.get(question.text) ?? { calls: 0, inputTokens: 0, outputTokens: 0 };
      tally.calls += 1;
      tally.inputTokens += usage.inputTokens;
      tally.outputTokens += usage.outputTokens;
      tallies.set(question.text, tally);
      const atMs = tokenTimesMs(model, usage);
      const pieces = streaming ? cut(reply) : [reply];
      // A reply that is withheld comes when its last token would have come.
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
    takeTallies() {
      const taken = tallies;
      tallies = new Map();
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

function cut(text: string): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${CHARS_PER_TOKEN}}`, "gu")) ?? [];
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}

function inputTokensOf(request: ChatRequest): number {
  const messages = request.messages.reduce((sum, { content }) => sum + tokensOf(content), 0);
  return (
    messages + (request.response_format === undefined ? 0 : tokensOf(JSON.stringify(request.response_format)))
  );
}
