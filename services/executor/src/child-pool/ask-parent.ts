/** The child's side of a question: blocks the whole process until the parent has answered. */
import { readSync, writeSync } from "node:fs";
import { FRAME_HEAD_BYTES, toFrame } from "./frames.ts";
import { QUESTION_FD } from "./messages.ts";

/**
 * Asks the parent, which must serve questions during this call.
 *
 * @returns The parent's reply as parsed JSON, unvalidated.
 */
export function askParent(question: unknown): unknown {
  const frame = toFrame(question);
  for (let sent = 0; sent < frame.length; ) sent += writeSync(QUESTION_FD, frame, sent);
  const head = readBytes(FRAME_HEAD_BYTES);
  return JSON.parse(readBytes(head.readUInt32LE()).toString());
}

function readBytes(count: number): Buffer {
  const bytes = Buffer.alloc(count);
  for (let read = 0; read < count; ) {
    const more = readSync(QUESTION_FD, bytes, read, count - read, null);
    // The parent is gone, so the answer is useless.
    if (more === 0) process.exit(0);
    read += more;
  }
  return bytes;
}
