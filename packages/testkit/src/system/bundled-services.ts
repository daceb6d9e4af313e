import { fileURLToPath } from "node:url";
import { bundleServices } from "@planwright/launcher/bundle";
import { BUNDLED_SERVICES } from "./service-names.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** Returns the folder of the bundled services: that of this test run if it exists, else a new one. */
export async function bundledServices(): Promise<string> {
  return process.env[BUNDLED_SERVICES] ?? bundleServices({ root: ROOT });
}
