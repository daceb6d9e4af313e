import { PermanentError } from "@planwright/shared/errors";
import { z } from "zod";
import { composeMail } from "./compose-mail.ts";
import { mailHtml } from "./mail-html.ts";
import { type Address, mailFields, MailMessage } from "./mail-message.ts";
import type { MailSender } from "./smtp-sender.ts";
import type { ReportRenderer } from "../report/report-renderer.ts";
import { NotDoneError } from "@planwright/tools-kit";
import { defineTool, type Tool } from "../tools/define-tool.ts";

const { to, cc, subject, body, format, attachments } = mailFields;
/** Its fields appear in the spec only once: a plan can pass the output of email.draft. */
const Message = z
  .record(z.string(), z.unknown())
  .transform((fields): unknown => fields)
  .pipe(MailMessage.strict());

/** Sends one email. A user has approved its text and addresses, which are its arguments. */
export function emailSend({
  from,
  sender,
  reports,
}: {
  readonly from: Address;
  readonly sender: MailSender;
  readonly reports: ReportRenderer;
}): Tool {
  return defineTool({
    name: "email.send",
    description:
      "Send an e-mail: the `message` of an email.draft, or the same fields. It cannot be undone: use it only if the goal asks for it. " +
      "Output: {messageId, accepted, rejected, response}.",
    input: z
      .strictObject({
        message: Message.optional().describe("The `message` that email.draft returned."),
        to: to.optional(),
        cc,
        subject: subject.optional(),
        body: body.optional(),
        format,
        attachments,
      })
      .refine((args) => isWhole(args), "wanted either message, or to, subject and body"),
    output: z.object({
      messageId: z.string(),
      accepted: z.array(z.string()),
      rejected: z.array(z.string()).describe("Addresses that the server refused while it accepted others."),
      response: z.string(),
    }),
    risk: "high",
    effect: "once",
    timeoutMs: 120_000,
    run: async ({ message: draft, ...fields }, { workspace, signal, effectKey }) => {
      const message = draft ?? MailMessage.parse(fields);
      const mail = await beforeSending(async () => {
        const html = await mailHtml(message, { reports, signal });
        return composeMail(message, { from, key: effectKey(), workspace, html });
      }, signal);
      const { accepted, rejected, response } = await sender.send(mail, { signal });
      if (accepted.length === 0)
        throw new PermanentError("no address was accepted", { code: "smtp_refused" });
      return { messageId: mail.messageId, accepted: [...accepted], rejected: [...rejected], response };
    },
  });
}

/** Any failure in here means that nothing was sent. */
async function beforeSending<Made>(make: () => Promise<Made>, signal: AbortSignal): Promise<Made> {
  try {
    const made = await make();
    signal.throwIfAborted();
    return made;
  } catch (cause) {
    if (cause instanceof PermanentError) throw cause;
    throw new NotDoneError("the message could not be composed, and nothing was sent", { cause });
  }
}

type Args = Readonly<
  Record<"message" | "to" | "cc" | "subject" | "body" | "format" | "attachments", unknown>
>;

function isWhole({ message, ...fields }: Partial<Args>): boolean {
  const given = Object.values(fields).filter((value) => value !== undefined);
  if (message !== undefined) return given.length === 0;
  return fields.to !== undefined && fields.subject !== undefined && fields.body !== undefined;
}
