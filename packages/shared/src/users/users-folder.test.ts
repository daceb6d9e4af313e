import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { keepUsers } from "./users-folder.ts";

it("creates the same users for all concurrent callers", async () => {
  const parent = await mkdtemp(path.join(os.tmpdir(), "planwright-users-"));
  try {
    for (let round = 0; round < 5; round++) {
      const folder = path.join(parent, String(round));
      const all = await Promise.all(Array.from({ length: 8 }, () => keepUsers(folder, ["default"])));
      const names = ["admin", "gateway", "planner", "reflector", "worker.default"];
      expect(all[0]?.map(({ name }) => name)).toEqual(names);
      for (const users of all) expect(users).toEqual(all[0]);
      expect((await readdir(folder)).length).toBe(names.length);
    }
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
});
