/**
 * Reads single files of a ZIP archive through its central directory:
 * https://pkware.cachefly.net/webdocs/APPNOTE/APPNOTE-6.3.9.TXT
 *
 * The sizes that an archive states can be false, so the limits apply to the bytes that are actually unpacked.
 */
import { inflateRawSync } from "node:zlib";
import { brokenDocument, hugeDocument } from "./broken-document.ts";

const END_MARK = 0x06054b50;
const ENTRY_MARK = 0x02014b50;
const LOCAL_MARK = 0x04034b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const COMMENT_BYTES_MAX = 65_535;
const ENTRIES_MAX = 10_000;
const STORED = 0;
const DEFLATED = 8;

type Entry = {
  readonly method: number;
  readonly flags: number;
  readonly packed: number;
  readonly offset: number;
};

export type Archive = {
  /** @returns `undefined` when the file does not exist. */
  readonly read: (name: string) => Buffer | undefined;
};

/**
 * @param bytesMax - Limit on the total unpacked size of all files that are read.
 * @throws {PermanentError} `document_broken`, `document_too_large`, `document_encrypted`.
 */
export function openArchive(archive: Uint8Array, { bytesMax }: { readonly bytesMax: number }): Archive {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const entries = readDirectory(bytes);
  let left = bytesMax;
  return {
    read(name) {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      const content = unpack(bytes, entry, left);
      left -= content.byteLength;
      return content;
    },
  };
}

function readDirectory(bytes: Buffer): ReadonlyMap<string, Entry> {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  let at = bytes.readUInt32LE(end + 16);
  if (count > ENTRIES_MAX) throw hugeDocument(`its archive has ${count} files`);
  const entries = new Map<string, Entry>();
  for (let index = 0; index < count; index += 1) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY_MARK) {
      throw brokenDocument("its archive's list of files is damaged");
    }
    const nameBytes = bytes.readUInt16LE(at + 28);
    const name = bytes.toString("utf8", at + ENTRY_BYTES, at + ENTRY_BYTES + nameBytes);
    entries.set(name, {
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      packed: bytes.readUInt32LE(at + 20),
      offset: bytes.readUInt32LE(at + 42),
    });
    at += ENTRY_BYTES + nameBytes + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}

function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - END_BYTES - COMMENT_BYTES_MAX);
  for (let at = bytes.length - END_BYTES; at >= first; at -= 1) {
    if (bytes.readUInt32LE(at) === END_MARK) return at;
  }
  throw brokenDocument("its archive has no end");
}

function unpack(bytes: Buffer, { method, flags, packed, offset }: Entry, bytesMax: number): Buffer {
  if ((flags & 1) === 1) throw brokenDocument("its archive is encrypted");
  if (offset + LOCAL_BYTES > bytes.length || bytes.readUInt32LE(offset) !== LOCAL_MARK) {
    throw brokenDocument("its archive contains an invalid offset");
  }
  const start = offset + LOCAL_BYTES + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28);
  const content = bytes.subarray(start, start + packed);
  if (content.length < packed) throw brokenDocument("its archive is cut off");
  if (method === STORED && packed <= bytesMax) return content;
  if (method !== STORED && method !== DEFLATED)
    throw brokenDocument(`it uses the unsupported compression method ${method}`);
  if (method === STORED || bytesMax <= 0) throw hugeDocument(`more than ${bytesMax} bytes`);
  try {
    return inflateRawSync(content, { maxOutputLength: bytesMax });
  } catch (cause) {
    const isHuge = cause instanceof RangeError;
    throw isHuge
      ? hugeDocument(`more than ${bytesMax} bytes`)
      : brokenDocument("its compressed data is damaged", cause);
  }
}
