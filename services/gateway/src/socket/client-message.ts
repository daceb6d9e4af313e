import { MessageId } from "@planwright/api";
import { z } from "zod";

const WithId = z.object({ id: MessageId });

/** The id of a message that is at fault otherwise, so that its refusal can name it. */
export function messageIdOf(message: unknown): MessageId | undefined {
  return WithId.safeParse(message).data?.id;
}
