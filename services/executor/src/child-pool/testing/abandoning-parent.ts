/** For tests: makes its pool's child spin, tells the child's pid, and waits to be killed. */

import { CODE_PATHS } from "../code-paths.ts";
import { createChildPool } from "../create-child-pool.ts";

const pool = createChildPool({
  entry: new URL("./misbehaving-child.ts", import.meta.url),
  readablePaths: CODE_PATHS,
  memoryMb: 128,
  size: 1,
});
const { signal } = new AbortController();
const pid = await pool.call("pid", { signal, timeoutMs: 30_000 });
process.send?.({ pid });
await pool.call("spin", { signal, timeoutMs: 600_000 });
