/** The `host:port` pairs that the address guard lets through, for intranets and tests. */
export type AllowList = { readonly allows: (url: URL) => boolean };

const ENTRY = /^(?:\[[\da-f:.]+\]|[a-z\d](?:[a-z\d.-]*[a-z\d])?):\d{1,5}$/i;

/**
 * @param entries - Such as `127.0.0.1:8080`, `wiki.internal:443` or `[::1]:80`.
 * @throws {RangeError} Naming the entry that is not a host and port.
 */
export function createAllowList(entries: readonly string[]): AllowList {
  const allowed = new Set(entries.map((entry) => normalise(entry.trim())));
  return { allows: (url) => allowed.has(`${url.hostname}:${portOf(url)}`) };
}

/** The port that a connection to the URL would use. */
export function portOf({ port, protocol }: URL): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

function normalise(entry: string): string {
  const url = ENTRY.test(entry) ? URL.parse(`http://${entry}`) : null;
  if (url === null) throw new RangeError(`wanted host:port, got ${JSON.stringify(entry)}`);
  return `${url.hostname}:${portOf(url)}`;
}
