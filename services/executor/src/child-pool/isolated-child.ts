/**
 * One child for content that may be designed to be expensive: it can only read the code that it runs, and answers one call at a
 * time.
 */
import type { z } from "zod";
import type { Wall } from "../wall/wall.ts";
import { CODE_PATHS } from "./code-paths.ts";
import { createChildPool } from "./create-child-pool.ts";

export type IsolationOptions = {
  /** Maximum duration of one call; the default depends on the child. */
  readonly deadlineMs?: number;
  readonly wall?: Wall | undefined;
};

type Settings<Reply> = Required<Pick<IsolationOptions, "deadlineMs">> &
  Pick<IsolationOptions, "wall"> & {
    readonly entry: URL;
    readonly reply: z.ZodType<Reply>;
    readonly memoryMb: number;
    readonly flags?: readonly string[];
  };

export type IsolatedChild<Reply> = Disposable & {
  /** @throws {PermanentError} The child's own errors, `deadline_exceeded` and `out_of_memory`. */
  readonly call: (request: object, options: { readonly signal: AbortSignal }) => Promise<Reply>;
};

export function startIsolatedChild<Reply>({
  reply,
  deadlineMs: timeoutMs,
  ...settings
}: Settings<Reply>): IsolatedChild<Reply> {
  const pool = createChildPool({ ...settings, readablePaths: CODE_PATHS, size: 1 });
  return {
    call: async (request, { signal }) => reply.parse(await pool.call(request, { signal, timeoutMs })),
    [Symbol.dispose]: () => pool[Symbol.dispose](),
  };
}
