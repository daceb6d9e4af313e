/** The parent's side of requests that a child sends during a call. */
import type { Duplex } from "node:stream";
import { FRAME_HEAD_BYTES, toFrame } from "./frames.ts";

const QUESTION_BYTES_MAX = 1024 * 1024;

/** Answers a question; an error ends the call. */
export type Answer = (question: unknown) => Promise<unknown>;

export type QuestionSettings = {
  readonly answer: Answer;
  /** From here on the child waits for the parent. */
  readonly onAsked: () => void;
  readonly onAnswered: () => void;
  /** No further questions are answered: the child sent something that is not a question, or answering failed. */
  readonly onFailure: (error: unknown) => void;
};

/** Serves a child's questions, one at a time, until disposed. Stops at the first message that is not a question. */
export function serveQuestions(
  pipe: Duplex,
  { answer, onAsked, onAnswered, onFailure }: QuestionSettings,
): Disposable {
  let pending = Buffer.alloc(0);
  let asked = false;
  let over = false;

  const fail = (error: unknown) => {
    if (over) return;
    over = true;
    onFailure(error);
  };
  const reply = async (question: unknown) => {
    try {
      const said = await answer(question);
      if (over) return;
      asked = false;
      onAnswered();
      pipe.write(toFrame(said));
    } catch (error) {
      fail(error);
    }
  };
  const onData = (chunk: Buffer) => {
    if (over) return;
    if (asked)
      return fail(new Error("the child process sent a request before it got the response to the last one"));
    pending = Buffer.concat([pending, chunk]);
    if (pending.length < FRAME_HEAD_BYTES) return;
    const end = FRAME_HEAD_BYTES + pending.readUInt32LE();
    if (end > QUESTION_BYTES_MAX) return fail(new Error(`the child process sent a request of ${end} bytes`));
    if (pending.length < end) return;
    if (pending.length > end)
      return fail(new Error("the child process sent a request before it got the response to the last one"));
    const body = pending.subarray(FRAME_HEAD_BYTES).toString();
    pending = Buffer.alloc(0);
    asked = true;
    onAsked();
    let question: unknown;
    try {
      question = JSON.parse(body);
    } catch (cause) {
      return fail(new Error("the child process sent a request that is not JSON", { cause }));
    }
    void reply(question);
  };
  pipe.on("data", onData);
  return {
    [Symbol.dispose]() {
      over = true;
      pipe.off("data", onData);
    },
  };
}
