/** Makes the world that every Python program starts in: Brython with its library loaded, as an image of its memory. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { zstdCompressSync } from "node:zlib";
import { CompileFlags, EvalFlags, QuickJS } from "quickjs-wasi";
import { GUEST_RUNTIME } from "./guest-runtime.ts";
import { LOADED_MODULES } from "./library.ts";
import { patched } from "./patches.ts";
import { STAND_INS, withoutConsole } from "./stand-ins.ts";
import { readBrython } from "./stdlib.ts";
import { type LoadableLibrary, translateLibrary } from "./translate-library.ts";

const STACK_BYTES = 512 * 1024;

/** Where the library is found while it is loaded: one module at a time, so that the image does not hold all their texts. */
const LOADER = `((source, modules, translated) => {
  const brython = globalThis.__BRYTHON__;
  const lazy = (names, get) => new Proxy({}, {
    get: (held, name) => name === "hasOwnProperty" ? (key) => names[key] !== undefined : names[name] && get(name),
  });
  brython.use_VFS = true;
  brython.VFS = lazy(modules, (name) => [modules[name][0], source("module", name), ...modules[name].slice(2)]);
  brython.precompiled = lazy(translated, (name) => source("translated", name));
  return {
    load: (name) => brython.runPythonSource("import " + name, "load_" + name),
    forget: () => {
      brython.VFS = {};
      brython.precompiled = {};
      for (const kept of [brython.file_cache, brython.url2name, brython.scripts]) for (const key of Object.keys(kept)) delete kept[key];
      for (const name of Object.keys(brython.imported)) if (name.startsWith("load_")) delete brython.imported[name];
    },
  };
})`;

/** @returns The image, compressed. Takes seconds, and changes the globals of the process. */
export async function buildImage(): Promise<Uint8Array> {
  const library = translateLibrary();
  const wasm = readFileSync(createRequire(import.meta.url).resolve("quickjs-wasi/quickjs.wasm"));
  const brython = await readOnce(wasm, withoutConsole(patched(readBrython())), "brython.js");
  using world = await QuickJS.create({ wasm, timezoneOffset: 0, maxStackSize: STACK_BYTES });
  world.evalCode(STAND_INS, "stand-ins.js").dispose();
  world.evalBytecode(brython).dispose();
  load(world, library);
  world.evalCode(GUEST_RUNTIME, "runtime.js").dispose();
  world.runGC();
  return zstdCompressSync(QuickJS.serializeSnapshot(world.snapshot()));
}

function load(world: QuickJS, { modules, translated }: LoadableLibrary): void {
  using loader = world.evalCode(LOADER, "loader.js");
  using source = world.newFunction("source", (kind, name) => {
    const found = kind.toString() === "module" ? modules[name.toString()]?.[1] : translated[name.toString()];
    return found === undefined ? world.undefined : world.newString(found);
  });
  const heads = Object.entries(modules).map(([name, [kind, , ...rest]]) => [name, [kind, "", ...rest]]);
  using known = world.hostToHandle(Object.fromEntries(heads));
  using names = world.hostToHandle(Object.fromEntries(Object.keys(translated).map((name) => [name, true])));
  using loading = world.callFunction(loader, world.undefined, source, known, names);
  using loadOne = loading.getProp("load");
  for (const name of LOADED_MODULES) {
    using text = world.newString(name);
    world.callFunction(loadOne, world.undefined, text).dispose();
  }
  using forget = loading.getProp("forget");
  world.callFunction(forget, world.undefined).dispose();
}

/** Without its source, which nobody reads in the guest, and without what reading it leaves behind. */
async function readOnce(wasm: Uint8Array, source: string, file: string): Promise<Uint8Array> {
  using scratch = await QuickJS.create({ wasm, maxStackSize: STACK_BYTES });
  return scratch.compile(source, file, EvalFlags.TYPE_GLOBAL, CompileFlags.STRIP_SOURCE);
}
