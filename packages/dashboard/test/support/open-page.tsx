/** The whole page, without a browser and a server: it draws into happy-dom what a gateway has answered before. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { act, cleanup, render, screen } from "@testing-library/react";
import { type UserEvent, userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, vi } from "vitest";
import { createApiKey } from "../../src/api/api-key.ts";
import { connect, createGateway } from "../../src/api/gateway.ts";
import { App } from "../../src/app.tsx";
import { createKeyMap } from "../../src/keys/key-map.ts";
import { listenToKeys } from "../../src/keys/listen-to-keys.ts";
import { createTheme } from "../../src/shell/theme.ts";
import { browserMemory } from "../../src/ui/browser-memory.ts";
import { type PlayedGateway, playGateway } from "./play-gateway.ts";
import type { Recording } from "./recording.ts";

const RECORDED = path.join(import.meta.dirname, "../recorded");

export type OpenPage = {
  readonly gateway: PlayedGateway;
  readonly user: UserEvent;
  /** What the page is about, without its bar and its list of plans. */
  readonly main: () => HTMLElement;
  /** Goes to an address in the page that is there, as the browser's own Back and Forward do. */
  readonly goTo: (address: string) => void;
  /** Leaves the page; what the browser keeps of it stays. It ends with the test anyway. */
  readonly close: () => void;
};

/** What `npm run recordings` has written under a name. */
export async function recordingOf(name: string): Promise<Recording> {
  // A test holds each of these files to the contract.
  return JSON.parse(await readFile(path.join(RECORDED, `${name}.json`), "utf8")) as Recording;
}

/**
 * Opens the page at an address until the test has finished, which then fails if the page has asked for what is not recorded or
 * has reported an error.
 */
export function openPage(address: string, ...recordings: readonly Recording[]): OpenPage {
  const gateway = playGateway(recordings);
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  history.replaceState(null, "", address);
  const apiKey = createApiKey(browserMemory(() => sessionStorage));
  const client = connect(apiKey, { fetch: gateway.fetch, WebSocket: gateway.WebSocket });
  const memory = browserMemory(() => localStorage);
  const keys = createKeyMap({ memory, now: () => performance.now() });
  listenToKeys(keys);
  const theme = createTheme(memory, document.documentElement);
  const services = { gateway: createGateway(client), live: client.live, apiKey, theme, keys };
  render(<App services={services} />);
  onTestFinished(() => {
    cleanup();
    client.close();
    forgetVisit();
    const reported = errors.mock.calls.map((said) => said.map(String).join(" "));
    errors.mockRestore();
    expect({ unknown: gateway.unknown, reported }).toEqual({ unknown: [], reported: [] });
  });
  return {
    gateway,
    user: userEvent.setup(),
    main: () => screen.getByRole("main"),
    goTo: (address) =>
      act(() => {
        history.pushState(null, "", address);
        dispatchEvent(new PopStateEvent("popstate"));
      }),
    close: cleanup,
  };
}

/** The next test is a new visitor. */
function forgetVisit(): void {
  localStorage.clear();
  sessionStorage.clear();
}
