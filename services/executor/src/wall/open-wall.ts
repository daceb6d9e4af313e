/** Decides whether child processes run behind a wall, by the setting SANDBOX_WALL, and logs the decision. */
import { integer, oneOf, text } from "@planwright/shared/service";
import type { Logger } from "@planwright/shared/service";
import { PermanentError } from "@planwright/shared/errors";
import { findWall, type FoundWall } from "./find-wall.ts";
import type { Wall } from "./wall.ts";

export const wallConfig = {
  SANDBOX_WALL: oneOf(["auto", "require", "off"]).default("auto").meta({
    description:
      "Whether bubblewrap isolates the child processes that handle code, queries and documents (docs/security.md). `auto`: if it works on this host. `require`: the executor does not start without it. `off`: never. With several tenants, `auto` means `require`.",
  }),
  BWRAP_BIN: text({ wanted: "the path of an executable" }).optional().meta({
    description: "Path of `bwrap` (bubblewrap 0.8 or newer). Default: `bwrap` on the PATH.",
  }),
  PLANWRIGHT_TENANTS: integer({ min: 1, max: 1_000_000, unit: "tenants" }).default(1).meta({
    description:
      "Number of tenants in the system. `npm start` counts the tenants in PLANWRIGHT_API_KEYS, and uses 2 if the tenant comes from a claim of an identity provider. Set it for executors that you start in another way.",
  }),
};

export type WallSettings = {
  readonly SANDBOX_WALL: "auto" | "require" | "off";
  readonly BWRAP_BIN?: string | undefined;
  readonly PLANWRIGHT_TENANTS: number;
};

/** A wall, or none; with a description for reports. */
export type ChosenWall = { readonly wall: Wall | undefined; readonly about: string };

/**
 * Finds the wall that the settings ask for.
 *
 * @param deps.find - Looks for one on this machine.
 * @throws {PermanentError} `no_wall` when there is none, and the settings or several tenants require one.
 */
export async function openWall(
  { SANDBOX_WALL: choice, BWRAP_BIN: bin, PLANWRIGHT_TENANTS: tenants }: WallSettings,
  { log, find = findOnPath }: { readonly log: Logger; readonly find?: (bin?: string) => Promise<FoundWall> },
): Promise<ChosenWall> {
  if (choice === "off") {
    log.warn("child processes run without a wall: SANDBOX_WALL=off");
    return { wall: undefined, about: "SANDBOX_WALL=off" };
  }
  const found = await find(bin);
  if ("wall" in found) {
    const about = `bubblewrap ${found.wall.version}`;
    log.info({ wall: about }, "child processes run behind a wall: no network, no files");
    return { wall: found.wall, about };
  }
  if (choice === "require" || tenants > 1) throw noWall(found.missing, tenants);
  const why = { why: found.missing };
  if (process.platform === "linux") {
    log.warn(why, "child processes run without a wall: install the package bubblewrap (docs/security.md)");
  } else log.info(why, "child processes run without a wall");
  return { wall: undefined, about: found.missing };
}

function findOnPath(bin?: string): Promise<FoundWall> {
  return findWall({ bin, searchPath: process.env["PATH"] });
}

function noWall(missing: string, tenants: number): PermanentError {
  const wanted =
    tenants > 1 ? `the system has ${tenants} tenants, whose code must be kept apart` : "SANDBOX_WALL=require";
  return new PermanentError(
    `${wanted}, but child processes would run without a wall: ${missing}. Install the package bubblewrap and permit user namespaces (docs/security.md), or set SANDBOX_WALL=off to run without one`,
    { code: "no_wall" },
  );
}
