import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTicker, TICK_MS, type Visibility } from "./ticker.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function pageOf() {
  const target = new EventTarget();
  const page = {
    visibilityState: "visible" as DocumentVisibilityState,
    addEventListener: target.addEventListener.bind(target),
    removeEventListener: target.removeEventListener.bind(target),
  };
  const show = (state: DocumentVisibilityState): void => {
    page.visibilityState = state;
    target.dispatchEvent(new Event("visibilitychange"));
  };
  return { page: page as Visibility, show };
}

it("uses one timer for all listeners, and stops it when the last listener leaves", () => {
  const ticker = createTicker(pageOf().page);
  const ticked = [vi.fn<() => void>(), vi.fn<() => void>()];
  const stops = ticked.map(ticker.onTick);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(3 * TICK_MS);
  for (const listener of ticked) expect(listener).toHaveBeenCalledTimes(3);
  for (const stop of stops) stop();
  expect(vi.getTimerCount()).toBe(0);
});

it("stops while the page is hidden, and catches up when it is visible again", () => {
  const { page, show } = pageOf();
  const listener = vi.fn<() => void>();
  createTicker(page).onTick(listener);
  show("hidden");
  expect(vi.getTimerCount()).toBe(0);
  vi.advanceTimersByTime(10 * TICK_MS);
  expect(listener).not.toHaveBeenCalled();
  show("visible");
  expect(listener).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(TICK_MS);
  expect(listener).toHaveBeenCalledTimes(2);
});
