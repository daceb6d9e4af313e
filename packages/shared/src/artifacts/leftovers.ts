/** What a writer leaves in the stores of artifacts when it dies before it has finished. */
import type { PlanId } from "@planwright/plan";
import { z } from "zod";
import type { Bus } from "../bus/connect-bus.ts";
import { readLastOfEach, readNext } from "../bus/read-current.ts";
import { readFromLeader } from "../bus/read-from-leader.ts";
import { OBJECT_BUCKET, STREAMS } from "../bus/topology.ts";
import { INFOS, infoSubject, nameIn, OBJECT_STREAM } from "./large-objects.ts";

const PIECES = `$O.${OBJECT_BUCKET}.C.`;
const BATCH = 500;
/** Of every version of the client library. */
const AnyInfo = z.object({ nuid: z.string(), deleted: z.boolean().default(false) });

/** The owners, under ids that begin so, of whatever is stored: artifacts, or a large content that no artifact names yet. */
export async function findOwners(bus: Bus, prefix: string): Promise<string[]> {
  const artifacts = await subjectsOf(bus, STREAMS.artifacts, "artifact.*.*");
  const objects = await subjectsOf(bus, OBJECT_STREAM, `${INFOS}>`);
  const owners = [
    ...artifacts.map((subject) => subject.split(".")[1] ?? ""),
    ...objects.map((subject) => nameIn(subject).split("/")[0] ?? ""),
  ];
  return [...new Set(owners)].filter((owner) => owner.startsWith(prefix));
}

/** When something was last stored for an owner; undefined when nothing is. */
export async function lastStoredAt(bus: Bus, owner: PlanId): Promise<Date | undefined> {
  const artifacts = await readLastOfEach(bus, STREAMS.artifacts, [`artifact.${owner}.*`]);
  const objects = (await subjectsOf(bus, OBJECT_STREAM, `${INFOS}>`))
    .map(nameIn)
    .filter((name) => name.startsWith(`${owner}/`));
  const infos = await readLastOfEach(bus, OBJECT_STREAM, objects.map(infoSubject));
  const times = [...artifacts, ...infos].map(({ time }) => time.getTime());
  return times.length === 0 ? undefined : new Date(Math.max(...times));
}

/**
 * Removes pieces of large contents that were stored before a time and belong to no content, because whoever stored them died before
 * the last piece.
 *
 * @param options.max - Contents, not pieces.
 * @returns How many contents they were of.
 */
export async function removeLoosePieces(
  bus: Bus,
  { before, max }: { readonly before: Date; readonly max: number },
): Promise<number> {
  // First the pieces: what is finished meanwhile belongs to a content when the contents are read.
  const pieces = await subjectsOf(bus, OBJECT_STREAM, `${PIECES}*`);
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

/** The names under which the pieces of whole contents are stored. */
async function wholeContents(bus: Bus): Promise<ReadonlySet<string>> {
  const whole = new Set<string>();
  for (let seq = 1; ; ) {
    const infos = await readNext(bus, OBJECT_STREAM, { seq, next_by_subj: `${INFOS}>`, batch: BATCH });
    const last = infos.at(-1);
    if (last === undefined) return whole;
    for (const info of infos) {
      const { nuid, deleted } = AnyInfo.parse(info.json());
      if (!deleted) whole.add(nuid);
    }
    seq = last.seq + 1;
  }
}

async function subjectsOf({ manager }: Bus, stream: string, filter: string): Promise<string[]> {
  const { state } = await manager.streams.info(stream, { subjects_filter: filter });
  return Object.keys(state.subjects ?? {});
}
