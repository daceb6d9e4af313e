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

/** Renders every environment variable of every service, grouped by the services that read it. */
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
    section("Shared by several services", common, true),
    ...SERVICES.map(({ name }) =>
      section(
        `${name.charAt(0).toUpperCase()}${name.slice(1)}`,
        all.filter(({ by }) => by.length === 1 && by[0] === name),
        false,
      ),
    ),
  ];
  return `# Configuration

Every setting is an environment variable. Each service reads them once, at startup. If any value is malformed, the service
reports all problems together and does not start. An empty variable counts as not set.

${sections.join("\n")}
## Commands

${tableOf(
  ["variable", "read by", "description"],
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
  const header = [
    "variable",
    "description",
    "accepted values",
    "default",
    ...(showsReaders ? ["read by"] : []),
  ];
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
