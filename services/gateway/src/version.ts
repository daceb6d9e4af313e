import manifest from "../package.json" with { type: "json" };

/** The version of the gateway, and of the system that it is part of. */
export const VERSION: string = manifest.version;
