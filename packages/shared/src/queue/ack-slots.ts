/**
 * The memory shared by a service and its renewal thread: one slot per message in progress.
 *
 * Writing a slot takes about a microsecond and needs no event loop on either side, so that receiving and
 * finishing a message stays cheap and a tool that blocks its thread cannot stop the renewals.
 */
const HEADER_INTS = 4;
const SUBJECT_BYTES = 240;
const SLOT_BYTES = HEADER_INTS * 4 + 8 + SUBJECT_BYTES;

/** Indexes of a slot's integers. `generation` is even while a slot is free, odd while it is held. */
const GENERATION = 0;
const LENGTH = 1;

export type HeldMessage = {
  readonly ackSubject: string;
  /** By `monotonicMs`; after that the message is no longer renewed. */
  readonly renewUntilMs: number;
  /** Changes whenever the slot is used for another message. */
  readonly generation: number;
};

export type AckSlots = {
  readonly memory: SharedArrayBuffer;
  readonly count: number;
  hold(slot: number, ackSubject: string, renewUntilMs: number): void;
  release(slot: number): void;
  /** Undefined when the slot is free or was changed during the read. */
  read(slot: number): HeldMessage | undefined;
};

export function createAckSlots(count: number): AckSlots {
  return openAckSlots(new SharedArrayBuffer(count * SLOT_BYTES));
}

export function openAckSlots(memory: SharedArrayBuffer): AckSlots {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const at = (slot: number) => ({
    header: new Int32Array(memory, slot * SLOT_BYTES, HEADER_INTS),
    until: new DataView(memory, slot * SLOT_BYTES + HEADER_INTS * 4, 8),
    subject: new Uint8Array(memory, slot * SLOT_BYTES + HEADER_INTS * 4 + 8, SUBJECT_BYTES),
  });
  return {
    memory,
    count: Math.floor(memory.byteLength / SLOT_BYTES),

    hold(slot, ackSubject, renewUntilMs) {
      const { header, until, subject } = at(slot);
      const bytes = encoder.encode(ackSubject);
      if (bytes.byteLength > SUBJECT_BYTES)
        throw new RangeError(`wanted at most ${SUBJECT_BYTES} bytes: ${ackSubject}`);
      subject.set(bytes);
      until.setFloat64(0, renewUntilMs);
      Atomics.store(header, LENGTH, bytes.byteLength);
      Atomics.add(header, GENERATION, 1);
    },

    release(slot) {
      Atomics.add(at(slot).header, GENERATION, 1);
    },

    read(slot) {
      const { header, until, subject } = at(slot);
      const generation = Atomics.load(header, GENERATION);
      if (generation % 2 === 0) return undefined;
      // A decoder rejects shared memory, so the bytes are copied first.
      const ackSubject = decoder.decode(Uint8Array.from(subject.subarray(0, Atomics.load(header, LENGTH))));
      const renewUntilMs = until.getFloat64(0);
      if (Atomics.load(header, GENERATION) !== generation) return undefined;
      return { ackSubject, renewUntilMs, generation };
    },
  };
}
