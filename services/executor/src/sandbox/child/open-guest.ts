/** A fresh WebAssembly context that contains nothing of the host except what is put there. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { EvalFlags, type JSValueHandle, type QuickJS } from "quickjs-wasi";
import type { GuestRequest } from "../program.ts";
import type { GuestPart } from "./guest-part.ts";
import type { GuestLanguage } from "./languages/guest-language.ts";

/** Well below what V8 allows for the frames of the engine. */
const STACK_BYTES = 192 * 1024;
const MS_TO_NS = 1_000_000n;

const engine = await WebAssembly.compile(
  readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm")),
);

export type GuestSettings = Pick<GuestRequest, "nowMs" | "limits"> & {
  readonly language: GuestLanguage;
  readonly parts: readonly GuestPart[];
  /** Whether the program has to stop; polled while it runs. */
  readonly mustStop: () => boolean;
};

export type Guest = Disposable & {
  readonly world: QuickJS;
  /**
   * Starts the program. Returns a text when it finishes immediately, else a promise of one.
   *
   * @throws {JSException} When it cannot be parsed.
   */
  readonly begin: (code: string) => JSValueHandle;
};

/** Opens a context with these parts. Its clock is fixed at `nowMs`, so that the same program always does the same. */
export async function openGuest({ language, parts, mustStop, nowMs, limits }: GuestSettings): Promise<Guest> {
  const world = await language.open({
    wasm: engine,
    memoryLimit: limits.memoryBytes,
    maxStackSize: STACK_BYTES,
    timezoneOffset: 0,
    interruptHandler: mustStop,
    wasi: (memory: WebAssembly.Memory) => ({
      clock_time_get: (_clock: number, _precision: bigint, at: number) => {
        new DataView(memory.buffer).setBigUint64(at, BigInt(Math.trunc(nowMs)) * MS_TO_NS, true);
        return 0;
      },
    }),
  });
  using core = world.evalCode(GUEST_CORE, "core.js");
  const run = core.getProp("run");
  const given = parts.map((part) => give(world, core, part));
  return {
    world,
    begin(code) {
      const names = parts.map(({ name }) => name);
      using program = language.load(world, code, names);
      return world.callFunction(run, world.undefined, program, ...given);
    },
    [Symbol.dispose]: () => world.dispose(),
  };
}

function give(
  world: QuickJS,
  core: JSValueHandle,
  { functions, data, source, name }: GuestPart,
): JSValueHandle {
  using giveIn = core.getProp("give");
  using part = world.evalCode(`(${source})`, `${name}.js`, EvalFlags.STRICT);
  using host = world.newObject();
  for (const [key, act] of Object.entries(functions)) {
    using raw = world.newFunction(`${name}.${key}`, (...words) => {
      const said = act(...words.map((word) => word.toString()));
      return said === undefined ? world.undefined : world.newString(said);
    });
    world.setProp(host, key, raw);
  }
  using json = world.newString(JSON.stringify(data));
  return world.callFunction(giveIn, world.undefined, part, host, json);
}

/**
 * The first code that runs in the guest: it saves the engine's built-ins before a program can change them, provides the parts,
 * and runs the program so that its outcome is a single text.
 */
const GUEST_CORE = `(() => {
  "use strict";
  const { stringify, parse } = JSON, { freeze, create, defineProperty } = Object, Text = String, Fault = Error;
  const call = Function.prototype.call.bind(Function.prototype.call), apply = Reflect.apply;
  const then = Promise.prototype.then, slice = String.prototype.slice, Later = Promise, settle = Promise.resolve;
  const cut = (value, length) => call(slice, value, 0, length);
  let left;
  const keepState = (box) => left = box;
  const own = freeze({ __proto__: null, stringify, parse, freeze, create, defineProperty, Text, Fault, call, apply, cut, keepState });

  const described = (thrown) => {
    let name = "Error", message = "it cannot be shown", stack = "";
    try { name = cut(Text(thrown?.name ?? "Error"), 100); } catch {}
    try { message = cut(Text(thrown?.message ?? thrown), 2000); } catch {}
    try { stack = cut(Text(thrown?.stack ?? ""), 4000); } catch {}
    return stringify({ __proto__: null, thrown: { __proto__: null, name, message, stack } });
  };
  const given = (value) => stringify({ __proto__: null, value, state: left?.value });
  const begin = (program, parts) => {
    try { return call(settle, Later, apply(program, undefined, parts)); } catch (thrown) { return described(thrown); }
  };
  return freeze({
    __proto__: null,
    give: (part, host, data) => part(own, host, parse(data)),
    run: (program, ...parts) => {
      const begun = begin(program, parts);
      return typeof begun === "string" ? begun : call(then, call(then, begun, given), undefined, described);
    },
  });
})()`;
