import { expect, it } from "vitest";
import { refuseForeignPages, refuseForeignSession } from "./guard-browsers.ts";

const ask =
  (
    host: string | undefined,
    origin: string | undefined,
    options: { changes?: boolean; localOnly?: boolean },
  ) =>
  () =>
    refuseForeignPages({ host, origin }, { changes: true, localOnly: true, ...options });

it.each([
  ["127.0.0.1:8080", undefined],
  ["localhost:8080", "http://localhost:8080"],
  ["[::1]:8080", "http://[::1]:8080"],
  ["LOCALHOST:8080", "http://localhost:8080"],
])("admits %s from %s", (host, origin) => {
  expect(ask(host, origin, {})).not.toThrow();
});

it.each([
  ["127.0.0.1:8080", "http://localhost:8080"],
  ["localhost:8080", "http://localhost:3000"],
  ["localhost:8080", "https://evil.example"],
  ["localhost:8080", "null"],
])("refuses changes requested by pages of another origin: %s from %s", (host, origin) => {
  expect(ask(host, origin, {})).toThrow(/refused/);
  expect(ask(host, origin, { changes: false })).not.toThrow();
});

it("refuses to load anything for pages of other sites, but lets a user follow a link from there", () => {
  const load = (site: string, mode: string) => () =>
    refuseForeignPages(
      { host: "localhost:8080", origin: undefined, site, mode },
      { changes: false, localOnly: true },
    );
  expect(load("cross-site", "no-cors")).toThrow(/other sites are refused/);
  expect(load("cross-site", "cors")).toThrow(/other sites are refused/);
  expect(load("cross-site", "navigate")).not.toThrow();
  expect(load("same-origin", "cors")).not.toThrow();
  expect(load("none", "navigate")).not.toThrow();
});

it.each(["navigate", "no-cors", "cors", "websocket", undefined])(
  "refuses a change or a WebSocket requested by a page of another site in the mode %s, whatever its origin",
  (mode) => {
    const change = (site: string, origin?: string) => () =>
      refuseForeignPages(
        { host: "gateway.example", origin, site, mode },
        { changes: true, localOnly: false },
      );
    expect(change("cross-site")).toThrow(/other sites are refused/);
    expect(change("cross-site", "http://gateway.example")).toThrow(/other sites are refused/);
    expect(change("same-origin", "http://gateway.example")).not.toThrow();
    expect(change("none")).not.toThrow();
  },
);

it.each(["evil.example", "127.0.0.1.evil.example", "localhost.evil.example:8080", "", undefined])(
  "refuses the host %s where no key is required",
  (host) => {
    expect(ask(host, undefined, {})).toThrow(/only accepts the hosts/);
    expect(ask(host, undefined, { localOnly: false })).not.toThrow();
  },
);

it("admits pages of the public origin behind a proxy that sends another host", () => {
  const publicOrigin = "https://planwright.example";
  const askAs = (origin: string) => () =>
    refuseForeignPages({ host: "10.0.0.7:8080", origin }, { changes: true, localOnly: false, publicOrigin });
  expect(askAs(publicOrigin)).not.toThrow();
  expect(askAs("https://other.example")).toThrow(/refused/);
});

it.each([undefined, "null", "http://planwright.example", "https://evil.example"])(
  "refuses changes made with a session from the origin %s",
  (origin) => {
    expect(() => refuseForeignSession({ origin }, "https://planwright.example")).toThrow(/only pages of/);
    expect(() =>
      refuseForeignSession({ origin: "https://planwright.example" }, "https://planwright.example"),
    ).not.toThrow();
  },
);
