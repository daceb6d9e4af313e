/** Dead letters: list, retry and discard failed deliveries. */
import type {
  DeadLetter,
  DeadLetterDetail,
  DeadLetterPage,
  DiscardedMany,
  Retried,
  RetriedMany,
  WhichDeadLetters,
} from "@planwright/api";
import { isProblem } from "../errors.ts";
import type { Transport } from "../http/transport.ts";
import type { RequestOptions } from "../options.ts";
import { createPages, type Pages } from "./pages.ts";

export type DeadLetterQuery = {
  /** Only dead letters of this plan. */
  readonly planId?: string | undefined;
  /** Only dead letters of this group. */
  readonly group?: string | undefined;
  /** Dead letters per page: 1 to 1,000, default 100. */
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
};

export type DeadLetters = {
  /** Newest first; each page also has the groups by cause. */
  list(query?: DeadLetterQuery, options?: RequestOptions): Pages<DeadLetter, DeadLetterPage>;
  /** With its payload. */
  get(id: string, options?: RequestOptions): Promise<DeadLetterDetail>;
  /** Runs its step again. */
  retry(id: string, options?: RequestOptions): Promise<Retried>;
  /** Runs the steps of a group, or all, again; repeat while `left` is above 0. */
  retryMany(which: WhichDeadLetters, options?: RequestOptions): Promise<RetriedMany>;
  discard(id: string, options?: RequestOptions): Promise<void>;
  /** Discards a group, or all; repeat while `left` is above 0. */
  discardMany(which: WhichDeadLetters, options?: RequestOptions): Promise<DiscardedMany>;
};

export function deadLettersOf(transport: Transport): DeadLetters {
  return {
    list: (query = {}, options) =>
      createPages({
        cursor: query.cursor,
        read: (cursor): Promise<DeadLetterPage> =>
          transport.json("listDeadLetters", {
            ...options,
            query: { ...query, limit: query.limit === undefined ? undefined : String(query.limit), cursor },
          }),
        entriesOf: ({ deadLetters }) => deadLetters,
      }),
    get: (id, options) => transport.json("getDeadLetter", { ...options, params: { id } }),
    retry: (id, options) => transport.json("retryDeadLetter", { ...options, params: { id } }),
    retryMany: (which, options) => transport.json("retryDeadLetters", { ...options, body: which }),
    discard: async (id, options) => {
      try {
        await transport.text("discardDeadLetter", { ...options, params: { id } });
      } catch (error) {
        // An earlier attempt discarded it; its response was lost.
        if (!isProblem(error, "dead_letter_not_found") || error.attempts === 1) throw error;
      }
    },
    discardMany: (which, options) => transport.json("discardDeadLetters", { ...options, body: which }),
  };
}
