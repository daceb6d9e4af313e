import { expect, it } from "vitest";
import { createAllowList } from "./allow-list.ts";

it("allows a host only at the listed port", () => {
  const list = createAllowList(["127.0.0.1:8080", "Wiki.Internal:443", "[::1]:80"]);
  const allows = (url: string) => list.allows(new URL(url));
  expect(allows("http://127.0.0.1:8080/x?y")).toBe(true);
  expect(allows("http://127.1:8080/")).toBe(true);
  expect(allows("https://wiki.internal/")).toBe(true);
  expect(allows("http://[::1]/")).toBe(true);
  expect(allows("http://127.0.0.1/")).toBe(false);
  expect(allows("http://127.0.0.1:80801/".replace("80801", "8081"))).toBe(false);
  expect(allows("http://wiki.internal/")).toBe(false);
  expect(allows("https://evil.wiki.internal/")).toBe(false);
  expect(allows("https://wiki.internal.evil/")).toBe(false);
  expect(allows("http://localhost:8080/")).toBe(false);
});

it.each([
  "",
  "host",
  "host:",
  ":80",
  "host:port",
  "http://host:80",
  "host:80/path",
  "user@host:80",
  "*:80",
  "host:99999",
])("refuses the entry %j", (entry) => {
  expect(() => createAllowList([entry])).toThrow(/wanted host:port/);
});
