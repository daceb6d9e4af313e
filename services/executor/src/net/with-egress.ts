import { JsonObject, reachesOut, urlArguments } from "@planwright/plan";
import type { Tool } from "../tools/define-tool.ts";
import { addressRefused } from "./address-refused.ts";
import type { Egress } from "./egress.ts";

/** Protocols whose URLs can carry a login for a server. */
const WEB: ReadonlySet<string> = new Set(["http:", "https:", "ws:", "wss:", "ftp:"]);

/**
 * Wraps the tools (including custom tools and those of MCP servers) so that none is called with a URL that is not allowed.
 * Redirects inside the tools are not seen here.
 *
 * @throws {PermanentError} From a tool: `address_refused`.
 */
export function withEgress(tools: readonly Tool[], egress: Egress): readonly Tool[] {
  return tools.map((tool) => {
    const { name } = tool.spec;
    if (!reachesOut(name)) return tool;
    return {
      ...tool,
      async run(args, context) {
        const { data = {} } = JsonObject.safeParse(args);
        for (const { url } of urlArguments(name, data)) if (url !== undefined) check(url, egress);
        return tool.run(args, context);
      },
    };
  });
}

function check(url: URL, egress: Egress): void {
  if (WEB.has(url.protocol) && (url.username !== "" || url.password !== "")) {
    throw addressRefused("a URL with a user name or password");
  }
  egress.check(url);
}
