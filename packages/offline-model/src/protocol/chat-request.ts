/** The body of `POST /v1/chat/completions`: the part of OpenAI's request that replies depend on. */
import { z } from "zod";

const ContentPart = z.object({ type: z.string(), text: z.string().optional() });

const Message = z.object({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z
    .union([z.string(), z.array(ContentPart)])
    .nullish()
    .transform((content) =>
      typeof content === "string" ? content : (content ?? []).map((part) => part.text ?? "").join(""),
    ),
});

const ResponseFormat = z.object({
  type: z.string(),
  json_schema: z.object({ name: z.string(), schema: z.json().optional() }).optional(),
});

/** Tolerant: drops unknown fields, as a compatible server does. */
export const ChatRequest = z.object({
  model: z.string().min(1),
  messages: z.array(Message).min(1),
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  response_format: ResponseFormat.nullish(),
  temperature: z.number().nullish(),
  max_tokens: z.int().positive().nullish(),
  max_completion_tokens: z.int().positive().nullish(),
  n: z.literal(1).nullish(),
});
export type ChatRequest = z.infer<typeof ChatRequest>;

/** The name of the requested JSON schema (`plan`, `judgement`), or null when free text is requested. */
export function schemaNameOf(request: ChatRequest): string | null {
  return request.response_format?.json_schema?.name ?? null;
}

/** All text of the messages of one role, in order. */
export function textOf(request: ChatRequest, role: ChatRequest["messages"][number]["role"]): string {
  return request.messages
    .filter((message) => message.role === role)
    .map((message) => message.content)
    .join("\n");
}
