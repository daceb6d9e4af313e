/** Builds the dashboard's static files. */
import { existsSync } from "node:fs";
import path from "node:path";
import { buildWhenChanged } from "./build-when-changed.ts";

/** Sources from other packages that the page bundles: the client, and functions about plans. */
const PLAN_SOURCES = "../plan/src/**/*.ts";
const CLIENT_SOURCES = "../client/src/**/*.ts";
/** The page lists the docs pages: their index, and what reads it. */
const DOCS_INDEX = ["../../docs/README.md", "../docs-site/src/sidebar.ts"];
const SOURCES = [
  PLAN_SOURCES,
  CLIENT_SOURCES,
  ...DOCS_INDEX,
  "index.html",
  "package.json",
  "tsconfig.json",
  "*.ts",
  "src/**/*",
  "public/**/*",
];
const VITE = "node_modules/vite/bin/vite.js";

export type DashboardBuild = "absent" | "fresh" | "built";

/**
 * Builds the dashboard of `packageDir` into its `dist` folder if its sources have changed.
 *
 * @throws {Error} When the build fails, with the end of its output; the old files stay.
 */
export async function buildDashboard({
  packageDir,
  signal,
}: {
  packageDir: string;
  signal: AbortSignal;
}): Promise<DashboardBuild> {
  if (!existsSync(path.join(packageDir, "index.html"))) return "absent";
  return buildWhenChanged({
    packageDir,
    sources: SOURCES,
    command: (outDir) => [VITE, "build", "--outDir", outDir, "--emptyOutDir", "--logLevel", "warn"],
    signal,
  });
}
