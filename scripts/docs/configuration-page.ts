import { executorService } from "@planwright/executor";
import { gatewayService } from "@planwright/gateway";
import { plannerService } from "@planwright/planner";
import { reflectorService } from "@planwright/reflector";
import { describeConfig, type ServiceDefinition, type Setting } from "@planwright/shared/service";
import { tableOf } from "./markdown.ts";
import { OTHER_VARIABLES } from "./other-variables.ts";

const SERVICES: readonly ServiceDefinition[] = [
  gatewayService,
  plannerService,
  executorService,
  reflectorService,
];

/** Every environment variable of every service, by who reads it. */
export function configurationPage(): string {
  const readers = new Map<string, { setting: Setting; by: string[] }>();
  for (const { name, Config } of SERVICES) {
    for (const setting of describeConfig(Config)) {
      const known = readers.get(setting.name);
      if (known === undefined) readers.set(setting.name, { setting, by: [name] });
      else known.by.push(name);
    }
  }
  const all = [...readers.values()];
  const common = all.filter(({ by }) => by.length > 1);
  const sections = [
    section("Of several services", common, true),
    ...SERVICES.map(({ name }) =>
      section(
        `Of the ${name}`,
        all.filter(({ by }) => by.length === 1 && by[0] === name),
        false,
      ),
    ),
  ];
  return `# Configuration

Every setting is an environment variable. A service reads them once, when it starts, reports every fault at once and
does not start with a malformed value. A variable that is set to nothing counts as not set.

${sections.join("\n")}
## Of the commands

${tableOf(
  ["variable", "read by", "what it is"],
  OTHER_VARIABLES.map(([name, readBy, what]) => [`\`${name}\``, readBy, what]),
)}
`;
}

function section(
  title: string,
  rows: readonly { setting: Setting; by: string[] }[],
  showsReaders: boolean,
): string {
  if (rows.length === 0) return "";
  const header = ["variable", "what it is", "wanted", "default", ...(showsReaders ? ["read by"] : [])];
  const body = rows.map(({ setting, by }) => [
    `\`${setting.name}\``,
    setting.description,
    setting.wanted,
    setting.default === undefined || setting.default === ""
      ? setting.required
        ? "**required**"
        : ""
      : `\`${setting.default}\``,
    ...(showsReaders ? [by.length === SERVICES.length ? "all" : by.join(", ")] : []),
  ]);
  return `## ${title}\n\n${tableOf(header, body)}\n`;
}
