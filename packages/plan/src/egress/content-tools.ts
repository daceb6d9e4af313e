/** Which tools bring content into a plan that others wrote, or that is not for others. */
import type { Provenance } from "../policy/gate-policy.ts";

/** Their outputs hold only what their arguments held, what a model made of these, or what a person said. */
const NEUTRAL: ReadonlySet<string> = new Set([
  "agent.react",
  "chart.render",
  "code.run",
  "data.apply",
  "email.draft",
  "email.send",
  "files.write",
  "flow.echo",
  "flow.wait",
  "human.ask",
  "math.evaluate",
  "model.write",
  "report.render",
]);
/** Their results come from the public web: untrusted, but not confidential. */
const WEB: ReadonlySet<string> = new Set(["http.fetch", "web.search"]);

/** Whether a tool reads the public web. */
export function readsWeb(tool: string): boolean {
  return WEB.has(tool);
}

/** Whether untrusted or private content may be behind something. */
export function hasContent({ tools, isOpen }: Provenance): boolean {
  return isOpen || tools.some((tool) => !NEUTRAL.has(tool));
}

/** Whether content may be behind something that is not on the public web. */
export function hasPrivateContent({ tools, isOpen }: Provenance): boolean {
  return isOpen || tools.some((tool) => !NEUTRAL.has(tool) && !WEB.has(tool));
}
