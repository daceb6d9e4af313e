/** Parsing and formatting of cookie headers. */

type CookieOptions = {
  readonly path: string;
  readonly secure: boolean;
  /** How long the browser keeps it; 0 removes it. */
  readonly maxAgeS: number;
};

/** Parses a `Cookie` header. If several cookies have the same name, the first counts. */
export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name !== "" && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}

/**
 * Formats a `Set-Cookie` header. Scripts cannot read the cookie, and cross-site requests carry it only when a link is followed.
 */
export function cookieHeader(name: string, value: string, { path, secure, maxAgeS }: CookieOptions): string {
  const attributes = [
    `Path=${path}`,
    `Max-Age=${maxAgeS}`,
    "HttpOnly",
    "SameSite=Lax",
    ...(secure ? ["Secure"] : []),
  ];
  return [`${name}=${value}`, ...attributes].join("; ");
}
