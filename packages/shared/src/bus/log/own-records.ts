import type { PlanEvent } from "@planwright/plan";

const RECORDS_MAX = 4_096;
const BYTES_MAX = 8 * 1024 * 1024;
/** A larger record costs little to read, compared with what it says. */
const RECORD_BYTES_MAX = 64 * 1024;

type OwnRecord = { readonly body: Uint8Array; readonly events: readonly PlanEvent[] };

/**
 * Messages of the log that this process has just published. A process that also follows the log gets them back, and
 * then has their events already: reading them from JSON and checking them would cost more than applying them.
 *
 * What does not come back, since another writer was first, is forgotten when there are too many.
 */
export class OwnRecords {
  /** By subject: several messages on one are rare, and the last one is kept. */
  readonly #records = new Map<string, OwnRecord>();
  #bytes = 0;
  #isRead = false;

  /** From now on records are kept, as this process reads the log. */
  begin(): void {
    this.#isRead = true;
  }

  /** @param events - What `body` contains; neither is changed from now on. */
  keep(subject: string, body: Uint8Array, events: readonly PlanEvent[]): void {
    if (!this.#isRead || body.byteLength > RECORD_BYTES_MAX) return;
    this.#drop(subject);
    this.#records.set(subject, { body, events });
    this.#bytes += body.byteLength;
    for (const [oldest] of this.#records) {
      if (this.#records.size <= RECORDS_MAX && this.#bytes <= BYTES_MAX) return;
      this.#drop(oldest);
    }
  }

  /** Returns the events of a stored message if this process has published these very bytes. */
  take(subject: string, body: Uint8Array): readonly PlanEvent[] | undefined {
    const record = this.#records.get(subject);
    if (record === undefined || Buffer.compare(record.body, body) !== 0) return undefined;
    this.#drop(subject);
    return record.events;
  }

  #drop(subject: string): void {
    this.#bytes -= this.#records.get(subject)?.body.byteLength ?? 0;
    this.#records.delete(subject);
  }
}
