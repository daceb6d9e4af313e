/** A fresh JavaScript world in WebAssembly: nothing of the host is in it but what is put there. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { QuickJS } from "quickjs-wasi";
import type { GuestRequest } from "../program.ts";
import { GUEST_PRELUDE } from "./guest-prelude.ts";

/** Well below what V8 allows for the frames of the engine itself. */
const STACK_BYTES = 192 * 1024;
const MS_TO_NS = 1_000_000n;

const engine = await WebAssembly.compile(
  readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm")),
);

export type GuestHost = {
  /** Runs a tool while the guest stands still; arguments and what it gives are JSON. */
  readonly ask: (tool: string, json: string) => string;
  readonly write: (line: string) => void;
  /** Whether the program has to stop; looked at now and then while it runs. */
  readonly mustStop: () => boolean;
};

/** Opens a world that `host` serves. Its clock stands at `nowMs`, so that the same program always does the same. */
export async function openGuest(
  { input, tools, nowMs, limits }: Omit<GuestRequest, "code">,
  host: GuestHost,
): Promise<QuickJS> {
  const guest = await QuickJS.create({
    wasm: engine,
    memoryLimit: limits.memoryBytes,
    maxStackSize: STACK_BYTES,
    timezoneOffset: 0,
    interruptHandler: host.mustStop,
    wasi: (memory: WebAssembly.Memory) => ({
      clock_time_get: (_clock: number, _precision: bigint, at: number) => {
        new DataView(memory.buffer).setBigUint64(at, BigInt(Math.trunc(nowMs)) * MS_TO_NS, true);
        return 0;
      },
    }),
  });
  const ask = guest.newFunction("__ask", (name, json) =>
    guest.newString(host.ask(name.toString(), json.toString())),
  );
  const write = guest.newFunction("__write", (line) => {
    host.write(line.toString());
    return guest.undefined;
  });
  const names = guest.newString(JSON.stringify(tools));
  const given = guest.newString(JSON.stringify(input));
  for (const [name, value] of Object.entries({
    __ask: ask,
    __write: write,
    __names: names,
    __input: given,
  })) {
    guest.setProp(guest.global, name, value);
    value.dispose();
  }
  guest.evalCode(GUEST_PRELUDE, "prelude.js").dispose();
  return guest;
}
