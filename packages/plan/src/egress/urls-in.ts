/** URLs that stand in texts. */
import type { Json } from "../values/json.ts";

/** A URL, or a host with a path, up to what cannot belong to it. */
const TOKEN = /(?:https?:\/\/|\b(?=[a-z\d-]{1,63}\.))[^\s<>"'`\\^|]{1,4000}/gi;
const HOST = /^(?:[a-z\d-]{1,63}\.){1,10}[a-z]{2,63}(?:[:/?#]|$)/i;
/** What may end a sentence, or a link in Markdown, rather than the URL. */
const END = /[).,;:!?\]}*_]$/;
const ENDS_MAX = 6;

/** What two spellings of one address have in common: neither the protocol nor the fragment reaches a server's pages. */
export function urlKey({ host, pathname, search }: URL): string {
  return `${host}${pathname.replace(/\/$/, "")}${search}`;
}

/** The keys of all URLs in a value, however deep; those with a reference inside are left out. */
export function urlsIn(value: Json, keys: Set<string> = new Set()): Set<string> {
  if (typeof value === "string") for (const [token] of value.matchAll(TOKEN)) addToken(token, keys);
  else if (typeof value === "object" && value !== null) {
    for (const entry of Object.values(value)) urlsIn(entry, keys);
  }
  return keys;
}

/** The host of each key. */
export function hostsOf(keys: ReadonlySet<string>): Set<string> {
  return new Set(Array.from(keys, (key) => /^[^/?]*/.exec(key)?.[0] ?? ""));
}

function addToken(token: string, keys: Set<string>): void {
  if (token.includes("{{") || token.includes("${")) return;
  addUrl(token, keys);
  // [text](https://a.example/x) and the like: the URL may end before any of these.
  const [inside = token] = token.split(/[)\]]/, 1);
  let rest = inside;
  addUrl(rest, keys);
  for (let ends = 0, text = token; ends < ENDS_MAX && END.test(text); ends += 1) {
    text = text.slice(0, -1);
    addUrl(text, keys);
  }
  for (let ends = 0; ends < ENDS_MAX && END.test(rest); ends += 1) {
    rest = rest.slice(0, -1);
    addUrl(rest, keys);
  }
}

function addUrl(text: string, keys: Set<string>): void {
  const isFull = /^https?:\/\//i.test(text);
  if (!isFull && !HOST.test(text)) return;
  const url = URL.parse(isFull ? text : `https://${text}`);
  if (url !== null && url.username === "" && url.password === "") keys.add(urlKey(url));
}
