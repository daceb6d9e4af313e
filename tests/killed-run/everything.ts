// A test that starts everything that tests start, says so, and waits to be killed.
import { startExampleServer, startNats, startSystem } from "@planwright/testkit";
import { expect, it } from "vitest";
import { openBrowser } from "../support/open-browser.ts";

it("waits until it is killed", async () => {
  await using system = await startSystem();
  await using _limited = await startNats({ maxPayloadBytes: 1024 * 1024 });
  await using _world = await startExampleServer("q4-sales");
  await using browser = await openBrowser();
  const { page } = await browser.open(system.url);
  await expect.poll(() => page.title()).toContain("Planwright");
  process.stdout.write("everything runs\n");
  await new Promise<never>(() => undefined);
});
