import { bundleServices } from "./bundle-services.ts";
import { BUNDLED_SERVICES } from "./service-names.ts";

/**
 * Bundles the services once for a test run: its tests start hundreds of processes, and most of what a start
 * costs is finding and reading a thousand modules. `npm start` and the image, which have tests of their own, run
 * them from their sources.
 */
export default async function setup(): Promise<void> {
  process.env[BUNDLED_SERVICES] ??= await bundleServices();
}
