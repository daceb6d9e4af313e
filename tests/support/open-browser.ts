import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { noteStart } from "@planwright/testkit";
import { findChromium } from "./find-chromium.ts";

/** Without them the browser looks for its maker's hosts. */
const QUIET = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** What went wrong in a page, or left its host: empty for a page that is well. */
export type Misconduct = { readonly errors: string[]; readonly foreign: string[] };

/** Disposing it closes its tabs, as `closeTabs` does; the browser itself serves all test files of its process. */
export type TestBrowser = AsyncDisposable & {
  /**
   * A tab in a separate session; what it does wrong is recorded. Unless it is asked for, nothing moves in it: without a
   * graphics card every frame of an animation is a processor's work, as long as a step runs.
   */
  open(url: string, options?: Parameters<Browser["newContext"]>[0]): Promise<Tab>;
  closeTabs(): Promise<void>;
};

export type Tab = { readonly page: Page; readonly context: BrowserContext; readonly misconduct: Misconduct };

/** The browser of this process; it ends with the process. */
let launched: Promise<Browser> | undefined;

/** @throws {Error} When there is no Chromium. */
export async function openBrowser(): Promise<TestBrowser> {
  const browser = await sharedBrowser();
  const contexts: BrowserContext[] = [];
  const closeTabs = async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()));
  };
  return {
    async open(url, options = {}) {
      const context = await browser.newContext({ reducedMotion: "reduce", ...options });
      contexts.push(context);
      const page = await context.newPage();
      const misconduct = watchConduct(page, new URL(url).host);
      await page.goto(url);
      return { page, context, misconduct };
    },
    closeTabs,
    [Symbol.asyncDispose]: closeTabs,
  };
}

async function sharedBrowser(): Promise<Browser> {
  const known = await launched?.catch(() => undefined);
  if (known?.isConnected()) return known;
  noteStart("browser");
  launched = launchChromium();
  return launched;
}

/** A browser with nothing around it. @throws {Error} When there is no Chromium. */
export async function launchChromium(): Promise<Browser> {
  const { executablePath, env } = await findChromium(process.env);
  return chromium.launch({ executablePath, args: QUIET, env: { ...stringsOf(process.env), ...env } });
}

function watchConduct(page: Page, host: string): Misconduct {
  const errors: string[] = [];
  const foreign: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
  });
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("dialog", (dialog) => {
    errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  const check = (url: string) => {
    const target = URL.parse(url);
    if (target?.protocol !== "data:" && target?.host !== host) foreign.push(url);
  };
  page.on("request", (request) => check(request.url()));
  page.on("websocket", (socket) => check(socket.url()));
  return { errors, foreign };
}

function stringsOf(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
