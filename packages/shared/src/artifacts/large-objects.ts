/**
 * Contents that are too large for one message, in the pieces of a NATS object store.
 *
 * Stored by the client library, so that every tool for object stores can read them. Read by direct gets: the library
 * reads through a consumer, and a user that may create consumers can have the server deliver stored messages to any subject.
 */
import { Objm, type ObjectStore } from "@nats-io/obj";
import { createHash } from "node:crypto";
import { z } from "zod";
import type { Bus } from "../bus/connect-bus.ts";
import { readNext, storedSubjects } from "../bus/read-current.ts";
import { readFromLeader } from "../bus/read-from-leader.ts";
import { OBJECT_BUCKET } from "../bus/streams/topology.ts";

export const OBJECT_STREAM = `OBJ_${OBJECT_BUCKET}`;
/** Pieces of 128 KiB that one answer brings. */
const BATCH = 32;

const Info = z.object({
  nuid: z.string(),
  chunks: z.int().nonnegative(),
  size: z.int().nonnegative(),
  digest: z.string(),
  deleted: z.boolean().default(false),
});

export type LargeObjects = {
  /** Stores the content under a name that follows from it: what is there is not stored again. */
  put(name: string, content: Uint8Array): Promise<void>;
  /** Null when it is not there, or not whole. */
  get(name: string): Promise<Uint8Array | null>;
  remove(name: string): Promise<void>;
  /** Removes every object whose name begins so, also those that no artifact names any more. */
  removeAll(prefix: string): Promise<void>;
};

/** The object store is opened when it is first written to: most plans never need it. */
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
    // The library leaves a note that there was one.
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

/** As the client library encodes it, with padding. */
function infoSubject(name: string): string {
  return INFOS + Buffer.from(name).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
}

export function nameIn(subject: string): string {
  return Buffer.from(subject.slice(INFOS.length), "base64url").toString();
}
