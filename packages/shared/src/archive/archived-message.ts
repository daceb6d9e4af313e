/** One message of a plan's log in the archive: everything that the stream stored with it, as one line of JSON. */
import type { StoredMsg } from "@nats-io/jetstream";
import type { PlanEvent } from "@planwright/plan";
import { z } from "zod";
import { entriesOf } from "../bus/log/log-entry.ts";
import { isUtf8 } from "node:buffer";

export const ArchivedMessage = z.object({
  /** The message's stream sequence. */
  sequence: z.int().positive(),
  /** When the stream stored it, in the server's notation. */
  time: z.string(),
  subject: z.string(),
  headers: z.record(z.string(), z.array(z.string())),
  /** As text, or as base64 if the body is not text. */
  body: z.string(),
  base64: z.literal(true).optional(),
});
export type ArchivedMessage = z.infer<typeof ArchivedMessage>;

export function archivedMessageOf({ seq, timestamp, subject, header, data }: StoredMsg): ArchivedMessage {
  const headers: Record<string, string[]> = {};
  for (const name of header?.keys() ?? []) headers[name] = header.values(name);
  const message = { sequence: seq, time: timestamp, subject, headers };
  const bytes = Buffer.from(data);
  return isUtf8(bytes)
    ? { ...message, body: bytes.toString() }
    : { ...message, body: bytes.toString("base64"), base64: true };
}

/** Returns the body as it was stored. */
export function bodyOf({ body, base64 }: ArchivedMessage): Buffer {
  return Buffer.from(body, base64 ? "base64" : "utf8");
}

/** Returns the entries of a message; see `entriesOf`. */
export function archivedEntries(message: ArchivedMessage): ReturnType<typeof entriesOf> {
  const { sequence, subject, headers, time } = message;
  return entriesOf({
    sequence,
    subject,
    storedAtMs: Date.parse(time),
    headers: { get: (name) => headers[name]?.[0] ?? "" },
    json: (): unknown => JSON.parse(bodyOf(message).toString()),
  });
}

/** Returns the events of a message, without those of types unknown to this version or by the wrong writer. */
export function eventsIn(message: ArchivedMessage): PlanEvent[] {
  return archivedEntries(message).flatMap((entry) => ("event" in entry ? [entry.event] : []));
}
