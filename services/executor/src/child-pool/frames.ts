/** Messages on a pipe: four bytes of length, little-endian, then JSON in UTF-8. */
export const FRAME_HEAD_BYTES = 4;

/** @returns The bytes that carry this value. */
export function toFrame(value: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(value));
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt32LE(body.length);
  return Buffer.concat([head, body]);
}
