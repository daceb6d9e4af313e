import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildDashboard } from "@planwright/launcher";
import { bundledServices } from "./bundled-services.ts";
import { BUNDLED_SERVICES } from "./service-names.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** A limit for hangs only: the build runs with the lowest priority. */
const BUILD_MS = 600_000;

/**
 * Bundles the services and builds the page once for a test run, like `npm start`: its tests start hundreds of
 * processes, and several test files open the page.
 */
export default async function setup(): Promise<void> {
  const packageDir = path.join(ROOT, "packages/dashboard");
  const page = buildDashboard({ packageDir, signal: AbortSignal.timeout(BUILD_MS) });
  [process.env[BUNDLED_SERVICES]] = await Promise.all([bundledServices(), page]);
}
