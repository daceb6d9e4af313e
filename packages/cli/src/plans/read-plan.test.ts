import { expect, it } from "vitest";
import type { Client } from "../client/create-client.ts";
import { CliError, EXIT, type ExitCode } from "../exit-codes.ts";
import { readPlanPatiently } from "./read-plan.ts";

/** A gateway that fails a few times, and what is asked of it. */
function clientFailing(...codes: ExitCode[]) {
  let asked = 0;
  const get: Client["get"] = async (path) => {
    const code = codes[asked++];
    if (code !== undefined) throw new CliError(code, "not now");
    // Whoever asks does not look at it here.
    return { path } as never;
  };
  // Nothing else is called.
  const client = { get } as Client;
  return { client, asked: () => asked };
}

const { signal } = new AbortController();

it("waits for a gateway that is away or starting, as whoever follows its facts does", async () => {
  const { client } = clientFailing(EXIT.unreachable, EXIT.failed);
  expect(await readPlanPatiently(client, "p", signal)).toEqual({ path: "/v1/plans/p" });
});

it("tells at once what trying again would not change", async () => {
  const { client, asked } = clientFailing(EXIT.refused);
  await expect(readPlanPatiently(client, "p", signal)).rejects.toMatchObject({ exitCode: EXIT.refused });
  expect(asked()).toBe(1);
});

it("lets go when it is told to", async () => {
  const leaving = new AbortController();
  const reading = readPlanPatiently(clientFailing(EXIT.unreachable).client, "p", leaving.signal);
  leaving.abort(new Error("enough"));
  await expect(reading).rejects.toThrow("enough");
});
