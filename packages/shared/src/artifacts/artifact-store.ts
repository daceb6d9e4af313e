/**
 * Stores values that are too large for an event, and the files of a plan's workspace.
 *
 * Each artifact belongs to one plan and has a name there, which may look like a path. Writing to an existing name
 * replaces the artifact. Up to {@link ONE_MESSAGE_BYTES_MAX} an artifact is one message; above that, its bytes are
 * in the object store and the message refers to them.
 */
import type { ArtifactRef, PlanId } from "@planwright/plan";
import { createHash, randomUUID } from "node:crypto";
import type { Bus } from "../bus/connect-bus.ts";
import { createPublish } from "../bus/create-publish.ts";
import { readLastOfEach, readNext, storedSubjects } from "../bus/read-current.ts";
import { readFromLeader } from "../bus/read-from-leader.ts";
import { STREAMS, OBJECT_BUCKET } from "../bus/streams/topology.ts";
import { PermanentError } from "../errors.ts";
import { Objm, type ObjectStore } from "@nats-io/obj";
import { z } from "zod";

export const ONE_MESSAGE_BYTES_MAX = 900 * 1024;
export const ARTIFACT_BYTES_MAX = 64 * 1024 * 1024;
export const ARTIFACT_NAME_CHARS_MAX = 256;

const TYPE_HEADER = "Content-Type";
const OBJECT_HEADER = "Planwright-Object";
const NAME_HEADER = "Planwright-Name";
const BYTES_HEADER = "Planwright-Bytes";

export type Artifact = ArtifactRef & { readonly content: Uint8Array };

export type ArtifactStore = {
  /** @throws {PermanentError} `artifact_too_large` above 64 MiB, `artifact_name_invalid` for a bad name. */
  put(planId: PlanId, name: string, content: Uint8Array, contentType: string): Promise<ArtifactRef>;
  /** Undefined when the plan has no artifact of that name. */
  get(planId: PlanId, name: string): Promise<Artifact | undefined>;
  list(planId: PlanId): Promise<ArtifactRef[]>;
  /** Deletes one artifact. Its content is kept while another artifact of the plan has the same content. */
  remove(planId: PlanId, name: string): Promise<void>;
  /** Deletes all artifacts of a plan, including large contents that were replaced or never referenced. */
  removeAll(planId: PlanId): Promise<void>;
};

export function createArtifactStore(bus: Bus): ArtifactStore {
  const publish = createPublish(bus);
  const objects = openLargeObjects(bus);
  return {
    async put(planId, name, content, contentType) {
      refuseBadArtifact(name, content);
      const digest = createHash("sha256").update(content).digest("base64url");
      const headers: Record<string, string> = {
        [TYPE_HEADER]: contentType,
        [NAME_HEADER]: encodeURIComponent(name),
        [BYTES_HEADER]: String(content.byteLength),
      };
      const isLarge = content.byteLength > Math.min(ONE_MESSAGE_BYTES_MAX, bus.payloadBytesMax - 4_096);
      if (isLarge) {
        const object = `${planId}/${digest}`;
        await objects.put(object, content);
        headers[OBJECT_HEADER] = object;
      }
      const subject = subjectOf(planId, name);
      // A timestamp would make every attempt's write new; the content's digest makes a repeat a duplicate.
      const id = `${subject}/${digest}/${(await lastSequence(bus, subject)) ?? 0}`;
      const body = isLarge ? new Uint8Array() : content;
      const { duplicate } = await publish(subject, body, { id, headers });
      // The server considers it a duplicate of one that was removed within the last two minutes, and has stored nothing.
      const isMissing = duplicate && (await lastSequence(bus, subject)) === undefined;
      if (isMissing) await publish(subject, body, { id: `${id}/${randomUUID()}`, headers });
      return { name, contentType, bytes: content.byteLength };
    },

    async get(planId, name) {
      const message = await readFromLeader(bus, STREAMS.artifacts, {
        last_by_subj: subjectOf(planId, name),
      });
      if (message === null) return undefined;
      const object = message.header.get(OBJECT_HEADER);
      const content = object === "" ? message.data : await objects.get(object);
      if (content === null)
        throw new PermanentError(`the content of ${name} is gone`, { code: "artifact_lost" });
      return { name, contentType: message.header.get(TYPE_HEADER), bytes: content.byteLength, content };
    },

    async list(planId) {
      const found: ArtifactRef[] = [];
      const messages = await readLastOfEach(bus, STREAMS.artifacts, [`artifact.${planId}.*`]);
      for (const { header } of messages) {
        const name = decodeURIComponent(header.get(NAME_HEADER));
        found.push({ name, contentType: header.get(TYPE_HEADER), bytes: Number(header.get(BYTES_HEADER)) });
      }
      return found.sort((left, right) => left.name.localeCompare(right.name));
    },

    async remove(planId, name) {
      const subject = subjectOf(planId, name);
      const message = await readFromLeader(bus, STREAMS.artifacts, { last_by_subj: subject });
      if (message === null) return;
      await bus.manager.streams.purge(STREAMS.artifacts, { filter: subject });
      const object = message.header.get(OBJECT_HEADER);
      if (object === "") return;
      const others = await readLastOfEach(bus, STREAMS.artifacts, [`artifact.${planId}.*`]);
      if (others.some(({ header }) => header.get(OBJECT_HEADER) === object)) return;
      await objects.remove(object);
    },

    async removeAll(planId) {
      // By name, because no artifact refers to a large content that was replaced.
      await objects.removeAll(`${planId}/`);
      await bus.manager.streams.purge(STREAMS.artifacts, { filter: `artifact.${planId}.*` });
    },
  };
}

async function lastSequence(bus: Bus, subject: string): Promise<number | undefined> {
  const message = await readFromLeader(bus, STREAMS.artifacts, { last_by_subj: subject });
  return message?.seq;
}

function subjectOf(planId: PlanId, name: string): string {
  return `artifact.${planId}.${Buffer.from(name).toString("base64url")}`;
}

function refuseBadArtifact(name: string, content: Uint8Array): void {
  if (name === "" || name.length > ARTIFACT_NAME_CHARS_MAX || hasControlCharacters(name)) {
    const wanted = `1 to ${ARTIFACT_NAME_CHARS_MAX} printable characters`;
    throw new PermanentError(
      `wanted an artifact name of ${wanted}, got ${JSON.stringify(name.slice(0, 80))}`,
      {
        code: "artifact_name_invalid",
      },
    );
  }
  if (content.byteLength > ARTIFACT_BYTES_MAX) {
    throw new PermanentError(
      `${name} has ${content.byteLength} bytes; the limit for artifacts is ${ARTIFACT_BYTES_MAX}`,
      { code: "artifact_too_large" },
    );
  }
}

function hasControlCharacters(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[\u0000-\u001f\u007f]/.test(text);
}

/**
 * Contents that are too large for one message, stored in pieces in a NATS object store.
 *
 * Written by the client library, so that every tool for object stores can read them. Read by direct gets: the library reads
 * through a consumer, and a user that can create consumers can make the server deliver stored messages to any subject.
 */
export const OBJECT_STREAM = `OBJ_${OBJECT_BUCKET}`;
/** Pieces of 128 KiB per answer. */
const BATCH = 32;

const Info = z.object({
  nuid: z.string(),
  chunks: z.int().nonnegative(),
  size: z.int().nonnegative(),
  digest: z.string(),
  deleted: z.boolean().default(false),
});

export type LargeObjects = {
  /** Stores the content under a name derived from it; existing content is not stored again. */
  put(name: string, content: Uint8Array): Promise<void>;
  /** Null when the content is missing or incomplete. */
  get(name: string): Promise<Uint8Array | null>;
  remove(name: string): Promise<void>;
  /** Removes every object whose name has this prefix, including those that no artifact refers to. */
  removeAll(prefix: string): Promise<void>;
};

/** Opens the object store on the first write: most plans never need it. */
export function openLargeObjects(bus: Bus): LargeObjects {
  let opened: Promise<ObjectStore> | undefined;
  const objects = (): Promise<ObjectStore> => (opened ??= new Objm(bus.js).open(OBJECT_BUCKET, false));

  const infoOf = async (name: string): Promise<z.infer<typeof Info> | undefined> => {
    const last_by_subj = infoSubject(name);
    const message = await readFromLeader(bus, OBJECT_STREAM, { last_by_subj });
    const info = message === null ? undefined : Info.safeParse(message.json()).data;
    return info?.deleted === true ? undefined : info;
  };

  const remove = async (name: string): Promise<void> => {
    await (await objects()).delete(name);
    // The library leaves a marker for the deleted object.
    await bus.manager.streams.purge(OBJECT_STREAM, { filter: infoSubject(name) });
  };

  return {
    async put(name, content) {
      if ((await infoOf(name)) === undefined) await (await objects()).putBlob({ name }, content);
    },
    async get(name) {
      const info = await infoOf(name);
      if (info === undefined) return null;
      const pieces: Uint8Array[] = [];
      for (let from = 1; pieces.length < info.chunks; ) {
        const next_by_subj = `$O.${OBJECT_BUCKET}.C.${info.nuid}`;
        const batch = Math.min(BATCH, info.chunks - pieces.length);
        const messages = await readNext(bus, OBJECT_STREAM, { seq: from, next_by_subj, batch });
        const last = messages.at(-1);
        if (last === undefined) return null;
        pieces.push(...messages.map(({ data }) => data));
        from = last.seq + 1;
      }
      const content = Buffer.concat(pieces);
      const digest = createHash("sha256").update(content).digest("base64url");
      const isWhole = info.digest.replace(/^SHA-256=/, "").replace(/=+$/, "") === digest;
      return isWhole ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength) : null;
    },
    remove,
    async removeAll(prefix) {
      const names = (await storedSubjects(bus, OBJECT_STREAM, `${INFOS}>`)).map(nameIn);
      for (const name of names) if (name.startsWith(prefix)) await remove(name);
    },
  };
}

export const INFOS = `$O.${OBJECT_BUCKET}.M.`;

/** Encoded like the client library does, with padding. */
function infoSubject(name: string): string {
  return INFOS + Buffer.from(name).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

export function nameIn(subject: string): string {
  return Buffer.from(subject.slice(INFOS.length), "base64url").toString();
}
