/**
 * The guest source around Brython: converts values on their way in and out, and handles imports, output and the program itself.
 * It is evaluated once, when the image is built, and leaves one function: `__python(code, parts)`.
 *
 * The restrictions here keep programs within the documented features. They are no security boundary: WebAssembly and the process
 * are.
 */
import { FORGOTTEN_MODULES, IMPORTABLE_MODULES } from "./library.ts";

export const PROGRAM_FILE = "program.py";

/** A function of names and their values; returns the program's result. */
export const GUEST_RUNTIME = `((importable, forgotten) => {
  "use strict";
  const brython = globalThis.__BRYTHON__, builtins = brython.builtins, { None, dict } = builtins, { NULL } = brython;
  const FILE = "${PROGRAM_FILE}", MAIN = "__main__", DEPTH_MAX = 200;
  const { defineProperty, keys } = Object, isArray = Array.isArray, Fault = Error, { InternalError } = globalThis, Code = Function, now = Date.now;
  const attribute = (module, name) => brython.module_getattr(brython.imported[module], name);
  const raise = (type, message) => brython.RAISE(builtins[type], message);
  const callable = (act) => { act.ob_type = brython.builtin_function_or_method; return act; };

  const toPython = (value) => {
    if (value === null || value === undefined) return None;
    if (typeof value === "number") return Number.isSafeInteger(value) ? value : brython.fast_float(value);
    if (typeof value === "string") return brython.String(value);
    if (typeof value !== "object") return value;
    if (isArray(value)) return brython.$list(value.map(toPython));
    const made = brython.empty_dict();
    for (const key of keys(value)) dict.$setitem(made, brython.String(key), toPython(value[key]));
    return made;
  };

  const refuse = (at, why) => raise("TypeError", at + ": " + why);
  const numberOf = (value, at) => {
    if (Number.isFinite(value)) return value;
    return refuse(at, String(value) + " is no JSON value");
  };
  const keyOf = (key, at) => {
    if (key === None) return "null";
    if (typeof key === "string" || key instanceof String || typeof key === "number" || typeof key === "boolean") return String(key);
    return refuse(at, "wanted text for a key, got " + brython.class_name(key));
  };
  const toJson = (value, at, depth = 0) => {
    if (depth > DEPTH_MAX) return refuse(at, "nested too deeply");
    if (value === None || value === undefined) return null;
    if (typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number") return numberOf(value, at);
    if (value instanceof String) return value.toString();
    if (typeof value === "bigint") return refuse(at, "the whole number is too large, give it as text");
    if (brython.$isinstance(value, builtins.float)) return numberOf(value.value, at);
    if (brython.$isinstance(value, [builtins.list, builtins.tuple])) {
      const made = [];
      for (let i = 0; i < value.length; i += 1) made.push(toJson(value[i], at + "[" + i + "]", depth + 1));
      return made;
    }
    if (brython.$isinstance(value, dict)) {
      const made = { __proto__: null };
      for (const { key, value: each } of dict.$iter_items(value)) {
        const name = keyOf(key, at);
        made[name] = toJson(each, at + "." + name, depth + 1);
      }
      return made;
    }
    return refuse(at, "a value of type " + brython.class_name(value) + " is no JSON value");
  };

  const original = brython.$__import__, allowed = new Set(importable), gone = new Set(forgotten), hidden = new Set(["os", "posix", "sys"]);
  brython.$__import__ = (name, ...rest) => {
    const text = String(name), own = brython.frame_obj?.frame?.__file__?.startsWith("VFS.") === true;
    if (own ? gone.has(text.split(".")[0]) || hidden.has(text) : !allowed.has(text))
      raise("ModuleNotFoundError", "No module named '" + text + "'; a program may import " + importable.join(", "));
    return original(text, ...rest);
  };
  for (const name of keys(brython.imported)) if (gone.has(name.split(".")[0])) delete brython.imported[name];
  for (const module of Object.values(brython.imported))
    for (const name of ["browser", "javascript", "window", "scope"])
      if (brython.get_dict(module) && brython.module_getattr(module, name) !== NULL) dict.$delitem(brython.get_dict(module), name);
  brython.module_setattr(brython.imported.time, "_now_ms", callable(() => now()));
  delete builtins.__BRYTHON__;
  builtins.open = callable(() => raise("OSError", "a program has no files"));
  for (const name of ["breakpoint", "help"]) delete builtins[name];

  let say = () => {}, pending = "", box;
  const write = callable((text) => {
    const lines = (pending + String(text)).split("\\n");
    pending = lines.pop();
    for (const line of lines) say(line);
    return None;
  });
  const flush = () => { const rest = pending; pending = ""; if (rest !== "") say(rest); };
  const output = brython.$call(attribute("planwright", "Output"), write);
  for (const stream of ["stdout", "stderr"]) brython.module_setattr(brython.imported.sys, stream, output);

  const toolsByPath = (node, prefix = "") => keys(node).flatMap((name) =>
    typeof node[name] === "function" ? [[prefix + name, node[name]]] : toolsByPath(node[name], prefix + name + "."));
  const callTool = (byPath) => callable((path, args) => {
    const tool = byPath.get(String(path));
    if (tool === undefined) return raise("LookupError", "there is no tool " + path);
    let said;
    try { said = tool(toJson(args, String(path))); }
    catch (fault) {
      if (fault.code === undefined) throw fault;
      throw brython.$call(attribute("planwright", "ToolError"), fault.code, fault.message);
    }
    return toPython(said);
  });
  const given = {
    tools: (tools) => {
      const byPath = new Map(toolsByPath(tools));
      return brython.$call(attribute("planwright", "Tools"), callTool(byPath), brython.$list([...byPath.keys()]));
    },
    input: toPython,
    rows: ({ tables, run }) => {
      const change = callable((operation, args) => {
        try { return toPython(run(String(operation), toJson(args, "a row"))); }
        catch (fault) {
          if (fault?.ob_type === undefined && fault.name === "Error") raise("ValueError", fault.message);
          throw fault;
        }
      });
      const db = brython.$call(attribute("tinydb", "_open"), change, toPython(tables));
      builtins.db = db;
      for (const { name } of tables) builtins[name + "_tbl"] = brython.$call(brython.$getattr(db, "table"), name);
      for (const name of ["Query", "where", "get_current_balance", "next_transaction_id"]) builtins[name] = attribute("tinydb", name);
      return db;
    },
  };

  const RESULTS = ["answer_text", "STATUS", "answer_rows", "answer_json", "ACTION"];
  const resultOf = (globals) => {
    const named = (name) => brython.str_dict_get(globals, name, NULL);
    const answers = named("answer_text") !== NULL || named("STATUS") !== NULL;
    if (!answers) return named("result") === NULL ? null : toJson(named("result"), "result");
    const made = { __proto__: null };
    for (const name of RESULTS) if (named(name) !== NULL) made[name] = toJson(named(name), name);
    return made;
  };

  const lineOf = (exception) => {
    let line = Number(exception.lineno ?? exception.args?.[1]?.[1]);
    if (brython.is_exc(exception, [builtins.SyntaxError]) && line > 0) return line;
    line = undefined;
    for (let tb = exception.__traceback__; tb && tb !== None; tb = tb.tb_next)
      if (tb.tb_frame.__file__ === FILE) line = tb.tb_lineno;
    return line;
  };
  const faultOf = (thrown) => {
    const native = thrown?.ob_type === undefined ? thrown : thrown.$js_exc;
    if (native instanceof Fault && !(native instanceof RangeError)) throw native;
    if (/^(InternalError: )?out of memory/.test(thrown?.args?.[0])) throw new InternalError("out of memory");
    const exception = brython.is_type(thrown) ? brython.$call(thrown) : brython.exception(thrown);
    const fault = new Fault("it cannot be shown"), line = lineOf(exception);
    defineProperty(fault, "name", { value: brython.class_name(exception) });
    defineProperty(fault, "stack", { value: line === undefined ? "" : FILE + ":" + line });
    const told = brython.is_exc(exception, [builtins.SyntaxError]) ? exception.args[0] : exception;
    try { defineProperty(fault, "message", { value: String(builtins.str.$factory(told)) }); } catch {}
    return fault;
  };

  const prepare = (names, values) => {
    brython.frame_obj = null;
    pending = "";
    for (let i = 0; i < names.length; i += 1) {
      if (names[i] === "console") say = values[i].log;
      else if (names[i] === "state") box = values[i];
      else if (given[names[i]] !== undefined) builtins[names[i]] = given[names[i]](values[i]);
    }
    brython.$call(attribute("random", "seed"), now());
    const module = brython.imported[MAIN] ??= brython.module.$factory(MAIN, "");
    const globals = brython.get_dict(module);
    for (const name of ["result", ...RESULTS])
      if (brython.str_dict_get(globals, name, NULL) !== NULL) dict.$delitem(globals, name);
    if (typeof builtins.input === "string") builtins.user_request = builtins.input;
    if (box !== undefined) dict.$setitem(globals, "state", toPython(box.value));
    return globals;
  };
  const read = (code) => {
    brython.file_cache[FILE] = code;
    brython.url2name[FILE] = MAIN;
    brython.make_import_paths(FILE);
    return new Code(brython.py2js({ src: code, filename: FILE }, MAIN, MAIN).to_js() + "\\nreturn locals");
  };
  const run = (code, names, values) => {
    try {
      const globals = prepare(names, values);
      read(code)();
      if (box !== undefined) box.value = toJson(brython.str_dict_get(globals, "state", None), "state");
      return resultOf(globals);
    } catch (thrown) { throw faultOf(thrown); } finally { flush(); }
  };
  const fixed = (name, value) => defineProperty(globalThis, name, { value, writable: false, configurable: false });
  fixed("__python", run);
  for (const name of ["__BRYTHON__", "__quiet", "__toFixed", "__roundWhole"]) fixed(name, globalThis[name]);
})(${JSON.stringify(IMPORTABLE_MODULES)}, ${JSON.stringify(FORGOTTEN_MODULES)})`;
