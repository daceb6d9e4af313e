/** The operator's limits on the URLs of tools: allowed hosts, and maximum length. */
import { addressRefused } from "./address-refused.ts";
import type { AllowList } from "./allow-list.ts";

/** For path and query together, percent-encoded. */
export const EGRESS_URL_CHARS_MAX = 2_000;

export type Egress = {
  /**
   * @param redirected - Whether a server redirected here; the length then carries no data of the plan.
   * @throws {PermanentError} `address_refused`, with the host and the setting that allows it.
   */
  readonly check: (url: URL, redirected?: boolean) => void;
};

export type EgressSettings = {
  /** Such as `api.example.com` or `*.example.com`; any host by default. */
  readonly hosts?: readonly string[] | undefined;
  /** Default {@link EGRESS_URL_CHARS_MAX}. */
  readonly urlCharsMax?: number | undefined;
  /** Additional allowed hosts and ports. */
  readonly allowed: AllowList;
};

/** A host, or all of its subdomains. */
export const EGRESS_HOST = /^(?:\*\.)?(?:\[[\da-f:.]+\]|[^\s/:@*?#[\]]+)$/i;

/** @throws {RangeError} Naming the entry that is not a host. */
export function createEgress({ hosts, urlCharsMax = EGRESS_URL_CHARS_MAX, allowed }: EgressSettings): Egress {
  const patterns = hosts?.map(normalise);
  const isAllowed = (url: URL): boolean =>
    patterns === undefined || patterns.some((pattern) => fits(url.hostname, pattern)) || allowed.allows(url);
  return {
    check(url, redirected = false) {
      if (!isAllowed(url)) {
        throw addressRefused(
          `${url.hostname} is not in EGRESS_HOSTS. To allow it, add ${url.hostname} to EGRESS_HOSTS of the executors`,
        );
      }
      const chars = url.pathname.length + url.search.length;
      if (redirected || chars <= urlCharsMax) return;
      throw addressRefused(
        `path and query of the URL of ${url.hostname} have ${chars} characters, more than the allowed ${urlCharsMax}. To allow more, raise EGRESS_URL_CHARS_MAX of the executors`,
      );
    },
  };
}

/** A pattern matches subdomains, not the domain itself. */
function fits(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

/** As URLs spell it: in lower case, with other scripts in Punycode. */
function normalise(entry: string): string {
  const trimmed = entry.trim();
  const [, star = "", host = ""] = /^(\*\.)?(.*)$/.exec(trimmed) ?? [];
  const url = EGRESS_HOST.test(trimmed) ? URL.parse(`http://${host}`) : null;
  if (url === null) {
    throw new RangeError(
      `wanted a host such as api.example.com or *.example.com, got ${JSON.stringify(entry)}`,
    );
  }
  return star + url.hostname;
}
