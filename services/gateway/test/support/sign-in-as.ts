/** A minimal browser for signing in: it keeps cookies, and follows redirects between the gateway and the provider. */
import type { TestIdentityProvider, TestUser } from "@planwright/testkit";

export type TestBrowser = {
  /** The gateway's cookies, as a `Cookie` header. */
  cookie(): string;
  /** Sends one request without following redirects, and keeps the cookies of the response. */
  ask(url: string, init?: RequestInit): Promise<Response>;
  /** Follows redirects until a response is none, or the next address matches. */
  follow(url: string, until?: (url: string) => boolean): Promise<{ url: string; response: Response }>;
};

const REDIRECTS_MAX = 12;

export function openTestBrowser(gatewayUrl: string): TestBrowser {
  const jars = new Map<string, Map<string, string>>();
  const jarOf = (url: string) => {
    const { host } = new URL(url);
    const jar = jars.get(host) ?? new Map<string, string>();
    jars.set(host, jar);
    return jar;
  };
  const cookieFor = (url: string) => Array.from(jarOf(url), ([name, value]) => `${name}=${value}`).join("; ");
  const ask = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { accept: "text/html", ...(init.headers as object), cookie: cookieFor(url) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      const at = pair.indexOf("=");
      const isGone = /max-age=0|expires=Thu, 01 Jan 1970/i.test(line) || pair.endsWith("=");
      if (isGone) jarOf(url).delete(pair.slice(0, at));
      else jarOf(url).set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  };
  return {
    cookie: () => cookieFor(gatewayUrl),
    ask,
    async follow(url, until = () => false) {
      let at = url;
      for (let step = 0; step < REDIRECTS_MAX; step++) {
        const response = await ask(at);
        const next = response.headers.get("location");
        if (next === null) return { url: at, response };
        const target = new URL(next, at).href;
        if (until(target)) return { url: target, response };
        at = target;
      }
      throw new Error(`${url} leads round in circles`);
    },
  };
}

/** Signs a user in, and returns the browser with the session. */
export async function signInAs(
  user: TestUser,
  { gatewayUrl, provider }: { readonly gatewayUrl: string; readonly provider: TestIdentityProvider },
): Promise<TestBrowser> {
  provider.user = user;
  const browser = openTestBrowser(gatewayUrl);
  const { url, response } = await browser.follow(
    `${gatewayUrl}/auth/login`,
    (next) => new URL(next).origin === gatewayUrl && !new URL(next).pathname.startsWith("/auth/"),
  );
  if (response.status !== 303)
    throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return browser;
}
