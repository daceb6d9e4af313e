/** The whole page without a browser or a server: renders a gateway's recorded responses into happy-dom. */
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
import { createPageTitle } from "../../src/notify/page-title.ts";
import { createPlanCounts } from "../../src/plans/plan-counts.ts";
import { createSignIn } from "../../src/sign-in/create-sign-in.ts";
import { createTheme } from "../../src/shell/theme.ts";
import { browserMemory } from "../../src/ui/browser-memory.ts";
import { type PlayedGateway, playGateway } from "./play-gateway.ts";
import type { Recording } from "./recording.ts";

const RECORDED = path.join(import.meta.dirname, "../recorded");

/** happy-dom does not implement the element. */
const UNKNOWN_SEARCH = /^The tag <%s> is unrecognized in this browser.* search$/;

export type OpenPage = {
  readonly gateway: PlayedGateway;
  readonly user: UserEvent;
  /** The content, without the top bar and the list of plans. */
  readonly main: () => HTMLElement;
  /** Navigates within the open page, like a browser's Back and Forward. */
  readonly goTo: (address: string) => void;
  /** Closes the page before the end of the test; the browser's storage stays. */
  readonly close: () => void;
};

/** Reads a recording written by `npm run recordings`. */
export async function recordingOf(name: string): Promise<Recording> {
  // A test checks each of these files against the contract.
  return JSON.parse(await readFile(path.join(RECORDED, `${name}.json`), "utf8")) as Recording;
}

/**
 * Opens the page at an address until the test has finished. The test then fails if the page has made a request without a
 * recorded response or has reported an error.
 */
export function openPage(address: string, ...recordings: readonly Recording[]): OpenPage {
  const gateway = playGateway(recordings);
  const errors = vi.spyOn(console, "error").mockImplementation(() => undefined);
  history.replaceState(null, "", address);
  const apiKey = createApiKey(browserMemory(() => sessionStorage));
  const client = connect(apiKey, { fetch: gateway.fetch, WebSocket: gateway.WebSocket });
  const signIn = createSignIn({
    options: () => client.session.signInOptions(),
    memory: browserMemory(() => sessionStorage),
    address: () => location.pathname + location.search,
    leaveTo: gateway.leaveTo,
  });
  const memory = browserMemory(() => localStorage);
  const keys = createKeyMap({ memory, now: () => performance.now() });
  listenToKeys(keys);
  const theme = createTheme(memory, document.documentElement);
  const planCounts = createPlanCounts();
  const title = createPageTitle(document, planCounts);
  const services = {
    gateway: createGateway(client),
    live: client.live,
    apiKey,
    signIn,
    theme,
    keys,
    title,
    planCounts,
  };
  render(<App services={services} />);
  onTestFinished(() => {
    cleanup();
    client.close();
    forgetVisit();
    const reported = errors.mock.calls
      .map((said) => said.map(String).join(" "))
      .filter((message) => !UNKNOWN_SEARCH.test(message));
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

/** Clears the storage, so that the next test starts without it. */
function forgetVisit(): void {
  localStorage.clear();
  sessionStorage.clear();
}
