/** The operator's limits on URLs of tools: their hosts, and how much a URL may contain. */
import { addressRefused } from "./address-refused.ts";
import type { AllowList } from "./allow-list.ts";

/** Of path and query together, percent-encoded. */
export const EGRESS_URL_CHARS_MAX = 2_000;

export type Egress = {
  /**
   * @param redirected - Whether a server has sent it there: then its length says nothing of the plan.
   * @throws {PermanentError} `address_refused`, with the host, and the setting that allows it.
   */
  readonly check: (url: URL, redirected?: boolean) => void;
};

export type EgressSettings = {
  /** Such as `api.example.com` or `*.example.com`; any host when absent. */
  readonly hosts?: readonly string[] | undefined;
  /** Default {@link EGRESS_URL_CHARS_MAX}. */
  readonly urlCharsMax?: number | undefined;
  /** What may be reached besides, by host and port. */
  readonly allowed: AllowList;
};

/** A host, or all hosts below one. */
export const EGRESS_HOST = /^(?:\*\.)?(?:\[[\da-f:.]+\]|[^\s/:@*?#[\]]+)$/i;

/** @throws {RangeError} Naming the entry that is no host. */
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

/** A pattern stands for hosts below it, not for itself. */
function fits(host: string, pattern: string): boolean {
  return pattern.startsWith("*.") ? host.endsWith(pattern.slice(1)) : host === pattern;
}

/** As URLs spell it: in small letters, other scripts in Punycode. */
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
