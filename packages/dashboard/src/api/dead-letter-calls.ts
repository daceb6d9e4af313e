import type { DeadLetterDetail, DeadLetters, LettersPage, Redriven } from "./api-types.ts";

/** The gateway's calls about work that was given up. */
export type DeadLetterCalls = {
  readonly deadLetters: (signal: AbortSignal) => Promise<DeadLetters>;
  readonly letters: (group: string, cursor: string | undefined, signal: AbortSignal) => Promise<LettersPage>;
  readonly letter: (id: string, signal: AbortSignal) => Promise<DeadLetterDetail>;
  /** Tries the step of one letter once more. */
  readonly redriveOne: (id: string, signal: AbortSignal) => Promise<void>;
  readonly discardOne: (id: string, signal: AbortSignal) => Promise<void>;
  /** Tries the steps of a group once more. */
  readonly redrive: (group: string, signal: AbortSignal) => Promise<Redriven>;
  readonly discard: (group: string, signal: AbortSignal) => Promise<void>;
};

type Deps = {
  readonly get: <Body>(path: string, signal: AbortSignal) => Promise<Body>;
  readonly ask: (path: string, body: object | undefined, signal: AbortSignal) => Promise<Response>;
  readonly send: (path: string, init: RequestInit & { signal: AbortSignal }) => Promise<Response>;
};

export function deadLetterCalls({ get, ask, send }: Deps): DeadLetterCalls {
  return {
    deadLetters: (signal) => get("/v1/dead-letters?limit=1", signal),
    letters: (group, cursor, signal) =>
      get(
        `/v1/dead-letters?${new URLSearchParams({ group, limit: "20", ...(cursor !== undefined && { cursor }) })}`,
        signal,
      ),
    letter: (id, signal) => get(`/v1/dead-letters/${encodeURIComponent(id)}`, signal),
    redriveOne: async (id, signal) =>
      void (await ask(`/v1/dead-letters/${encodeURIComponent(id)}/retry`, undefined, signal)),
    discardOne: async (id, signal) =>
      void (await send(`/v1/dead-letters/${encodeURIComponent(id)}`, { method: "DELETE", signal })),
    redrive: async (group, signal) =>
      (await (await ask("/v1/dead-letters/retry", { group }, signal)).json()) as Redriven,
    discard: async (group, signal) => void (await ask("/v1/dead-letters/discard", { group }, signal)),
  };
}
