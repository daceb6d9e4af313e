/** The response header with the gateway's version; it lets a client of another version report the mismatch. */
export const VERSION_HEADER = "planwright-version";
