/**
 * Stores the messages of ended plans outside the log: one compressed object per plan.
 *
 * An object is one message; for a plan of many megabytes, a head and several parts. The parts are stored first, each under
 * the digest of its content: no reader sees an incomplete object, and two writers never overwrite each other's parts.
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

/** Returns what the log still contains of an archived or deleted plan; undefined for other plans. */
export async function readTombstone(bus: Bus, planId: PlanId): Promise<Tombstone | undefined> {
  const message = await lastMessage(bus, submissionSubject(planId));
  return message === undefined ? undefined : Tombstone.safeParse(message.json()).data;
}

/** Describes an archived plan without its messages. */
const ArchiveHead = z.object({
  format: z.literal(1),
  /** Stream sequences of the plan's first and last message. */
  first: z.int().positive(),
  last: z.int().positive(),
  messages: z.int().positive(),
  /** SHA-256 of all messages as lines of JSON. */
  digest: z.string(),
  /** Empty when the messages are stored in the head itself. */
  parts: z.array(
    z.object({
      /** Stream sequence of the part's first message. */
      first: z.int().positive(),
      /** SHA-256 of the part's bytes, which is also its name. */
      digest: z.string(),
    }),
  ),
});
type ArchiveHead = z.infer<typeof ArchiveHead>;

const HEAD_HEADER = "Planwright-Archive";
/** Space for the head and for what the server adds to a message. */
const HEADROOM_BYTES = 16 * 1024;
/** More would not fit into the head. Enough for a plan of about four gigabytes. */
const PARTS_MAX = 2_000;

export type StoredHead = ArchiveHead & {
  /** The head's sequence in the archive's stream, which a replacement expects. */
  readonly sequence: number;
};

export type ArchiveStore = {
  /** Undefined when the plan is not archived. */
  head(planId: PlanId): Promise<StoredHead | undefined>;
  /**
   * Stores a plan's messages, and resolves once they have been read back and are the same.
   *
   * @param options.replaces - The existing head; absent if there is none. An object only grows.
   * @throws {ConflictError} When another head exists, or when `messages` ends before the replaced one.
   * @throws {PermanentError} `archive_damaged`, `archive_too_large`
   * @throws Any error of `messages`; nothing is archived then.
   */
  put(
    planId: PlanId,
    messages: AsyncIterable<ArchivedMessage>,
    options?: { readonly replaces?: StoredHead | undefined },
  ): Promise<StoredHead>;
  /**
   * Yields the plan's messages in stream order; none when the plan is not archived.
   *
   * @param options.from - The first stream sequence to return; default all.
   * @throws {PermanentError} `archive_damaged`
   */
  read(planId: PlanId, options?: { readonly from?: number }): AsyncGenerator<ArchivedMessage>;
  /** Reads everything, and throws {@link PermanentError} `archive_damaged` when it differs from what was stored. */
  check(planId: PlanId): Promise<void>;
  /** @param options.upTo - Keeps everything that was stored after this head. */
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
  // The last part is stored in the head.
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
 * Removes parts that belong to no head: those of the replaced object, and those of writers that died or lost a race.
 *
 * Removes only parts older than the head: a concurrent replacement stores its parts again.
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
