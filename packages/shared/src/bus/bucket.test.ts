import { headers as createHeaders } from "@nats-io/transport-node";
import { expect, it } from "vitest";
import { type Aging, withoutOutlived } from "./bucket.ts";

const entry = (key: string, atMs: number, ttl?: string): Aging & { readonly key: string } => {
  const headers = createHeaders();
  if (ttl !== undefined) headers.set("Nats-TTL", ttl);
  return { key, atMs, headers };
};
const kept = (...entries: (Aging & { readonly key: string })[]) =>
  withoutOutlived(entries).map(({ key }) => key);

it("omits entries that had expired when the newest entry was stored", () => {
  expect(kept(entry("over", 1_000, "2s"), entry("alive", 1_001, "2s"), entry("new", 3_000))).toEqual([
    "alive",
    "new",
  ]);
});

it("reads a TTL that the server has extended and writes without a unit", () => {
  expect(kept(entry("over", 1_000, "10"), entry("alive", 1_001, "10"), entry("new", 11_000))).toEqual([
    "alive",
    "new",
  ]);
});

it("keeps entries that never expire or whose TTL has an unknown format", () => {
  expect(kept(entry("old", 0), entry("never", 0, "never"), entry("new", 1e12, "2s"))).toEqual([
    "old",
    "never",
    "new",
  ]);
  expect(kept({ key: "bare", atMs: 0, headers: undefined })).toEqual(["bare"]);
  expect(kept()).toEqual([]);
});
