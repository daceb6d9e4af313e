/** The messages between a pool and its children over IPC. */
import { z } from "zod";

export const CallMessage = z.object({ id: z.int(), request: z.unknown() });
export type CallMessage = z.infer<typeof CallMessage>;

/** An error that crosses the process boundary, where its class would be lost. */
export const Fault = z.object({
  kind: z.enum(["permanent", "transient"]),
  code: z.string(),
  message: z.string(),
});
export type Fault = z.infer<typeof Fault>;

/** Sent by a child once it can take calls. */
export const READY = "ready";

export const ReplyMessage = z.union([
  z.object({ id: z.int(), ok: z.literal(true), value: z.unknown() }),
  z.object({ id: z.int(), ok: z.literal(false), fault: Fault }),
]);
export type ReplyMessage = z.infer<typeof ReplyMessage>;

/** The file descriptor on which a child that may ask questions reaches its parent. */
export const QUESTION_FD = 4;
