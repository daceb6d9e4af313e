/** The tools that bring content into a plan that is untrusted or private. */
import type { Provenance } from "../policy/gate-policy.ts";

/** Their outputs contain only their arguments, a model's processing of these, or a person's input. */
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

/** Whether something may be based on untrusted or private content. */
export function hasContent({ tools, isOpen }: Provenance): boolean {
  return isOpen || tools.some((tool) => !NEUTRAL.has(tool));
}

/** Whether something may be based on content that is not on the public web. */
export function hasPrivateContent({ tools, isOpen }: Provenance): boolean {
  return isOpen || tools.some((tool) => !NEUTRAL.has(tool) && !WEB.has(tool));
}
