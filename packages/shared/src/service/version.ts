import manifest from "../../package.json" with { type: "json" };

/** The version of the system; all its parts share one. */
export const VERSION: string = manifest.version;
