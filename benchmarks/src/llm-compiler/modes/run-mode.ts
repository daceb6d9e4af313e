/** Answers questions in one of the modes, each timed from the question to the answer. */
import { z } from "zod";
import type { PlanClient } from "../../system/plan-client.ts";
import type { ModelName } from "../model/latency.ts";
import { SEARCH_TOOL, type ToolCall } from "../model/replies.ts";
import { isRight, type Question } from "../questions/question.ts";
import { BATCH_SYSTEM, OBSERVATION, questionText, REACT_SYSTEM, RESULTS } from "./transcript.ts";

/** In the table's order. */
export const MODES = ["streaming", "planned", "batched", "react"] as const;
export type Mode = (typeof MODES)[number];

export type Answered = { readonly question: Question; readonly seconds: number; readonly answer: string };

export type ModeDeps = {
  readonly client: PlanClient;
  readonly modelUrl: string;
  /** The model for the modes without a planner; the other modes use the planner's own. */
  readonly model: ModelName;
  /** Maximum number of concurrent questions. */
  readonly concurrency: number;
};

/** @throws When an answer differs from the data set's. */
export async function runMode(
  mode: Mode,
  questions: readonly Question[],
  deps: ModeDeps,
): Promise<Answered[]> {
  const left = questions.entries();
  const answered: Answered[] = [];
  const worker = async (): Promise<void> => {
    for (const [index, question] of left) {
      const { answer, seconds } = await answerIn(mode, question, deps);
      if (!isRight(answer, question.label)) {
        throw new Error(`${mode}, question ${question.id}: wanted ${question.label}, got ${answer}`);
      }
      answered[index] = { question, seconds, answer };
    }
  };
  await Promise.all(Array.from({ length: deps.concurrency }, worker));
  return answered;
}

async function answerIn(
  mode: Mode,
  { text }: Question,
  { client, modelUrl, model }: ModeDeps,
): Promise<{ answer: string; seconds: number }> {
  if (mode === "streaming" || mode === "planned") {
    const body = { goal: text, strategy: "parallel", learn: false, tools: [SEARCH_TOOL, "math.evaluate"] };
    const { answer, answeredMs } = await client.run(body);
    return { answer: answerText(answer), seconds: answeredMs / 1_000 };
  }
  const startedAt = performance.now();
  const loop = mode === "react" ? reactLoop : batchLoop;
  const answer = await loop(text, {
    complete: (system, user) => complete({ modelUrl, model, system, user }),
    runTool: (call) => runTool(client, call),
  });
  return { answer, seconds: (performance.now() - startedAt) / 1_000 };
}

/** A tool call as a plan of one step. */
async function runTool(client: PlanClient, { tool, args }: ToolCall): Promise<unknown> {
  const { answer, outcome } = await client.run({
    goal: `call ${tool}`,
    plan: { steps: [{ id: "s1", tool, args }] },
  });
  if (outcome !== "succeeded") throw new Error(`${tool} ended ${outcome}`);
  return answer;
}

const Completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

async function complete({
  modelUrl,
  model,
  system,
  user,
}: {
  modelUrl: string;
  model: string;
  system: string;
  user: string;
}): Promise<string> {
  const messages = [
    { role: "system", content: system },
    { role: "user", content: user },
  ];
  const response = await fetch(`${modelUrl}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model, messages }),
  });
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${await response.text()}`);
  return Completion.parse(await response.json()).choices[0]?.message.content ?? "";
}

const Calculated = z.object({ value: z.number() });

/** The answer of a plan: its reflector's text, or the output of its last calculation. */
function answerText(answer: unknown): string {
  const calculated = Calculated.safeParse(answer);
  return calculated.success ? String(calculated.data.value) : String(answer);
}

const TURNS_MAX = 40;
const FINAL = /Final Answer: (.*)$/s;
const ACTION = /Action: (\S+)\nAction Input: (\{.*\})/s;

const Call = z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()) });

/** The two modes without a planner: the loops of other frameworks, with tools run by the system. */
export type LoopDeps = {
  /** One model call. */
  readonly complete: (system: string, user: string) => Promise<string>;
  /** Runs one tool on the system and returns its output. */
  readonly runTool: (call: ToolCall) => Promise<unknown>;
};

/** Sequential reason-act: think, act, look, think again. */
export async function reactLoop(question: string, { complete, runTool }: LoopDeps): Promise<string> {
  let conversation = questionText(question);
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const reply = await complete(REACT_SYSTEM, conversation);
    const answer = FINAL.exec(reply)?.[1];
    if (answer !== undefined) return answer;
    const [, tool, args = ""] = ACTION.exec(reply) ?? [];
    const parsed: unknown = JSON.parse(args);
    const output = await runTool(Call.parse({ tool, args: parsed }));
    conversation += `\n${reply}${OBSERVATION}${JSON.stringify(output)}`;
  }
  throw new Error(`no answer after ${TURNS_MAX} turns`);
}

/** Batched calls: all calls that are possible now, simultaneously, then think about all results. */
export async function batchLoop(question: string, { complete, runTool }: LoopDeps): Promise<string> {
  let conversation = questionText(question);
  for (let turn = 0; turn < TURNS_MAX; turn += 1) {
    const reply = await complete(BATCH_SYSTEM, conversation);
    const answer = FINAL.exec(reply)?.[1];
    if (answer !== undefined) return answer;
    const outputs = await Promise.all(z.array(Call).min(1).parse(JSON.parse(reply)).map(runTool));
    conversation += `\n${reply}${RESULTS}${JSON.stringify(outputs)}`;
  }
  throw new Error(`no answer after ${TURNS_MAX} turns`);
}
