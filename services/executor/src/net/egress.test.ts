import { expect, it } from "vitest";
import { createAllowList } from "./allow-list.ts";
import { createEgress } from "./egress.ts";

const allowed = createAllowList(["wiki.internal:8080"]);
const refusalBy = (hosts: readonly string[] | undefined, url: string): string | undefined => {
  try {
    createEgress({ hosts, allowed }).check(new URL(url));
    return undefined;
  } catch (error) {
    return String(error);
  }
};

it.each([
  ["https://api.example.com/x", ["API.example.com"]],
  ["https://api.example.com:8443/x", ["api.example.com"]],
  ["https://a.b.example.com/", ["*.example.com"]],
  ["https://xn--mnchen-3ya.example/", ["münchen.example"]],
  ["https://[2001:db8::1]/", ["[2001:db8:0::1]"]],
  ["http://wiki.internal:8080/", ["api.example.com"]],
  ["https://anything.example/", undefined],
])("lets tools reach %s with EGRESS_HOSTS=%j", (url, hosts) => {
  expect(refusalBy(hosts, url)).toBeUndefined();
});

it.each([
  ["https://example.com/", ["*.example.com"]],
  ["https://evilexample.com/", ["*.example.com"]],
  ["https://api.example.com.evil.example/", ["api.example.com", "*.example.com"]],
  ["https://evil.example/?u=api.example.com", ["api.example.com"]],
  ["http://wiki.internal/", ["api.example.com"]],
])("refuses %s with EGRESS_HOSTS=%j, and names the host and the setting", (url, hosts) => {
  const { hostname } = new URL(url);
  expect(refusalBy(hosts, url)).toContain(`${hostname} is not in EGRESS_HOSTS`);
  expect(refusalBy([...hosts, hostname], url)).toBeUndefined();
});

it.each(["", "https://a.example", "a.example/x", "a.example:80", "*", "*.", "a.*.example", "user@a.example"])(
  "refuses the entry %j",
  (entry) => {
    expect(() => createEgress({ hosts: [entry], allowed })).toThrow(/wanted a host/);
  },
);

it("limits the length of path and query, but not of redirects", () => {
  const egress = createEgress({ urlCharsMax: 20, allowed });
  const just = new URL(`https://a.example/path?${"q".repeat(14)}`);
  const more = new URL(`https://a.example/path?${"q".repeat(15)}`);
  expect(() => egress.check(just)).not.toThrow();
  expect(() => egress.check(more)).toThrow(/21 characters, more than the allowed 20.*EGRESS_URL_CHARS_MAX/);
  expect(() => egress.check(more, true)).not.toThrow();
});
