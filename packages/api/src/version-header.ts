/** The header of every answer that has the gateway's version, so that a client of another version can say so. */
export const VERSION_HEADER = "planwright-version";
