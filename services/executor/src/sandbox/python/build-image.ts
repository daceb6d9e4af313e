/** Builds the context that every Python program starts in: Brython with its library loaded, as a memory image. */
import vm from "node:vm";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { zstdCompressSync } from "node:zlib";
import { CompileFlags, EvalFlags, QuickJS } from "quickjs-wasi";
import { GUEST_RUNTIME } from "./guest-runtime.ts";
import { LOADED_MODULES, fullLibrary } from "./library.ts";
import { patched } from "./patches.ts";
import { type LibraryModule, readBrython } from "./stdlib.ts";
import { z } from "zod";

const STACK_BYTES = 512 * 1024;

/** Placeholder for a translated module's source, which itself never enters the guest. */
const TEXT_OF = /^\/\*@(\S+)\*\//;

/**
 * Serves the library while it is loaded. Meanwhile functions are compiled outside of the guest, so that its memory, and therefore
 * the image, contains neither their source nor the gaps that parsing it would leave.
 */
const LOADER = `((source, modules, translated, make) => {
  const brython = globalThis.__BRYTHON__, Native = Function;
  globalThis.Function = function Function(...texts) { const body = texts.pop(); return make(texts.join(","), String(body)); };
  globalThis.Function.prototype = Native.prototype;
  const lazy = (names, get) => new Proxy({}, {
    get: (held, name) => name === "hasOwnProperty" ? (key) => names[key] !== undefined : names[name] && get(name),
  });
  brython.use_VFS = true;
  brython.VFS = lazy(modules, (name) => [modules[name][0], source(name), ...modules[name].slice(2)]);
  brython.precompiled = lazy(translated, (name) => "/*@" + name + "*/");
  return {
    load: (name) => brython.runPythonSource("import " + name, "load_" + name),
    forget: () => {
      globalThis.Function = Native;
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
  using scratch = await QuickJS.create({ wasm, maxStackSize: STACK_BYTES });
  using world = await QuickJS.create({ wasm, timezoneOffset: 0, maxStackSize: STACK_BYTES });
  const brython = withoutConsole(patched(readBrython()));
  for (const script of [STAND_INS, brython])
    world.evalBytecode(readOnce(scratch, script, "brython.js")).dispose();
  load(world, scratch, library);
  world.evalBytecode(readOnce(scratch, GUEST_RUNTIME, "runtime.js")).dispose();
  world.runGC();
  return zstdCompressSync(QuickJS.serializeSnapshot(world.snapshot()));
}

function load(world: QuickJS, scratch: QuickJS, { modules, translated }: LoadableLibrary): void {
  using loader = world.evalCode(LOADER, "loader.js");
  using source = world.newFunction("source", (name) => world.newString(modules[name.toString()]?.[1] ?? ""));
  using make = world.newFunction("make", (params, body) => {
    const text = body.toString().replace(TEXT_OF, (_all, name: string) => `${translated[name] ?? ""}\n`);
    return world.evalBytecode(
      readOnce(scratch, `(function (${params.toString()}) {${text}\n})`, "library.js"),
    );
  });
  const heads = Object.entries(modules).map(([name, [kind, , ...rest]]) => [name, [kind, "", ...rest]]);
  using known = world.hostToHandle(Object.fromEntries(heads));
  using names = world.hostToHandle(Object.fromEntries(Object.keys(translated).map((name) => [name, true])));
  using loading = world.callFunction(loader, world.undefined, source, known, names, make);
  using loadOne = loading.getProp("load");
  for (const name of LOADED_MODULES) {
    using text = world.newString(name);
    world.callFunction(loadOne, world.undefined, text).dispose();
  }
  using forget = loading.getProp("forget");
  world.callFunction(forget, world.undefined).dispose();
}

/** Drops the source, which the guest never reads. */
function readOnce(scratch: QuickJS, source: string, file: string): Uint8Array {
  return scratch.compile(source, file, EvalFlags.TYPE_GLOBAL, CompileFlags.STRIP_SOURCE);
}

/**
 * Brython translates Python to JavaScript. For the importable library that takes a minute in WebAssembly, but seconds in V8: so
 * it is done there, once, and the guest loads the result. Only the library is ever translated here, never a program.
 */

/** The library as the guest's loader takes it. A `.py` module is not parsed again: its JavaScript is in `translated`. */
type LoadableLibrary = {
  readonly modules: Readonly<Record<string, LibraryModule>>;
  readonly translated: Readonly<Record<string, string>>;
};

const Loaded = z.object({
  /** A package's source is wrapped in a list of one. */
  translated: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  imported: z.array(z.string()),
});

/** Changes the globals of the whole process: only for a process that does nothing else. */
function translateLibrary(): LoadableLibrary {
  const library = fullLibrary();
  Object.assign(globalThis, {
    module: { exports: {} },
    __BRYTHON__: {},
    __library: { library: Object.fromEntries(library), names: LOADED_MODULES },
  });
  Reflect.deleteProperty(globalThis, "navigator");
  vm.runInThisContext(STAND_INS);
  vm.runInThisContext(withoutConsole(patched(readBrython())), { filename: "brython.js" });
  const said: unknown = vm.runInThisContext(`(({ library, names }) => {
    const brython = globalThis.__BRYTHON__;
    brython.use_VFS = true;
    brython.update_VFS(library);
    for (const name of names) brython.runPythonSource("import " + name, "load_" + name);
    return { translated: brython.precompiled, imported: Object.keys(brython.imported) };
  })(__library)`);
  const { translated, imported } = Loaded.parse(said);
  const modules: Record<string, LibraryModule> = {};
  for (const name of imported) {
    const module = library.get(name);
    if (module !== undefined) modules[name] = module;
  }
  return {
    modules,
    translated: Object.fromEntries(Object.entries(translated).map(([name, text]) => [name, String(text)])),
  };
}

/**
 * Replaces the browser page, or its worker, that Brython expects: enough to load, with nothing behind it. No request can be made,
 * no timer runs, and console output is dropped.
 */
const STAND_INS = `
globalThis.self = globalThis;
globalThis.__quiet = () => {};
globalThis.WorkerGlobalScope = class WorkerGlobalScope {};
globalThis.WorkerNavigator = class WorkerNavigator { language = "en"; userLanguage = "en"; platform = ""; userAgent = ""; };
Object.defineProperty(globalThis, "navigator", { value: new WorkerNavigator(), configurable: true });
globalThis.importScripts = () => {};
globalThis.location = { href: "file:///program/", origin: "file://", pathname: "/program/" };
for (const name of ["Node", "NodeList", "Event", "MouseEvent", "CustomEvent"]) globalThis[name] = class {};
globalThis.URL = class URL {
  constructor(href) { this.href = href; this.pathname = href.replace("file://", ""); this.search = ""; this.hash = ""; }
};
globalThis.Intl = {
  DateTimeFormat: class { format() { return "UTC"; } resolvedOptions() { return { timeZone: "UTC" }; } },
};
globalThis.setTimeout = globalThis.setInterval = () => 0;
globalThis.clearTimeout = globalThis.clearInterval = () => {};
globalThis.XMLHttpRequest = class { constructor() { throw new Error("there is no network"); } };
globalThis.crypto = {
  getRandomValues(values) {
    for (let i = 0; i < values.length; i += 1) values[i] = Math.random() * 4294967296;
    return values;
  },
};
`;

/** Keeps a Brython script from writing to the console, which is reserved for the program. */
function withoutConsole(script: string): string {
  return script.replaceAll(/\bconsole\.(log|warn|error|debug|info|trace)\b/g, "__quiet");
}
