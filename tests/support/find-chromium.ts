import { existsSync } from "node:fs";
import { cacheDir } from "@planwright/launcher";
import { fetchChromium } from "./fetch-chromium.ts";

const INSTALLED = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
] as const;

export type FoundChromium = {
  readonly executablePath: string;
  /** Added to the browser's environment. */
  readonly env: Readonly<Record<string, string>>;
};

/**
 * The browser of the tests: the one that `CHROMIUM` names, one that is installed, or one that is fetched.
 *
 * @throws {Error} When there is none: a test of the page without a browser must fail, not be skipped.
 */
export async function findChromium(env: NodeJS.ProcessEnv): Promise<FoundChromium> {
  const named = env["CHROMIUM"];
  if (named) {
    if (existsSync(named)) return { executablePath: named, env: {} };
    throw new Error(`CHROMIUM=${named} does not exist`);
  }
  const installed = INSTALLED.find((file) => existsSync(file));
  if (installed !== undefined) return { executablePath: installed, env: {} };
  try {
    const { executablePath, libraryPath } = await fetchChromium(cacheDir(env));
    return { executablePath, env: { LD_LIBRARY_PATH: libraryPath } };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`no Chromium: none is installed and none could be fetched (${reason}); set CHROMIUM`, {
      cause,
    });
  }
}
