import type { PlanView } from "@planwright/plan";
import type { SystemClient } from "@planwright/testkit";
import { mkdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";

const PREFIX = "files/";

/** Saves the files that a plan's steps have written, which would be deleted with its system; prints where they are. */
export async function saveFiles(client: SystemClient, view: PlanView, example: string): Promise<string[]> {
  const folder = path.join(os.tmpdir(), "planwright-examples", example);
  const files = view.artifacts.filter(({ name }) => name.startsWith(PREFIX));
  if (files.length > 0) await rm(folder, { recursive: true, force: true });
  const saved: string[] = [];
  for (const { name } of files) {
    const target = path.join(folder, name.slice(PREFIX.length));
    const response = await client.fetch(`/v1/plans/${view.planId}/artifacts/${encodeURIComponent(name)}`);
    if (!response.ok) continue;
    await mkdir(path.dirname(target), { recursive: true });
    await writeFile(target, new Uint8Array(await response.arrayBuffer()));
    saved.push(target);
  }
  return saved;
}
