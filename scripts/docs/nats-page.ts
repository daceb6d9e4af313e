import { permissionsOf, type NatsRole } from "@planwright/shared/permissions";
import { BUCKETS, STREAM_CONFIGS } from "@planwright/shared/bus";

const ROLES: readonly { readonly title: string; readonly role: NatsRole }[] = [
  { title: "Gateway", role: { kind: "gateway" } },
  { title: "Planner", role: { kind: "planner" } },
  { title: "Reflector", role: { kind: "reflector" } },
  { title: "Worker of the pool default", role: { kind: "worker", pools: ["default"] } },
];

/** docs/reference/nats.md: the streams and buckets, and the subjects that each user can publish and subscribe to. */
export function natsPage(): string {
  const streams = STREAM_CONFIGS.map(
    ({ name, subjects, description = "" }) =>
      `| \`${name}\` | ${subjects.map(code).join(", ")} | ${description} |`,
  );
  return `${[
    "# NATS: streams and users",
    "",
    "Generated from the code by `npm run docs`. For the purpose of the users and how to create them, see [Security](../security.md).",
    "",
    "| stream | subjects | content |",
    "|---|---|---|",
    ...streams,
    "",
    `Key-value buckets: ${Object.values(BUCKETS).map(code).join(", ")}. Object store: \`LARGE_ARTIFACTS\`.`,
    "",
    "`KEY` stands for the user's public nkey. The user `admin` may do everything. All other users may also respond to requests.",
    ...ROLES.flatMap(sectionOf),
  ].join("\n")}\n`;
}

function sectionOf({ title, role }: (typeof ROLES)[number]): string[] {
  const { publish, subscribe } = permissionsOf(role, "KEY");
  return [
    "",
    `## ${title}`,
    "",
    `Can publish to ${publish.allow.map(code).join(", ")}.`,
    "",
    `Can subscribe to ${subscribe.allow.map(code).join(", ")}.`,
  ];
}

function code(text: string): string {
  return `\`${text}\``;
}
