import { ClientMessage } from "@planwright/api";
import { z } from "zod";
import { tableOf } from "./markdown.ts";
import { readSchema, schemaText } from "./schema-text.ts";

const MEANINGS: Readonly<Record<ClientMessage["type"], string>> = {
  submit: "submits a goal; `accepted`, and with `watch` its facts follow",
  watch:
    "sends the facts of a plan from `after` on, until it has ended or `unwatch`; `ok`, then `event`s, or as `view` what changes of its view (`changes`)",
  unwatch: "ends that; `ok`",
  cancel: "cancels a plan; `ok`",
  pause: "pauses a plan; `ok`",
  resume: "lets a paused plan go on; `ok`",
  approve: "decides an approval; `ok`",
  reject: "decides an approval; `ok`",
  answer: "answers a question of a plan (`human.ask`); `ok`",
};

const Variant = z.object({ anyOf: z.array(z.unknown()).optional(), oneOf: z.array(z.unknown()).optional() });

/** What goes over `GET /v1/ws`, from the schema that reads it. */
export function websocketPage(): string {
  const schema = Variant.parse(z.toJSONSchema(ClientMessage, { io: "input", unrepresentable: "any" }));
  const rows = (schema.oneOf ?? schema.anyOf ?? []).flatMap((variant) => {
    const { properties = {}, required = [] } = readSchema(variant);
    const { enum: several, const: one } = readSchema(properties["type"]);
    const fields = Object.entries(properties).filter(([name]) => name !== "id" && name !== "type");
    const text = fields.map(([name, field]) => fieldText(name, field, required.includes(name))).join(", ");
    return z
      .array(z.enum(Object.keys(MEANINGS) as [ClientMessage["type"]]))
      .parse(several ?? [one])
      .map((type) => [`\`${type}\``, text, MEANINGS[type]]);
  });
  return `# WebSocket

\`GET /v1/ws\` with the subprotocol \`planwright.v1\`. Messages are JSON texts. Each message of a client has an \`id\` (a number,
or a text of at most 128 characters) that the client chooses and that its answer carries, and a \`type\`. Unknown fields are
refused. A program sends its key as \`Authorization: Bearer <key>\`; a browser as a second subprotocol, \`bearer.\` and the key
in base64url.

## What a client sends

${tableOf(["type", "fields besides `id`", "does, and is answered with"], rows)}

## What the gateway sends

| type | fields | when |
|---|---|---|
| \`accepted\` | \`id\`, \`planId\`, \`traceId\` | a \`submit\` is stored |
| \`ok\` | \`id\` | what else was asked for is done, or a watch has begun |
| \`event\` | \`planId\`, \`seq\`, \`event\` | one fact of a watched plan ([events](events.md)); \`seq\` counts from 1 without gaps |
| \`changes\` | \`planId\`, \`after\`, \`seq\`, \`changes\` | to a watcher of the view: what makes its view after fact \`after\` the one after \`seq\`, as a list of \`[path, value]\`, or \`[path]\` for what is gone (in a list: from that place on) |
| \`resync\` | \`planId\`, \`plan\` | a watcher was too slow for every fact, or the changes since \`after\` are not known any more: the plan's view as it is now stands for those up to its \`seq\` |
| \`error\` | \`id\`, \`code\`, \`message\`, \`issues\`, \`retryAfterSeconds\` | a message was refused, by the codes of [HTTP](http.md#refusals); without \`id\` when it had none |

The gateway closes with 1001 when it stops, and with 1013 when nothing was read for \`READER_STALL\`: connect again, and \`watch\`
with \`after\` at the last \`seq\` you have. One socket may have 256 messages without an answer; beyond, it is not read from.
`;
}

function fieldText(name: string, schema: unknown, isRequired: boolean): string {
  return `\`${name}\`${isRequired ? "" : "?"}: ${schemaText(schema, 1)}`;
}
