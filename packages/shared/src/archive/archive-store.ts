/**
 * Where the messages of ended plans go when they leave the log: one compressed object for each plan.
 *
 * An object is one message; a plan of many megabytes is a head and parts. The parts are stored first, each under the
 * digest of its content: no reader sees an object before it is complete, and two writers never overwrite each other's.
 */
import { type PlanId, PlanArchived, PlanDeleted } from "@planwright/plan";
import { createHash } from "node:crypto";
import type { Bus } from "../bus/connect-bus.ts";
import { ConflictError, createPublish, type Publish } from "../bus/publisher.ts";
import { storedSubjects } from "../bus/read-current.ts";
import { readFromLeader, lastMessage } from "../bus/read-from-leader.ts";
import { submissionSubject } from "../bus/subjects/subjects.ts";
import { archiveHeadSubject, archivePartSubject, archiveSubjects } from "../bus/subjects/archive-subjects.ts";
import { STREAMS } from "../bus/streams/topology.ts";
import { PermanentError } from "../errors.ts";
import type { ArchivedMessage } from "./archived-message.ts";
import { linesOf, messageOf, packMessages, type Part } from "./pack-messages.ts";
import { z } from "zod";

const Tombstone = z.discriminatedUnion("type", [PlanArchived, PlanDeleted]);
export type Tombstone = z.infer<typeof Tombstone>;

/** What is left in the log of a plan that was archived or deleted; undefined when it was not. */
export async function readTombstone(bus: Bus, planId: PlanId): Promise<Tombstone | undefined> {
  const message = await lastMessage(bus, submissionSubject(planId));
  return message === undefined ? undefined : Tombstone.safeParse(message.json()).data;
}

/** What the archive knows of a plan without its messages. */
const ArchiveHead = z.object({
  format: z.literal(1),
  /** Stream sequences of the plan's first and last message. */
  first: z.int().positive(),
  last: z.int().positive(),
  messages: z.int().positive(),
  /** SHA-256 of all messages as lines of JSON. */
  digest: z.string(),
  /** Empty when the messages are beside the head itself. */
  parts: z.array(
    z.object({
      /** Stream sequence of its first message. */
      first: z.int().positive(),
      /** SHA-256 of its bytes, which is also its name. */
      digest: z.string(),
    }),
  ),
});
type ArchiveHead = z.infer<typeof ArchiveHead>;

const HEAD_HEADER = "Planwright-Archive";
/** Room for the head and what the server adds to a message. */
const HEADROOM_BYTES = 16 * 1024;
/** More would not fit the head; some four gigabytes of a plan. */
const PARTS_MAX = 2_000;

export type StoredHead = ArchiveHead & {
  /** The head's position in the archive's stream: what a replacement expects. */
  readonly sequence: number;
};

export type ArchiveStore = {
  /** Undefined when the plan is not archived. */
  head(planId: PlanId): Promise<StoredHead | undefined>;
  /**
   * Stores a plan's messages, and resolves once what was stored was read back and is the same.
   *
   * @param options.replaces - The head that was there; absent: none was. An object only grows.
   * @throws {ConflictError} When another head is there, or `messages` ends before the one that was there.
   * @throws {PermanentError} `archive_damaged`, `archive_too_large`
   * @throws What `messages` throws; nothing is archived then.
   */
  put(
    planId: PlanId,
    messages: AsyncIterable<ArchivedMessage>,
    options?: { readonly replaces?: StoredHead | undefined },
  ): Promise<StoredHead>;
  /**
   * The plan's messages in stream order; none when it is not archived.
   *
   * @param options.from - The first stream sequence wanted; default all.
   * @throws {PermanentError} `archive_damaged`
   */
  read(planId: PlanId, options?: { readonly from?: number }): AsyncGenerator<ArchivedMessage>;
  /** Reads everything, and throws when it is not what was stored: {@link PermanentError} `archive_damaged`. */
  check(planId: PlanId): Promise<void>;
  /** @param options.upTo - Leaves alone what was stored after this head. */
  remove(planId: PlanId, options: { readonly upTo: StoredHead }): Promise<void>;
};

type Opened = { readonly head: StoredHead; readonly content: Uint8Array };

export function createArchiveStore(bus: Bus): ArchiveStore {
  const publish = createPublish(bus);
  const get = (subject: string) => readFromLeader(bus, STREAMS.archive, { last_by_subj: subject });

  const open = async (planId: PlanId): Promise<Opened | undefined> => {
    const message = await get(archiveHeadSubject(planId));
    if (message === null) return undefined;
    const head = ArchiveHead.parse(JSON.parse(message.header.get(HEAD_HEADER)));
    return { head: { ...head, sequence: message.seq }, content: message.data };
  };

  async function* contents(planId: PlanId, opened: Opened, from: number): AsyncGenerator<Uint8Array> {
    const { head, content } = opened;
    if (head.parts.length === 0) yield content;
    for (const [index, { digest }] of head.parts.entries()) {
      if ((head.parts[index + 1]?.first ?? Number.POSITIVE_INFINITY) <= from) continue;
      const part = await get(archivePartSubject(planId, digest));
      if (part === null) throw damaged(planId, `part ${index + 1} of ${head.parts.length} is missing`);
      yield part.data;
    }
  }

  async function* lines(planId: PlanId, opened: Opened, from = 1): AsyncGenerator<string> {
    for await (const content of contents(planId, opened, from)) {
      try {
        yield* await linesOf(content);
      } catch (cause) {
        throw damaged(planId, "it cannot be decompressed", cause);
      }
    }
  }

  const check = async (planId: PlanId): Promise<void> => {
    const opened = await open(planId);
    if (opened === undefined) throw damaged(planId, "it is missing");
    const hash = createHash("sha256");
    for await (const line of lines(planId, opened)) hash.update(line);
    if (opened.head.digest !== hash.digest("base64url")) throw damaged(planId, "its checksum does not match");
  };

  return {
    head: async (planId) => (await open(planId))?.head,
    async put(planId, messages, { replaces } = {}) {
      const head = await storeObject({ publish, bytesMax: bus.payloadBytesMax - HEADROOM_BYTES }, planId, {
        messages,
        replaces,
      });
      await check(planId);
      if (head.parts.length + (replaces?.parts.length ?? 0) > 0) await purgeOtherParts(bus, planId, head);
      return head;
    },
    async *read(planId, { from = 1 } = {}) {
      const opened = await open(planId);
      if (opened === undefined) return;
      for await (const line of lines(planId, opened, from)) {
        const message = messageOf(line);
        if (message.sequence >= from) yield message;
      }
    },
    check,
    async remove(planId, { upTo }) {
      const filter = archiveSubjects(planId);
      await bus.manager.streams.purge(STREAMS.archive, { filter, seq: upTo.sequence + 1 });
    },
  };
}

type Storing = { readonly publish: Publish; readonly bytesMax: number };

async function storeObject(
  { publish, bytesMax }: Storing,
  planId: PlanId,
  { messages, replaces }: { messages: AsyncIterable<ArchivedMessage>; replaces: StoredHead | undefined },
): Promise<StoredHead> {
  const expected = replaces?.sequence ?? 0;
  const hash = createHash("sha256");
  const seen = { first: 0, last: 0, messages: 0 };
  const counted = async function* () {
    for await (const message of messages) {
      seen.first ||= message.sequence;
      seen.last = message.sequence;
      seen.messages += 1;
      yield message;
    }
  };
  const parts: ArchiveHead["parts"] = [];
  const storePart = async ({ first, content }: Part): Promise<void> => {
    if (parts.length === PARTS_MAX)
      throw new PermanentError("the plan is too large", { code: "archive_too_large" });
    const digest = createHash("sha256").update(content).digest("base64url");
    const subject = archivePartSubject(planId, digest);
    await publish(subject, content, { id: `${subject}/${expected}` });
    parts.push({ first, digest });
  };
  // One part is held back: when no other follows, it goes with the head.
  let held: Part | undefined;
  for await (const part of packMessages(counted(), { bytesMax, onLine: (line) => hash.update(line) })) {
    if (held !== undefined) await storePart(held);
    held = part;
  }
  if (held === undefined) throw new RangeError(`wanted messages of ${planId}, got none`);
  if (parts.length > 0) await storePart(held);
  const isSameLife = replaces !== undefined && seen.first <= replaces.last;
  if (isSameLife && (seen.messages < replaces.messages || seen.last < replaces.last)) {
    throw new ConflictError(`the archive of ${planId} contains more messages than its replacement`);
  }

  const head: ArchiveHead = { format: 1, ...seen, digest: hash.digest("base64url"), parts };
  const subject = archiveHeadSubject(planId);
  const { sequence } = await publish(subject, parts.length > 0 ? new Uint8Array() : held.content, {
    id: `${subject}/${head.digest}/${expected}`,
    expect: { sequence: expected },
    headers: { [HEAD_HEADER]: JSON.stringify(head) },
  });
  return { ...head, sequence };
}

/**
 * Removes parts that belong to no head: of the object that was replaced, and of writers that died or came second.
 *
 * Only what is older than the head: a concurrent replacement stores the parts again.
 */
async function purgeOtherParts(bus: Bus, planId: PlanId, { sequence, parts }: StoredHead): Promise<void> {
  const wanted = new Set(parts.map(({ digest }) => archivePartSubject(planId, digest)));
  for (const filter of await storedSubjects(bus, STREAMS.archive, archiveSubjects(planId))) {
    if (wanted.has(filter) || filter === archiveHeadSubject(planId)) continue;
    await bus.manager.streams.purge(STREAMS.archive, { filter, seq: sequence });
  }
}

function damaged(planId: PlanId, why: string, cause?: unknown): PermanentError {
  return new PermanentError(`the archive of ${planId} is damaged: ${why}`, {
    code: "archive_damaged",
    cause,
  });
}
