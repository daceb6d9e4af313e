import { permissionsOf, type NatsRole } from "@planwright/shared/permissions";
import { BUCKETS, STREAM_CONFIGS } from "@planwright/shared/bus";

const ROLES: readonly { readonly title: string; readonly role: NatsRole }[] = [
  { title: "gateway", role: { kind: "gateway" } },
  { title: "planner", role: { kind: "planner" } },
  { title: "reflector", role: { kind: "reflector" } },
  { title: "worker of the pool default", role: { kind: "worker", pools: ["default"] } },
];

/** docs/reference/nats.md: streams, buckets, and what each user may publish and subscribe to. */
export function natsPage(): string {
  const streams = STREAM_CONFIGS.map(
    ({ name, subjects, description = "" }) =>
      `| \`${name}\` | ${subjects.map(code).join(", ")} | ${description} |`,
  );
  return `${[
    "# NATS: streams and users",
    "",
    "Generated from the code by `npm run docs`. What the users are for, and how they are created: [security](../security.md).",
    "",
    "| stream | subjects | holds |",
    "|---|---|---|",
    ...streams,
    "",
    `Key-value buckets: ${Object.values(BUCKETS).map(code).join(", ")}. Object store: \`LARGE_ARTIFACTS\`.`,
    "",
    "`KEY` stands for the user's public nkey. The user `admin` may do everything. Each user but `admin` may answer requests.",
    ...ROLES.flatMap(sectionOf),
  ].join("\n")}\n`;
}

function sectionOf({ title, role }: (typeof ROLES)[number]): string[] {
  const { publish, subscribe } = permissionsOf(role, "KEY");
  return [
    "",
    `## The ${title}`,
    "",
    `May publish ${publish.allow.map(code).join(", ")}.`,
    "",
    `May subscribe to ${subscribe.allow.map(code).join(", ")}.`,
  ];
}

function code(text: string): string {
  return `\`${text}\``;
}
