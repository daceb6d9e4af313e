import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, Page } from "playwright-core";

/** With it set to 1, what the tests have seen is written to docs/images. */
const WRITES = "PLANWRIGHT_PICTURES";
const FOLDER = path.resolve(import.meta.dirname, "../../docs/images");
const BYTES_MAX = 150 * 1_024;
const WIDTH_PX = 1_040;
const HEIGHT_PX = 700;

/** How a tab is opened that is to be in a document: of one size, at rest, and the same in every place. */
export function pictureTab(
  colorScheme: "light" | "dark" = "light",
  heightPx = HEIGHT_PX,
): NonNullable<Parameters<Browser["newContext"]>[0]> {
  return {
    colorScheme,
    viewport: { width: WIDTH_PX, height: heightPx },
    deviceScaleFactor: 1,
    reducedMotion: "reduce",
    locale: "en-GB",
    timezoneId: "UTC",
  };
}

/**
 * A picture for the documents, taken in a test, so that it shows what is true: `npm run pictures` writes it to
 * `docs/images/<name>.png`; no other run takes it.
 *
 * @throws {Error} When the picture that is to be written is too large for a document.
 */
export async function picture(page: Page, name: string): Promise<void> {
  if (process.env[WRITES] !== "1") return;
  // The pointer of the test's last click would leave something highlighted.
  await page.mouse.move(0, 0);
  const png = await page.screenshot({ animations: "disabled", caret: "hide" });
  if (png.byteLength > BYTES_MAX) {
    throw new Error(`picture ${name}: wanted at most ${BYTES_MAX} bytes, got ${png.byteLength}`);
  }
  await mkdir(FOLDER, { recursive: true });
  await writeFile(path.join(FOLDER, `${name}.png`), png);
}
