/** For unit tests: a folder that is removed after the test. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

export type TempFolder = Disposable & {
  readonly path: string;
  /** Writes a file and its parent folders, and returns its full path; `mode` applies to a new file. */
  readonly write: (file: string, content: string | Uint8Array, mode?: number) => string;
};

export function tempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), "planwright-test-"));
  return {
    path,
    write(file, content, mode) {
      const full = join(path, file);
      mkdirSync(dirname(full), { recursive: true });
      writeFileSync(full, content, { mode });
      return full;
    },
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  };
}
