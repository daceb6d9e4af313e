import { createLogger } from "@planwright/shared/service";
import { mkdtempDisposable } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { openProjectionFile } from "./projection-file.ts";

it("is rebuilt, with an alarm, when the log ends before the last position it has shown", async () => {
  await using folder = await mkdtempDisposable(path.join(os.tmpdir(), "planwright-projection-"));
  const lines: string[] = [];
  const log = createLogger({ name: "test" }, { write: (line: string) => void lines.push(line) });
  const open = (options: { logId?: string; logEnd: number; wordsId?: string }) =>
    openProjectionFile({ file: path.join(folder.path, "plans.sqlite"), logId: "one", log, ...options });
  const first = open({ logEnd: 0 });
  first.prepare("UPDATE progress SET value = '7' WHERE name = 'position'").run();
  first.close();
  open({ logEnd: 7 }).close();
  expect(lines).toEqual([]);

  const anew = open({ logEnd: 6 });
  expect(anew.prepare("SELECT value FROM progress WHERE name = 'position'").get()).toEqual({ value: "0" });
  anew.prepare("UPDATE progress SET value = '7' WHERE name = 'position'").run();
  anew.close();
  const alarm = expect.stringContaining("events are lost");
  expect(lines).toEqual([alarm, expect.stringContaining("rebuilding")]);

  // A file whose search text was redacted by other rules is rebuilt, too.
  open({ logEnd: 7, wordsId: "rules" }).close();
  expect(lines).toEqual([
    alarm,
    expect.stringContaining("rebuilding"),
    expect.stringContaining("rebuilding"),
  ]);

  // Another log has its own sequences.
  open({ logId: "other", logEnd: 6 }).close();
  expect(lines.filter((line) => line.includes("events are lost"))).toHaveLength(1);
});
