/** Cookies as headers carry them. */

export type CookieOptions = {
  readonly path: string;
  readonly secure: boolean;
  /** How long the browser keeps it; 0 removes it. */
  readonly maxAgeS: number;
};

/** The cookies of a request; of two with one name, the first. */
export function readCookies(header: string | undefined): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (header ?? "").split(";")) {
    const at = pair.indexOf("=");
    const name = pair.slice(0, Math.max(at, 0)).trim();
    if (name !== "" && !cookies.has(name)) cookies.set(name, pair.slice(at + 1).trim());
  }
  return cookies;
}

/** A `Set-Cookie` header: never readable by scripts, and not sent with requests that other sites make, except for followed links. */
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
