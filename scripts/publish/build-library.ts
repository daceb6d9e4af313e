import path from "node:path";
import { build } from "tsdown";
import type { PublishedPackage } from "./published-packages.ts";
import { refuseLibraries } from "./refuse-libraries.ts";

/** What runs in users' programs, whatever runs those: Node from 20 on, Bun, Deno, browsers. */
const TARGET = "es2022";

/**
 * Builds a library into one module and one file of types. What it imports of private packages is inside of both; what
 * it takes from npm stays an import.
 *
 * @param outDir - Emptied first.
 */
export async function buildLibrary(
  { folder, entry, tsconfig = "tsconfig.build.json" }: PublishedPackage,
  { root, outDir }: { readonly root: string; readonly outDir: string },
): Promise<void> {
  await build({
    config: false,
    cwd: path.join(root, folder),
    entry: { index: entry },
    outDir,
    format: "esm",
    platform: "neutral",
    target: TARGET,
    tsconfig: path.join(root, tsconfig),
    dts: true,
    outExtensions: () => ({ js: ".js", dts: ".d.ts" }),
    deps: {
      alwaysBundle: [/^@planwright\/(?!(?:client|tools-kit)$)/],
      neverBundle: [/^node:/, "immutable", /^@planwright\/(?:client|tools-kit)$/],
    },
    plugins: [refuseLibraries],
    // Its only warning is that TypeScript 7 is new.
    logLevel: "error",
    inputOptions: { checks: { pluginTimings: false }, treeshake: { moduleSideEffects: false } },
    report: false,
  });
}
