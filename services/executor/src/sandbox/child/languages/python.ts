import { readFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
import { QuickJS, type Snapshot } from "quickjs-wasi";
import { PROGRAM_FILE } from "../../python/guest-runtime.ts";
import type { GuestLanguage } from "./guest-language.ts";

/** Brython nests more deeply than JavaScript programs do. */
const STACK_BYTES = 512 * 1024;
const FRAME_OF_PROGRAM = new RegExp(`${RegExp.escape(PROGRAM_FILE)}:(\\d+)`);

let read: { readonly file: string; readonly image: Snapshot } | undefined;

/** The program is a module, and `result` its result. @param file - The memory image that its context starts from. */
export function python(file: string): GuestLanguage {
  return {
    open(options) {
      const image = readImage(file);
      globalThis.gc?.();
      const memoryLimit = (options.memoryLimit ?? 0) + image.memory.byteLength;
      return QuickJS.restore(image, { ...options, memoryLimit, maxStackSize: STACK_BYTES });
    },
    load: (guest, code, names) =>
      guest.evalCode(`(...values) => __python(${JSON.stringify(code)}, ${JSON.stringify(names)}, values)`),
    lineOf(stack) {
      const line = FRAME_OF_PROGRAM.exec(stack)?.[1];
      return line === undefined ? undefined : Number(line);
    },
  };
}

/** Read once per process. */
function readImage(file: string): Snapshot {
  if (read?.file !== file)
    read = { file, image: QuickJS.deserializeSnapshot(zstdDecompressSync(readFileSync(file))) };
  return read.image;
}
