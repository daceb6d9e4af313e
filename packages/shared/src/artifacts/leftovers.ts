/** Finds and removes what a writer that died before it finished left in the artifact stores. */
import { z } from "zod";
import type { Bus } from "../bus/connect-bus.ts";
import { readEach, readLastOfEach, storedSubjects } from "../bus/read-current.ts";
import { readFromLeader } from "../bus/read-from-leader.ts";
import { OBJECT_BUCKET, STREAMS } from "../bus/streams/topology.ts";
import { INFOS, nameIn, OBJECT_STREAM } from "./artifact-store.ts";

const PIECES = `$O.${OBJECT_BUCKET}.C.`;
const BATCH = 500;
/** Matches the object info written by every version of the client library. */
const AnyInfo = z.object({ nuid: z.string(), deleted: z.boolean().default(false) });

/** The stored subjects of one owner: its artifacts, and large contents, which may not be referenced by an artifact yet. */
export type Stored = { readonly artifacts: string[]; readonly contents: string[] };

/** Finds what is stored for owners whose ids have a prefix, by owner. */
export async function findStored(bus: Bus, prefix: string): Promise<ReadonlyMap<string, Stored>> {
  const found = new Map<string, Stored>();
  const note = (owner: string, kind: keyof Stored, subject: string): void => {
    if (!owner.startsWith(prefix)) return;
    const stored = found.get(owner) ?? { artifacts: [], contents: [] };
    stored[kind].push(subject);
    found.set(owner, stored);
  };
  for (const subject of await storedSubjects(bus, STREAMS.artifacts, "artifact.*.*"))
    note(subject.split(".")[1] ?? "", "artifacts", subject);
  for (const subject of await storedSubjects(bus, OBJECT_STREAM, `${INFOS}>`))
    note(nameIn(subject).split("/")[0] ?? "", "contents", subject);
  return found;
}

/** When the newest of these subjects was stored; undefined when none is left. */
export async function lastStoredAt(bus: Bus, { artifacts, contents }: Stored): Promise<Date | undefined> {
  const times = [
    ...(await readLastOfEach(bus, STREAMS.artifacts, artifacts)),
    ...(await readLastOfEach(bus, OBJECT_STREAM, contents)),
  ].map(({ time }) => time.getTime());
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

/**
 * Removes pieces of large contents that were stored before a given time and belong to no content, because their writer died
 * before it had stored the last piece.
 *
 * @param options.max - The number of contents, not of pieces.
 * @returns The number of contents whose pieces were removed.
 */
export async function removeLoosePieces(
  bus: Bus,
  { before, max }: { readonly before: Date; readonly max: number },
): Promise<number> {
  // Pieces first: a content completed meanwhile is in the list of contents that is read afterwards.
  const pieces = await storedSubjects(bus, OBJECT_STREAM, `${PIECES}*`);
  if (pieces.length === 0) return 0;
  const whole = await wholeContents(bus);
  let removed = 0;
  for (const subject of pieces.filter((one) => !whole.has(one.slice(PIECES.length)))) {
    const last = await readFromLeader(bus, OBJECT_STREAM, { last_by_subj: subject });
    if (last === null || last.time >= before) continue;
    if (removed === max) break;
    await bus.manager.streams.purge(OBJECT_STREAM, { filter: subject });
    removed += 1;
  }
  return removed;
}

/** Returns the names under which the pieces of complete contents are stored. */
async function wholeContents(bus: Bus): Promise<ReadonlySet<string>> {
  const whole = new Set<string>();
  for await (const info of readEach(bus, OBJECT_STREAM, { next_by_subj: `${INFOS}>`, batch: BATCH })) {
    const { nuid, deleted } = AnyInfo.parse(info.json());
    if (!deleted) whole.add(nuid);
  }
  return whole;
}
