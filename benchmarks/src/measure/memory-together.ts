/** Memory of processes that share a runtime, whose pages are counted once. */
import { readdir, readFile } from "node:fs/promises";

/**
 * Resident memory of processes in MiB: the private memory of each, plus the largest part mapped from files, which belongs to
 * the runtime and has the same pages in all of them. 0 where the machine does not report it.
 */
export async function memoryMibTogether(pids: readonly number[]): Promise<number> {
  let own = 0;
  let shared = 0;
  for (const pid of pids) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const kib = (name: string): number =>
      Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0);
    own += kib("RssAnon") + kib("RssShmem");
    shared = Math.max(shared, kib("RssFile"));
  }
  return (own + shared) / 1_024;
}

/** The child processes of a process; empty where the machine does not report them. */
export async function childrenOf(
  parent: number,
): Promise<readonly { readonly pid: number; readonly command: string }[]> {
  const names = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    names.map(async (name) => {
      const about = await readFile(`/proc/${name}/stat`, "utf8").catch(() => "");
      // After the last ")" because a process name can contain one.
      const isChild = Number(about.slice(about.lastIndexOf(")") + 2).split(" ")[1]) === parent;
      const command = isChild ? await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "") : "";
      return isChild ? [{ pid: Number(name), command }] : [];
    }),
  );
  return all.flat();
}
