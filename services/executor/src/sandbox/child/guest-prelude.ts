/**
 * What the guest is given before its program runs, as its own source. It keeps the functions that it needs for
 * itself before the program can change them, and takes away the two raw functions of the host.
 */
export const GUEST_PRELUDE = `(() => {
  "use strict";
  const { stringify, parse } = JSON, { freeze, create, defineProperty } = Object, Text = String, Fault = Error;
  const call = Function.prototype.call.bind(Function.prototype.call), then = Promise.prototype.then;
  const slice = String.prototype.slice, ask = globalThis.__ask, write = globalThis.__write;
  const names = parse(globalThis.__names), input = parse(globalThis.__input);
  for (const name of ["__ask", "__write", "__names", "__input"]) delete globalThis[name];

  const text = (value) => {
    if (typeof value === "string") return value;
    try { return stringify(value) ?? Text(value); } catch { return "[cannot be shown]"; }
  };
  const cut = (value, length) => call(slice, value, 0, length);
  const toolOf = (name) => freeze((args) => {
    const json = stringify({ __proto__: null, args: args === undefined ? {} : args });
    const said = parse(ask(name, json));
    if (said.error === undefined) return said.output;
    const fault = new Fault(said.error.message);
    defineProperty(fault, "code", { value: said.error.code, enumerable: true });
    throw fault;
  });
  const tools = create(null);
  for (let i = 0; i < names.length; i += 1) {
    const parts = names[i].split(".");
    let at = tools;
    for (let p = 0; p < parts.length - 1; p += 1) at = at[parts[p]] ??= create(null);
    at[parts[parts.length - 1]] = toolOf(names[i]);
  }
  const seal = (node) => { for (const key in node) if (typeof node[key] === "object") seal(node[key]); return freeze(node); };
  seal(tools);

  const say = (...values) => {
    let line = "";
    for (let i = 0; i < values.length; i += 1) line += (i === 0 ? "" : " ") + text(values[i]);
    write(cut(line, 65536));
  };
  const console = freeze({ __proto__: null, log: say, info: say, warn: say, error: say, debug: say });
  defineProperty(globalThis, "console", { value: console });

  const described = (thrown) => {
    let name = "Error", message = "it cannot be shown", stack = "";
    try { name = cut(Text(thrown?.name ?? "Error"), 100); } catch {}
    try { message = cut(Text(thrown?.message ?? thrown), 2000); } catch {}
    try { stack = cut(Text(thrown?.stack ?? ""), 4000); } catch {}
    return stringify({ __proto__: null, thrown: { __proto__: null, name, message, stack } });
  };
  const given = (value) => stringify({ __proto__: null, value });
  defineProperty(globalThis, "__run", {
    value: (program) => call(then, call(then, program(tools, console, input), given), undefined, described),
  });
})()`;
