/**
 * Reads the wire format of Protocol Buffers: one field after the other, each with its number.
 *
 * Source: https://protobuf.dev/programming-guides/encoding/. Groups, which proto3 does not have, are refused.
 */

/** The bytes are not Protocol Buffers, or end too early. */
export class WireError extends Error {
  override readonly name = "WireError";
}

/** The maximum number of nested messages: an empty one takes two bytes, but hundreds when decoded. */
const MESSAGES_MAX = 1_000_000;
const VARINT_BYTES_MAX = 10;
const SAFE_BYTES = 4;
const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;

type Inside = { readonly start: number; readonly end: number; readonly room: { messages: number } };

export class WireReader {
  readonly #bytes: Buffer;
  readonly #end: number;
  /** The remaining number of messages, shared with nested readers. */
  readonly #room: { messages: number };
  #at: number;
  #wireType = 0;

  constructor(
    bytes: Buffer,
    { start = 0, end = bytes.length, room = { messages: MESSAGES_MAX } }: Partial<Inside> = {},
  ) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
    this.#room = room;
  }

  /** The number of the next field; 0 at the end. Its value must be read, or skipped, before the next one. */
  nextField(): number {
    if (this.#at === this.#end) return 0;
    const tag = this.uint();
    this.#wireType = tag % 8;
    const field = Math.floor(tag / 8);
    if (field < 1 || field > 0x1fffffff) throw new WireError(`there is no field ${field}`);
    return field;
  }

  /** An unsigned integer; rounded to the nearest number if it is too large to be exact. */
  uint(): number {
    const value = this.#varint();
    return typeof value === "number" ? value : Number(value);
  }

  /** A signed integer, exact: as text when a number cannot hold it. */
  int64(): number | string {
    this.#expect(VARINT);
    const value = this.#varint();
    if (typeof value === "number") return value;
    const signed = BigInt.asIntN(64, value);
    const near = Number(signed);
    return Number.isSafeInteger(near) ? near : String(signed);
  }

  uint32(): number {
    this.#expect(VARINT);
    return this.uint() % 2 ** 32;
  }

  bool(): boolean {
    return this.int64() !== 0;
  }

  /** In decimal digits. */
  fixed64(): string {
    this.#expect(FIXED64);
    return String(this.#bytes.readBigUInt64LE(this.#take(8)));
  }

  double(): number {
    this.#expect(FIXED64);
    return this.#bytes.readDoubleLE(this.#take(8));
  }

  text(): string {
    const [start, end] = this.#delimited();
    return this.#bytes.toString("utf8", start, end);
  }

  bytes(encoding: "hex" | "base64"): string {
    const [start, end] = this.#delimited();
    return this.#bytes.toString(encoding, start, end);
  }

  message(): WireReader {
    const [start, end] = this.#delimited();
    this.#room.messages -= 1;
    if (this.#room.messages < 0) throw new WireError(`more than ${MESSAGES_MAX} messages`);
    return new WireReader(this.#bytes, { start, end, room: this.#room });
  }

  /** Skips the value of an unused field. */
  skip(): void {
    switch (this.#wireType) {
      case VARINT:
        this.#varint();
        return;
      case FIXED64:
        this.#take(8);
        return;
      case DELIMITED:
        this.#delimited();
        return;
      case FIXED32:
        this.#take(4);
        return;
      default:
        throw new WireError(`there is no wire type ${this.#wireType}`);
    }
  }

  #delimited(): [start: number, end: number] {
    this.#expect(DELIMITED);
    const length = this.uint();
    const start = this.#take(length);
    return [start, start + length];
  }

  /** The position of the next bytes, after checking that they exist. */
  #take(length: number): number {
    const start = this.#at;
    if (length > this.#end - start) throw new WireError(`wanted ${length} bytes at ${start}, got fewer`);
    this.#at = start + length;
    return start;
  }

  #expect(wireType: number): void {
    if (this.#wireType === wireType) return;
    throw new WireError(`wanted wire type ${wireType} at ${this.#at}, got ${this.#wireType}`);
  }

  #varint(): number | bigint {
    const start = this.#at;
    let value = 0;
    for (let index = 0; index < SAFE_BYTES; index += 1) {
      const byte = this.#byte(start + index);
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) {
        this.#at = start + index + 1;
        return value;
      }
    }
    let large = BigInt(value);
    for (let index = SAFE_BYTES; index < VARINT_BYTES_MAX; index += 1) {
      const byte = this.#byte(start + index);
      large += BigInt(byte & 0x7f) << BigInt(7 * index);
      if (byte < 0x80) {
        this.#at = start + index + 1;
        return BigInt.asUintN(64, large);
      }
    }
    throw new WireError(`a number of more than ${VARINT_BYTES_MAX} bytes at ${start}`);
  }

  #byte(at: number): number {
    const byte = at < this.#end ? this.#bytes[at] : undefined;
    if (byte === undefined) throw new WireError(`wanted a byte at ${at}, got the end`);
    return byte;
  }
}
