import type { GuestPart } from "../guest-part.ts";

/**
 * Tools, called as functions: `docs.search` as `tools.docs.search(args)`.
 *
 * @param ask - Runs a tool while the guest is blocked; arguments and results are JSON.
 */
export function toolsPart(names: readonly string[], ask: (tool: string, json: string) => string): GuestPart {
  return {
    name: "tools",
    functions: { ask: (tool = "", json = "") => ask(tool, json) },
    // Sorted, so that a tool comes before the tools that it is the prefix of: `crm` before `crm.find`.
    data: names.toSorted(),
    source: `({ stringify, parse, freeze, create, defineProperty, Fault }, { ask }, names) => {
      const toolOf = (name) => (args) => {
        const json = stringify({ __proto__: null, args: args === undefined ? {} : args });
        const said = parse(ask(name, json));
        if (said.error === undefined) return said.output;
        const fault = new Fault(said.error.message);
        defineProperty(fault, "code", { value: said.error.code, enumerable: true });
        throw fault;
      };
      const tools = create(null), made = create(null);
      for (let i = 0; i < names.length; i += 1) {
        const parts = names[i].split(".");
        let at = tools;
        let path = "";
        for (let p = 0; p < parts.length; p += 1) {
          path += "." + parts[p];
          if (made[path] === undefined) {
            made[path] = p === parts.length - 1 ? toolOf(names[i]) : create(null);
            defineProperty(at, parts[p], { value: made[path], enumerable: true, configurable: true });
          }
          at = made[path];
        }
      }
      const seal = (node) => { for (const key in node) seal(node[key]); return freeze(node); };
      return seal(tools);
    }`,
  };
}
