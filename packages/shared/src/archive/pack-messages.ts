import { promisify } from "node:util";
import { gunzip, gunzipSync, gzip, gzipSync } from "node:zlib";
import { PermanentError } from "../errors.ts";
import { ArchivedMessage } from "./archived-message.ts";

const gzipAside = promisify(gzip);
const gunzipAside = promisify(gunzip);

/** Text to compress at a time, which determines the memory needed to read a part. */
const PART_CHARS = 2 * 1024 * 1024;
/** Far more than `packMessages` writes; keeps a damaged part from exhausting the memory. */
const PART_BYTES_MAX = 64 * 1024 * 1024;

/** Some messages of a plan as lines of JSON, compressed separately by gzip. */
export type Part = {
  /** The stream sequence of the part's first message. */
  readonly first: number;
  readonly content: Buffer;
};

/** Smaller content is compressed in this thread: handing it to another would take longer. */
const SMALL_BYTES = 16 * 1024;

type Line = { readonly sequence: number; readonly text: string };

/**
 * Compresses messages into parts of at most `bytesMax`, with only one part in memory at a time.
 *
 * @throws {PermanentError} `archive_too_large` when a single message does not fit.
 */
export async function* packMessages(
  messages: AsyncIterable<ArchivedMessage>,
  { bytesMax, onLine }: { readonly bytesMax: number; readonly onLine: (text: string) => void },
): AsyncGenerator<Part> {
  let lines: Line[] = [];
  let chars = 0;
  for await (const message of messages) {
    const text = `${JSON.stringify(message)}\n`;
    onLine(text);
    if (chars > 0 && chars + text.length > PART_CHARS) {
      yield* squeeze(lines, bytesMax);
      lines = [];
      chars = 0;
    }
    lines.push({ sequence: message.sequence, text });
    chars += text.length;
  }
  yield* squeeze(lines, bytesMax);
}

/** Returns the lines of one part, each with its line break. */
export async function linesOf(content: Uint8Array): Promise<string[]> {
  const options = { maxOutputLength: PART_BYTES_MAX };
  const isSmall = content.byteLength < SMALL_BYTES;
  const text = isSmall ? gunzipSync(content, options) : await gunzipAside(content, options);
  return text.toString().split(/(?<=\n)/);
}

export function messageOf(line: string): ArchivedMessage {
  return ArchivedMessage.parse(JSON.parse(line));
}

/** Yields one part, or two halves if it is too large. */
async function* squeeze(lines: readonly Line[], bytesMax: number): AsyncGenerator<Part> {
  const [first] = lines;
  if (first === undefined) return;
  const text = lines.map((line) => line.text).join("");
  const content = text.length < SMALL_BYTES ? gzipSync(text) : await gzipAside(text);
  if (content.byteLength <= bytesMax) {
    yield { first: first.sequence, content };
    return;
  }
  if (lines.length === 1) {
    throw new PermanentError(
      `message ${first.sequence} has ${content.byteLength} bytes; the archive accepts max ${bytesMax}`,
      { code: "archive_too_large" },
    );
  }
  const half = Math.ceil(lines.length / 2);
  yield* squeeze(lines.slice(0, half), bytesMax);
  yield* squeeze(lines.slice(half), bytesMax);
}
