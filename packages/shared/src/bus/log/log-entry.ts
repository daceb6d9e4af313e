/** What a message of the log says, for everyone who reads it. */
import { type PlanEvent, type ReadRecord, readRecords } from "@planwright/plan";
import { describeError } from "../../errors.ts";
import { type ReadHeaders, refusalOf } from "../subjects/check-writer.ts";

export type LogEntry = {
  readonly event: PlanEvent;
  /** The message's place in the stream. The events of a batch share it. */
  readonly sequence: number;
  /** The message's: that of its last event. */
  readonly subject: string;
  /** When the server stored it, in milliseconds since the epoch: the clock that all plans share. */
  readonly storedAtMs: number;
  /** Whether nothing else of its message follows. */
  readonly isLast: boolean;
};

/** A message, or a part of one, that is no event of a type that this version knows, perhaps of a newer one; or not by the event's writer. */
export type UnknownEntry = Pick<LogEntry, "sequence" | "subject" | "isLast">;

/** Why an entry is unknown. */
type Fault =
  | { readonly kind: "unknown"; readonly issues: readonly object[] }
  | { readonly kind: "malformed"; readonly reason: string }
  | { readonly kind: "refused"; readonly type: PlanEvent["type"]; readonly refusal: string };

export type LogMessage = Pick<LogEntry, "sequence" | "subject" | "storedAtMs"> & {
  readonly headers: ReadHeaders;
  /** @throws When it is no JSON. */
  readonly json: () => unknown;
};

/** The entries of a message in order, at least one. */
export function entriesOf({
  headers,
  json,
  ...message
}: LogMessage): (LogEntry | (UnknownEntry & { readonly fault: Fault }))[] {
  const { subject, sequence } = message;
  let records: readonly ReadRecord[];
  try {
    records = readRecords(json());
  } catch (error) {
    const fault = { kind: "malformed", reason: describeError(error) } as const;
    return [{ subject, sequence, isLast: true, fault }];
  }
  return records.map((record, index) => {
    const isLast = index === records.length - 1;
    const unknown = { subject, sequence, isLast };
    if (!("event" in record)) return { ...unknown, fault: { kind: "unknown", issues: record.issues } };
    const { event } = record;
    const place = records.length === 1 ? "alone" : isLast ? "last" : "batched";
    const refusal = refusalOf(event, subject, headers, place);
    if (refusal === undefined) return { ...message, event, isLast };
    return { ...unknown, fault: { kind: "refused", type: event.type, refusal } };
  });
}
