/** For tests: ZIP archives, written by hand so that a single part can be invalid. */
import { Buffer } from "node:buffer";
import { deflateRawSync } from "node:zlib";

export type ZipFault = {
  /** Flags that every entry declares. */
  readonly flags?: number;
  readonly method?: number;
  /** Offset that every entry declares. */
  readonly offset?: number;
};

/** An archive of deflated files, by name. */
export function makeZip(files: Readonly<Record<string, string | Uint8Array>>, fault: ZipFault = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const packed = deflateRawSync(content, { level: 9 });
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(Buffer.byteLength(name), 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(fault.flags ?? 0, 8);
    entry.writeUInt16LE(fault.method ?? 8, 10);
    entry.writeUInt32LE(packed.byteLength, 20);
    entry.writeUInt16LE(Buffer.byteLength(name), 28);
    entry.writeUInt32LE(fault.offset ?? offset, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    offset += 30 + Buffer.byteLength(name) + packed.byteLength;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(list.byteLength, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, list, end]);
}
