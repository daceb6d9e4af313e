import { createHash } from "node:crypto";
import { ArtifactRef } from "@planwright/plan";
import { z } from "zod";
import { composeMail } from "./compose-mail.ts";
import { mailHtml } from "./mail-html.ts";
import { type Address, mailFields } from "./mail-message.ts";
import type { ReportRenderer } from "../report/report-renderer.ts";
import { defineTool, type Tool, type ToolContext } from "../tools/define-tool.ts";

const CONTENT_TYPE = "message/rfc822";

/** Writes an email into the plan's files. It never sends anything. */
export function emailDraft({
  from,
  reports,
}: {
  readonly from: Address;
  readonly reports: ReportRenderer;
}): Tool {
  return defineTool({
    name: "email.draft",
    description:
      "Write an e-mail to a file (.eml) for a user to open and send; nothing is sent. " +
      "Output: {path, message: {to, subject, body}}.",
    input: z.strictObject(mailFields),
    output: z.object({
      path: z.string(),
      artifact: ArtifactRef,
      bytes: z.int().positive(),
      sha256: z.string(),
      messageId: z.string(),
      message: z.object({
        to: z.array(z.string()),
        cc: z.array(z.string()).optional(),
        subject: z.string(),
        body: z.string(),
        format: z.string().optional(),
        attachments: z.array(z.string()).optional(),
      }),
    }),
    risk: "low",
    effect: "idempotent",
    timeoutMs: 60_000,
    run: async (message, context) => {
      const { workspace, signal, effectKey } = context;
      const html = await mailHtml(message, { reports, signal });
      const mail = await composeMail(message, { from, key: effectKey(), workspace, html, isDraft: true });
      signal.throwIfAborted();
      const path = pathOf(context);
      const { artifact, bytes } = await workspace.write(path, mail.bytes, CONTENT_TYPE);
      const sha256 = createHash("sha256").update(mail.bytes).digest("hex");
      return { path, artifact, bytes, sha256, messageId: mail.messageId, message };
    },
  });
}

/** Drafts of one plan never overwrite each other, but a second attempt overwrites the first. */
function pathOf({ stepId, item }: ToolContext): string {
  return item === 0 ? `email-${stepId}.eml` : `email-${stepId}-${item}.eml`;
}
