import { describe, expect, it } from "vitest";
import { createLogger } from "@planwright/shared/service";
import { type FoundWall, findWall, openWall, type WallSettings } from "./open-wall.ts";
import { tempFolder } from "../testing/temp-folder.ts";

const WALL = { bin: "/usr/bin/bwrap", version: "0.9.1", arch: "x64", runtime: [] } as const;
const THERE = { wall: WALL };
const GONE = { missing: "bubblewrap is not installed" };

/** Opens a wall with these settings and this search result; also returns the log. */
async function open(settings: Partial<WallSettings>, found: FoundWall) {
  const said: string[] = [];
  const log = createLogger({ name: "executor" }, { write: (line) => void said.push(line) });
  const all = { SANDBOX_WALL: "auto", PLANWRIGHT_TENANTS: 1, ...settings } as const;
  const chosen = await openWall(all, { log, find: async () => found });
  return { ...chosen, said: said.join("") };
}

describe("the setting SANDBOX_WALL", () => {
  it.each(["auto", "require"] as const)("uses a working wall with %s", async (choice) => {
    const { wall, about, said } = await open({ SANDBOX_WALL: choice }, THERE);
    expect({ wall, about }).toEqual({ wall: WALL, about: "bubblewrap 0.9.1" });
    expect(said).toContain("child processes run behind a wall: no network, no files");
  });

  it("uses none with `off`, and reports that", async () => {
    const { wall, said } = await open({ SANDBOX_WALL: "off", PLANWRIGHT_TENANTS: 2 }, THERE);
    expect(wall).toBeUndefined();
    expect(said).toContain("without a wall: SANDBOX_WALL=off");
  });

  it("runs without a wall with `auto`, and reports why", async () => {
    const { wall, about, said } = await open({}, GONE);
    expect({ wall, about }).toEqual({ wall: undefined, about: GONE.missing });
    expect(said).toContain("child processes run without a wall");
    expect(said).toContain(GONE.missing);
  });

  it("refuses to run without a wall with `require`", async () => {
    await expect(open({ SANDBOX_WALL: "require" }, GONE)).rejects.toMatchObject({
      code: "no_wall",
      message: expect.stringMatching(
        /^SANDBOX_WALL=require, but .*not installed\. Install the package bubblewrap/,
      ),
    });
  });

  it("refuses to run without a wall with `auto` when there are several tenants", async () => {
    await expect(open({ PLANWRIGHT_TENANTS: 3 }, GONE)).rejects.toMatchObject({
      code: "no_wall",
      message: expect.stringMatching(/^the system has 3 tenants, .* or set SANDBOX_WALL=off/),
    });
  });
});

describe("a wall", () => {
  it.runIf(process.platform === "linux").each([
    ["is not installed", "", "bubblewrap is not installed"],
    ["is too old", "echo 'bubblewrap 0.6.1'", "bubblewrap 0.6.1 is too old, 0.8 is needed"],
    [
      "may make no namespaces",
      'if [ "$1" = --version ]; then echo "bubblewrap 0.8.0"; else echo "bwrap: No permissions to create new namespace" >&2; exit 1; fi',
      "bubblewrap 0.8.0 does not work here: bwrap: No permissions to create new namespace",
    ],
    ["is something else", "echo hello", "does not run: expected a version, got hello"],
  ])("is missing where bubblewrap %s", async (_what, script, missing) => {
    using folder = tempFolder();
    if (script !== "") folder.write("bwrap", `#!/bin/sh\n${script}\n`, 0o755);
    expect(await findWall({ searchPath: `relative:${folder.path}` })).toEqual({
      missing: expect.stringContaining(missing),
    });
  });

  it("is missing where the configured executable does not exist", async () => {
    expect(await findWall({ bin: "/no/such/bwrap" })).toEqual({
      missing: expect.stringMatching(/^\/no\/such\/bwrap does not run|^there is none for/),
    });
  });
});
