const PATH_CHARS_MAX = 2_000;
const START = "/";
/** A base whose origin no other URL shares. */
const OWN = "http://gateway.invalid";

/**
 * Returns the path to return to after a sign-in: the requested one if it is a path of the page, otherwise `/`.
 * Values that a browser would resolve to another host, such as `//host` or `/\host`, are not paths of the page.
 */
export function returnPath(asked: unknown): string {
  if (typeof asked !== "string" || asked.length > PATH_CHARS_MAX || !asked.startsWith("/")) return START;
  const parsed = URL.parse(asked, OWN);
  if (parsed === null || parsed.origin !== OWN) return START;
  const { pathname, search, hash } = parsed;
  // Resolving dots can yield a path that begins with two slashes. A path of the sign-in itself would loop.
  if (pathname.startsWith("//") || /^\/auth(?:\/|$)/.test(pathname)) return START;
  return pathname + search + hash;
}
