import { fileURLToPath } from "node:url";
import { bundleServices } from "@planwright/launcher/bundle";
import { BUNDLED_SERVICES } from "./service-names.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

/** The folder in which the services lie bundled: the one that this test run has made already, else it is made now. */
export async function bundledServices(): Promise<string> {
  return process.env[BUNDLED_SERVICES] ?? bundleServices({ root: ROOT });
}
