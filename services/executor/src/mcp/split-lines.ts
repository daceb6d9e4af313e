const NEWLINE = 0x0a;

export type LineSplitter = {
  /**
   * Returns the lines that end in this chunk.
   *
   * @throws {RangeError} For a line that is too long.
   */
  push(chunk: Buffer): string[];
};

/** Assembles lines from chunks; reads each byte only once. */
export function createLineSplitter(lineBytesMax: number): LineSplitter {
  let parts: Buffer[] = [];
  let bytes = 0;
  const add = (part: Buffer): void => {
    parts.push(part);
    bytes += part.byteLength;
    if (bytes > lineBytesMax) throw new RangeError(`it sent a line of more than ${lineBytesMax} bytes`);
  };
  return {
    push(chunk) {
      const lines: string[] = [];
      let from = 0;
      for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
        add(chunk.subarray(from, to));
        lines.push(Buffer.concat(parts).toString("utf8"));
        parts = [];
        bytes = 0;
        from = to + 1;
      }
      if (from < chunk.byteLength) add(chunk.subarray(from));
      return lines;
    },
  };
}
