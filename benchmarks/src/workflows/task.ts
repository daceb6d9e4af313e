/** Tasks of a workflow, and their ideal total duration, if nothing but the tasks took time. */

export type Task = {
  readonly id: string;
  readonly ms: number;
  /** The ids of the tasks that it needs. */
  readonly after: readonly string[];
};

/** The length of the longest chain: the makespan with unlimited slots. */
export function criticalPathMs(tasks: readonly Task[]): number {
  return Math.max(0, ...remainingMs(tasks).values());
}

/**
 * The makespan with a number of slots when, of the ready tasks, the one with the longest remaining path always starts
 * first; of equals, the one that became ready first, and of these the first in the list.
 */
export function listScheduleMs(tasks: readonly Task[], slots: number): number {
  const remaining = remainingMs(tasks);
  const isLonger = (left: Task, right: Task) =>
    (remaining.get(left.id) ?? 0) > (remaining.get(right.id) ?? 0);
  const done = new Set<string>();
  const waiting = new Set(tasks);
  const ready: Task[] = [];
  let running: { readonly task: Task; readonly endsMs: number }[] = [];
  let nowMs = 0;
  for (;;) {
    for (const task of [...waiting].filter(({ after }) => after.every((id) => done.has(id)))) {
      waiting.delete(task);
      ready.push(task);
    }
    while (ready.length > 0 && running.length < slots) {
      const first = ready.reduce((best, task) => (isLonger(task, best) ? task : best));
      ready.splice(ready.indexOf(first), 1);
      running.push({ task: first, endsMs: nowMs + first.ms });
    }
    if (running.length === 0) break;
    nowMs = Math.min(...running.map(({ endsMs }) => endsMs));
    for (const { task } of running.filter(({ endsMs }) => endsMs <= nowMs)) done.add(task.id);
    running = running.filter(({ endsMs }) => endsMs > nowMs);
  }
  if (waiting.size > 0) throw new RangeError("tasks need each other in a circle, or one that is not there");
  return nowMs;
}

/** By task: its duration plus that of the longest chain of tasks that need it. */
function remainingMs(tasks: readonly Task[]): ReadonlyMap<string, number> {
  const dependents = new Map<string, Task[]>();
  for (const task of tasks)
    for (const id of task.after) dependents.set(id, [...(dependents.get(id) ?? []), task]);
  const known = new Map<string, number>();
  const of = ({ id, ms }: Task): number => {
    const found = known.get(id) ?? ms + Math.max(0, ...(dependents.get(id) ?? []).map(of));
    known.set(id, found);
    return found;
  };
  for (const task of tasks) of(task);
  return known;
}
