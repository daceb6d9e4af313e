/** Changes SQLite files, in a separate child process. */
import path from "node:path";
import { z } from "zod";
import { createChildPool } from "../child-pool/create-child-pool.ts";
import type { Wall } from "../wall/wall.ts";
import type { ApplyRequest, ChangeRequest } from "./change-request.ts";
import { reachOf } from "./reach-of.ts";

const MEMORY_MB = 512;
const DEADLINE_MS = 30_000;

type Options = { readonly signal: AbortSignal };

export type SourceWriter = Disposable & {
  /**
   * Makes all of the changes in one transaction, or none.
   *
   * @returns False when they have already been made for the same effect key; nothing is changed then.
   * @throws {PermanentError} `data_conflict` when a row is not as the changes expect, `rules_broken`, `changes_differ`,
   * `invalid_changeset`, `invalid_source`; nothing is changed.
   * @throws {TransientError} While another program writes to the file.
   */
  apply(changes: Omit<ApplyRequest, "do">, options: Options): Promise<boolean>;
  /** Whether the changes of an effect key have been made. */
  hasEffect(of: Pick<ApplyRequest, "name" | "path" | "effectKey">, options: Options): Promise<boolean>;
};

/** @param wall - The wall around its child; none by default. */
export function createSourceWriter(wall?: Wall): SourceWriter {
  const pool = createChildPool({
    entry: new URL("./child/change-child.ts", import.meta.url),
    // Sources can be anywhere, and SQLite keeps its journal beside them.
    readablePaths: ["*"],
    usesSqlite: true,
    flags: ["--allow-fs-write=*"],
    memoryMb: MEMORY_MB,
    // A file has only one writer at a time anyway.
    size: 1,
    wall,
  });
  const ask = async (request: ChangeRequest, { signal }: Options) => {
    const reach = wall === undefined ? undefined : await reachOf({ path: request.path, writable: true });
    const resolved = { ...request, path: path.resolve(request.path) };
    return z.boolean().parse(await pool.call(resolved, { signal, timeoutMs: DEADLINE_MS, reach }));
  };
  return {
    apply: (changes, options) => ask({ ...changes, do: "apply" }, options),
    hasEffect: (of, options) => ask({ ...of, do: "look" }, options),
    [Symbol.dispose]: () => pool[Symbol.dispose](),
  };
}
