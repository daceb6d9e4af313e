/** The two modes without a planner: the loops of other frameworks, their tools run by the system. */
import { z } from "zod";
import type { ToolCall } from "../model/replies.ts";
import { BATCH_SYSTEM, OBSERVATION, questionText, REACT_SYSTEM, RESULTS } from "./transcript.ts";

const TURNS_MAX = 40;
const FINAL = /Final Answer: (.*)$/s;
const ACTION = /Action: (\S+)\nAction Input: (\{.*\})/s;

const Call = z.object({ tool: z.string(), args: z.record(z.string(), z.unknown()) });

export type LoopDeps = {
  /** One model call. */
  readonly complete: (system: string, user: string) => Promise<string>;
  /** Runs one tool on the system and gives its output. */
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

/** Batched calls: everything that can be called now, simultaneously, then think about all results. */
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
