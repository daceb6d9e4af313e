/** Reads the entries of a log message, for every reader of the log. */
import { type PlanEvent, type ReadRecord, readRecords } from "@planwright/plan";
import { describeError } from "../../errors.ts";
import { type ReadHeaders, refusalOf } from "../subjects/check-writer.ts";

export type LogEntry = {
  readonly event: PlanEvent;
  /** The message's stream sequence. The events of a batch share it. */
  readonly sequence: number;
  /** The message's subject: that of its last event. */
  readonly subject: string;
  /** When the server stored it, in milliseconds since the epoch: the clock shared by all plans. */
  readonly storedAtMs: number;
  /** Whether it is the last entry of its message. */
  readonly isLast: boolean;
};

/** A message, or part of one, that is not an event of a known type (perhaps of a newer version), or not by the event's writer. */
export type UnknownEntry = Pick<LogEntry, "sequence" | "subject" | "isLast">;

/** Why an entry is unknown. */
type Fault =
  | { readonly kind: "unknown"; readonly issues: readonly object[] }
  | { readonly kind: "malformed"; readonly reason: string }
  | { readonly kind: "refused"; readonly type: PlanEvent["type"]; readonly refusal: string };

export type LogMessage = Pick<LogEntry, "sequence" | "subject" | "storedAtMs"> & {
  readonly headers: ReadHeaders;
  /** @throws When the body is not JSON. */
  readonly json: () => unknown;
};

/** Returns the entries of a message in order, at least one. */
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
