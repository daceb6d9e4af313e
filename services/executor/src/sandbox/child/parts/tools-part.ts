import type { GuestPart } from "../guest-part.ts";

/**
 * Tools, called as functions: `docs.search` as `tools.docs.search(args)`.
 *
 * @param ask - Runs a tool while the guest stands still; arguments and what it gives are JSON.
 */
export function toolsPart(names: readonly string[], ask: (tool: string, json: string) => string): GuestPart {
  return {
    name: "tools",
    functions: { ask: (tool = "", json = "") => ask(tool, json) },
    data: [...names],
    source: `({ stringify, parse, freeze, create, defineProperty, Fault }, { ask }, names) => {
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
      return seal(tools);
    }`,
  };
}
