import { fileURLToPath } from "node:url";
import { bundleServices } from "@planwright/launcher/bundle";
import { BUNDLED_SERVICES, SERVICE_NAMES } from "./service-names.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Bundles the services once for a test run, as `npm start` does: its tests start hundreds of processes. */
export default async function setup(): Promise<void> {
  process.env[BUNDLED_SERVICES] ??= await bundleServices({ root: ROOT, services: SERVICE_NAMES });
}
