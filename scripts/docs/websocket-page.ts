import { ClientMessage, ServerMessage } from "@planwright/api";
import { z } from "zod";
import { tableOf } from "./markdown.ts";
import { readSchema, schemaText } from "./schema-text.ts";

const Variants = z.looseObject({
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
});

/** The messages of `GET /v1/ws`, from the schemas that parse them. */
export function websocketPage(): string {
  return `# WebSocket

Connect to \`GET /v1/ws\` with the subprotocol \`planwright.v1\`. Messages are JSON text. Each client message has a \`type\` and an
\`id\` that the client chooses (a number, or a string of up to 128 characters); the response has the same \`id\`. Unknown fields are
rejected. Programs send their key as \`Authorization: Bearer <key>\`. Browsers send it as a second subprotocol: \`bearer.\` followed
by the key in base64url.

## Client messages

${tableOfMessages(ClientMessage, "input")}

## Gateway messages

An \`error\` has one of the [HTTP error codes](http.md#errors). The field \`event\` is described in [Events](events.md).

${tableOfMessages(ServerMessage, "output")}

The gateway closes the connection with code 1001 when it stops, and with 1013 if the client has read nothing for \`READER_STALL\`. In
both cases, reconnect and send \`watch\` with \`after\` set to the last \`seq\` that you received. A connection can have 256 unanswered
messages; at this limit, the gateway stops reading from it until it has responded.
`;
}

function tableOfMessages(Message: z.ZodType, io: "input" | "output"): string {
  const schema = Variants.parse(z.toJSONSchema(Message, { io, unrepresentable: "any" }));
  const rows = (schema.oneOf ?? schema.anyOf ?? []).map((variant) => {
    const { properties = {}, required = [], description = "" } = readSchema(variant);
    const { enum: several, const: one } = readSchema(properties["type"]);
    const types = z.array(z.string()).parse(several ?? [one]);
    const fields = Object.entries(properties).filter(
      ([name]) => name !== "type" && (io === "output" || name !== "id"),
    );
    const texts = fields.map(([name, field]) => fieldText(name, field, required.includes(name)));
    return [types.map((type) => `\`${type}\``).join(", "), texts.join("; "), description];
  });
  return tableOf(["type", io === "input" ? "fields besides `id`" : "fields", "meaning"], rows);
}

function fieldText(name: string, schema: unknown, isRequired: boolean): string {
  const { description } = readSchema(schema);
  const type = LONG[name] ?? schemaText(schema, 1);
  return `\`${name}\`${isRequired ? "" : "?"}: ${type}${description === undefined ? "" : ` (${description})`}`;
}

/** Described on their own pages. */
const LONG: Readonly<Record<string, string>> = { event: "object", plan: "object", code: "text" };
