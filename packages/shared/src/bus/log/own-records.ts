import type { PlanEvent } from "@planwright/plan";

const RECORDS_MAX = 4_096;
const BYTES_MAX = 8 * 1024 * 1024;
/** For a larger record, the cost of reading is small compared to its content. */
const RECORD_BYTES_MAX = 64 * 1024;

type OwnRecord = { readonly body: Uint8Array; readonly events: readonly PlanEvent[] };

/**
 * Log messages that this process has just published. A process that also follows the log receives them again and
 * already has their events: parsing and validating them would cost more than applying them.
 *
 * Records that are not received because another writer was first are evicted when there are too many.
 */
export class OwnRecords {
  /** By subject: several messages on one are rare, and only the last one is kept. */
  readonly #records = new Map<string, OwnRecord>();
  #bytes = 0;
  #isRead = false;

  /** Starts to keep records, because this process reads the log. */
  begin(): void {
    this.#isRead = true;
  }

  /** @param events - The content of `body`; neither may be changed from now on. */
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

  /** Returns the events of a stored message if this process has published exactly these bytes. */
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
