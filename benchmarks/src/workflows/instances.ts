/** Workflows that other systems have run, as tasks that wait for the recorded durations, scaled down. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { criticalPathMs, type Task } from "./task.ts";

const DATA = path.join(import.meta.dirname, "../../data/wfinstances");

/** By the name used in the results. */
const FILES = {
  forkjoin: "helloworld-forkjoin-10-chameleon.json",
  srasearch: "srasearch-chameleon-10a-001.json",
  sarek: "sarek-dirt02-001.json",
  montage: "montage-chameleon-2mass-005d-001.json",
  epigenomics: "epigenomics-chameleon-hep-1seq-50k-001.json",
  bwa: "bwa-chameleon-small-001.json",
} as const;

export type InstanceName = keyof typeof FILES;
export const INSTANCES = Object.keys(FILES) as InstanceName[];

/** The part of WfFormat 1.5 that is read. */
const Instance = z.object({
  workflow: z.object({
    specification: z.object({ tasks: z.array(z.object({ id: z.string(), parents: z.array(z.string()) })) }),
    execution: z.object({ tasks: z.array(z.object({ id: z.string(), runtimeInSeconds: z.number() })) }),
  }),
});

/**
 * Reads a workflow, with its tasks named `t0`, `t1` … in the order of the file.
 *
 * @param pathMs - The length of the critical path, apart from rounding each task to whole milliseconds.
 */
export async function readInstance(name: InstanceName, pathMs: number): Promise<Task[]> {
  const text = await readFile(path.join(DATA, FILES[name]), "utf8");
  const { specification, execution } = Instance.parse(JSON.parse(text)).workflow;
  const seconds = new Map(execution.tasks.map(({ id, runtimeInSeconds }) => [id, runtimeInSeconds]));
  const names = new Map(specification.tasks.map(({ id }, index) => [id, `t${index}`]));
  const tasks = specification.tasks.map(({ id, parents }): Task => {
    const ms = seconds.get(id);
    if (ms === undefined) throw new RangeError(`${name}: there is no time of the task ${id}`);
    return { id: nameIn(names, id), ms, after: parents.map((parent) => nameIn(names, parent)) };
  });
  const scale = pathMs / criticalPathMs(tasks);
  return tasks.map((task) => ({ ...task, ms: Math.round(task.ms * scale) }));
}

function nameIn(names: ReadonlyMap<string, string>, id: string): string {
  const name = names.get(id);
  if (name === undefined) throw new RangeError(`there is no task ${id}`);
  return name;
}
