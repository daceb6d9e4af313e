const LINK_CHARS_MAX = 2_000;
const SCHEMES = new Set(["http:", "https:", "mailto:"]);

/** The address when a reader may follow it from a report, normalised; undefined for every other one. */
export function safeLink(address: string): string | undefined {
  if (address.length > LINK_CHARS_MAX || !URL.canParse(address)) return undefined;
  const { protocol, href } = new URL(address);
  return SCHEMES.has(protocol) && href.length <= LINK_CHARS_MAX ? href : undefined;
}
