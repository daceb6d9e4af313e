/** The page in a real browser, served by the gateway, over a whole system. */
import type { ScriptedModel, TestSystem } from "@planwright/testkit";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { openBrowser, type Tab, type TestBrowser } from "./open-browser.ts";
import { offlineSystem, sharedSystem, type SharedSystemOptions } from "./shared-system.ts";

/** There once the tests have begun. */
export type DashboardStage = { readonly browser: TestBrowser; readonly system: TestSystem };

/**
 * A browser and one system with the demo model for all tests of a file; the page itself is built before the first file runs. Files that
 * run in the same process use the system one after the other: a test must not count on an empty list of plans, unless it asks for a
 * `fresh` one.
 */
export function dashboardStage(options: SharedSystemOptions = {}): DashboardStage {
  const shared = offlineSystem(options);
  const browser = browserOfFile();
  return {
    get system() {
      return shared.system;
    },
    get browser() {
      return browser();
    },
  };
}

/** There once the tests have begun. */
export type ScriptedDashboardStage = DashboardStage & { readonly model: ScriptedModel };

/** The same with a model whose replies the tests write. */
export function scriptedDashboardStage(options: SharedSystemOptions = {}): ScriptedDashboardStage {
  const shared = sharedSystem(options);
  const browser = browserOfFile();
  return {
    get system() {
      return shared.system;
    },
    get model() {
      return shared.model;
    },
    get browser() {
      return browser();
    },
  };
}

function browserOfFile(): () => TestBrowser {
  let opened: TestBrowser | undefined;
  beforeAll(async () => {
    opened = await openBrowser();
  });
  // An open tab follows the list of plans and draws every change of it, as long as the file runs.
  afterEach(() => opened?.closeTabs());
  afterAll(() => opened?.[Symbol.asyncDispose]());
  return () => {
    if (opened === undefined) throw new Error("the browser has not been started yet");
    return opened;
  };
}

/** No error in its console, and no request to another host. */
export function expectWellBehaved({ misconduct }: Tab): void {
  expect(misconduct).toEqual({ errors: [], foreign: [] });
}
