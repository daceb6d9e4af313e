import path from "node:path";
import { fileURLToPath } from "node:url";
import { buildDashboard } from "@planwright/launcher";
import { bundleServices } from "@planwright/launcher/bundle";
import { BUNDLED_SERVICES, SERVICE_NAMES } from "./service-names.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Only for what hangs: the build runs below everything else. */
const BUILD_MS = 600_000;

/**
 * Bundles the services and builds the page once for a test run, as `npm start` does: its tests start hundreds of
 * processes, and several files of them open the page.
 */
export default async function setup(): Promise<void> {
  const packageDir = path.join(ROOT, "packages/dashboard");
  const page = buildDashboard({ packageDir, signal: AbortSignal.timeout(BUILD_MS) });
  const services = process.env[BUNDLED_SERVICES] ?? bundleServices({ root: ROOT, services: SERVICE_NAMES });
  [process.env[BUNDLED_SERVICES]] = await Promise.all([services, page]);
}
