const PATH_CHARS_MAX = 2_000;
const START = "/";
/** Only its own paths are the page's. */
const OWN = "http://gateway.invalid";

/**
 * Returns where a user goes after signing in: the path that was asked for if it is one of the page, else the start.
 * What a browser would read as another host, such as `//host` or `/\host`, is none.
 */
export function returnPath(asked: unknown): string {
  if (typeof asked !== "string" || asked.length > PATH_CHARS_MAX || !asked.startsWith("/")) return START;
  const parsed = URL.parse(asked, OWN);
  if (parsed === null || parsed.origin !== OWN) return START;
  const { pathname, search, hash } = parsed;
  // Dots may have been resolved into a path that begins with two slashes. A path of the sign-in would lead round in circles.
  if (pathname.startsWith("//") || /^\/auth(?:\/|$)/.test(pathname)) return START;
  return pathname + search + hash;
}
