/** A visit of the page: how soon it can be used, and what it loads. */
import type { BrowserContext, Page, Request } from "playwright-core";
import { probe } from "./probe.ts";

export type Visit = {
  readonly page: Page;
  /** What has come over the wire so far, compressed as it was sent, without the data of plans. */
  readonly fileBytes: () => Promise<number>;
};

/** Opens a page that is looked at from its first moment. */
export async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage();
  const files: Request[] = [];
  page.on("requestfinished", (request) => {
    if (!new URL(request.url()).pathname.startsWith("/v1/")) files.push(request);
  });
  await probe(page);
  await page.goto(url);
  return {
    page,
    fileBytes: async () => {
      const sizes = await Promise.all(files.map((request) => request.sizes()));
      return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
    },
  };
}

/** The page's JavaScript heap in MiB, after what is garbage has been collected. */
export async function heapMibOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize / 1_048_576;
}
