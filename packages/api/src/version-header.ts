/** The header with the gateway's version in every response, so that a client of another version can report it. */
export const VERSION_HEADER = "planwright-version";
