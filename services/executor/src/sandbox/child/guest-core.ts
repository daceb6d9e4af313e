/**
 * What runs in the guest before anything else: it keeps what the engine has built in before a program can change it,
 * gives the parts, and runs the program so that what comes of it is one text.
 */
export const GUEST_CORE = `(() => {
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
