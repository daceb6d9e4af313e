/**
 * For tests: makes its pool's child spin, sends the child's pid to its own parent, and waits to be killed. With arguments, the
 * child runs behind the given `bwrap`, with the given process title.
 */

import { CODE_PATHS } from "../code-paths.ts";
import { createChildPool } from "../create-child-pool.ts";
import { findWall } from "../../wall/open-wall.ts";

const [bin, title] = process.argv.slice(2);
const found = bin === undefined ? undefined : await findWall({ bin });
const pool = createChildPool({
  entry: new URL("./misbehaving-child.ts", import.meta.url),
  readablePaths: CODE_PATHS,
  memoryMb: 128,
  size: 1,
  ...(found !== undefined && "wall" in found ? { wall: found.wall } : {}),
  flags: title === undefined ? [] : [`--title=${title}`],
});
const { signal } = new AbortController();
const pid = await pool.call("pid", { signal, timeoutMs: 30_000 });
process.send?.({ pid });
await pool.call("spin", { signal, timeoutMs: 600_000 });
