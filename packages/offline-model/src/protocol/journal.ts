import { type ChatRequest, schemaNameOf } from "./chat-request.ts";

/** One request as it was received, for assertions and diagnosis. */
export type JournalEntry = {
  /** From 1, in the order of arrival. */
  readonly number: number;
  readonly model: string;
  readonly schemaName: string | null;
  readonly streams: boolean;
  readonly messages: ChatRequest["messages"];
  readonly request: ChatRequest;
};

/** The latest requests, up to a limit: a long-lived server drops the oldest. */
export type Journal = {
  readonly entries: readonly JournalEntry[];
  /** Total number of requests, including dropped ones. */
  readonly count: number;
};

export function createJournal(entriesMax: number): Journal & { add(request: ChatRequest): JournalEntry } {
  const entries: JournalEntry[] = [];
  let count = 0;
  return {
    get entries() {
      return [...entries];
    },
    get count() {
      return count;
    },
    add(request) {
      count += 1;
      const entry = {
        number: count,
        model: request.model,
        schemaName: schemaNameOf(request),
        streams: request.stream === true,
        messages: request.messages,
        request,
      };
      entries.push(entry);
      if (entries.length > entriesMax) entries.shift();
      return entry;
    },
  };
}
