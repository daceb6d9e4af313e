/** Runs read-only SQL over data sources, in children that are killed with a runaway query. */
import path from "node:path";
import { PermanentError } from "@planwright/shared/errors";
import { createChildPool } from "../child-pool/create-child-pool.ts";
import type { CallOwner } from "../child-pool/start-child.ts";
import type { Wall } from "../wall/wall.ts";
import { QueryResult, type SqlParams } from "./query-result.ts";
import { type LocalSource, SourceDescription } from "./source-tables.ts";
import { reachOf } from "./reach-of.ts";
import { Snapshot } from "./snapshot.ts";
import type { SqlRequest } from "./sql-request.ts";

const CHILDREN = 2;
/** For queries of plans and tenants that have none running. */
const RESERVE = 2;
const IDLE_CHILDREN = 4;
const MEMORY_MB = 1_024;
const DEADLINE_MS = 30_000;
/** Time limit for a description that includes views; they may run anything, so they are left out when it is exceeded. */
const VIEWS_MS = 10_000;
const ENDED: ReadonlySet<string> = new Set(["deadline_exceeded", "out_of_memory"]);

export type SqlRunner = Disposable & {
  /**
   * Rows of one SELECT, max 1,000 and 1 MiB.
   *
   * @throws {PermanentError} `invalid_sql` listing the existing tables and columns, `invalid_source`, `deadline_exceeded`,
   * `out_of_memory`.
   * @throws {TransientError} When the database is locked or too many queries wait.
   */
  query(query: Query, options: Asking): Promise<QueryResult>;
  /** The tables of a source with types and samples. Errors as for `query`. */
  describe(source: LocalSource, options: Asking): Promise<SourceDescription>;
  /**
   * The whole source, for a program. Errors as for `query`, and `source_too_large`.
   *
   * @param running - The column of each table's running balance, by table.
   */
  snapshot(
    source: LocalSource,
    options: Asking & { readonly running: Readonly<Record<string, string>> },
  ): Promise<Snapshot>;
};

type Asking = {
  readonly signal: AbortSignal;
  /** The plan that it is for; none by default. */
  readonly owner?: CallOwner | undefined;
};

export type Query = {
  readonly source: LocalSource;
  readonly sql: string;
  /** By position, or by name for `:name`, `$name` and `@name`. */
  readonly params?: SqlParams;
};

/**
 * @param deadlineMs - Time limit for one query; 30 seconds by default.
 * @param memoryMb - Memory limit of a child; 1,024 by default.
 */
export function createSqlRunner({
  deadlineMs = DEADLINE_MS,
  memoryMb = MEMORY_MB,
  wall,
}: {
  readonly deadlineMs?: number;
  readonly memoryMb?: number;
  readonly wall?: Wall | undefined;
} = {}): SqlRunner {
  const pool = createChildPool({
    entry: new URL("./child/sql-child.ts", import.meta.url),
    // Sources can be anywhere; the child can read them and cannot write anywhere.
    readablePaths: ["*"],
    usesSqlite: true,
    memoryMb,
    size: CHILDREN,
    reserve: RESERVE,
    // Behind a wall, a child only serves the sources of one folder.
    idleMax: IDLE_CHILDREN,
    wall,
  });
  const ask = async (request: SqlRequest, { signal, owner }: Asking, mostMs = deadlineMs) => {
    const { source } = request;
    const reach = wall === undefined ? undefined : await reachOf({ path: source.path, writable: false });
    const resolved = { ...request, source: { ...source, path: path.resolve(source.path) } };
    return pool.call(resolved, { signal, owner, timeoutMs: Math.min(deadlineMs, mostMs), reach });
  };
  return {
    query: async ({ source, sql, params = [] }, asking) =>
      QueryResult.parse(await ask({ do: "query", source, sql, params }, asking)),
    async describe(source, asking) {
      const request = { do: "describe", source } as const;
      try {
        return SourceDescription.parse(await ask({ ...request, looksIntoViews: true }, asking, VIEWS_MS));
      } catch (error) {
        if (!(error instanceof PermanentError) || !ENDED.has(error.code)) throw error;
        return SourceDescription.parse(await ask({ ...request, looksIntoViews: false }, asking));
      }
    },
    snapshot: async (source, { running, ...asking }) =>
      Snapshot.parse(await ask({ do: "snapshot", source, running }, asking)),
    [Symbol.dispose]: () => pool[Symbol.dispose](),
  };
}
