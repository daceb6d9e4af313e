import { expect, it } from "vitest";
import { createServerClock } from "./server-clock.ts";

const AT_MS = Date.parse("2026-01-01T12:00:00.000Z");
const iso = (ms: number) => new Date(ms).toISOString();

it("follows the server's time, however wrong this machine's clock is", () => {
  let ms = 5_000;
  const clock = createServerClock(
    () => ms,
    () => 0,
  );
  expect(clock.now()).toBe(0);
  clock.heard(iso(AT_MS));
  ms += 1_500;
  expect(clock.now()).toBe(AT_MS + 1_500);
});

it("never goes backwards when a message is late", () => {
  let ms = 0;
  const clock = createServerClock(
    () => ms,
    () => 0,
  );
  clock.heard(iso(AT_MS));
  ms = 2_000;
  clock.heard(iso(AT_MS + 700));
  expect(clock.now()).toBe(AT_MS + 2_000);
  clock.heard(iso(AT_MS + 2_040));
  expect(clock.now()).toBe(AT_MS + 2_040);
  clock.heard("no time");
  clock.heard(undefined);
  expect(clock.now()).toBe(AT_MS + 2_040);
});
