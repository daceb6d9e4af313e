/** An email as a step's arguments, validated before it is composed. */
import { z } from "zod";
import { WorkspacePath } from "../files/workspace-path.ts";

const RECIPIENTS_MAX = 50;
const SUBJECT_CHARS_MAX = 500;
const BODY_CHARS_MAX = 500_000;
const ATTACHMENTS_MAX = 10;
const NAME_CHARS_MAX = 100;

/** A line end would start another header, and something that looks like a list is more than one address. */
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;
const IN_NAME = /^[^<>",;:@\\]*$/;

export type Address = { readonly name: string; readonly address: string };

/** `ann@example.org` or `Ann Lee <ann@example.org>`: a single person, not a list or group. */
export const EmailAddress = z.string().superRefine((text, context) => {
  if (parseAddress(text) === undefined) {
    context.addIssue({
      code: "custom",
      message: 'wanted one address, as "ann@example.org" or "Ann <ann@example.org>"',
    });
  }
});

const Recipients = z
  .union([EmailAddress.transform((one) => [one]), z.array(EmailAddress).max(RECIPIENTS_MAX)])
  .transform((list) => [...new Set(list)]);

export const Subject = z
  .string()
  .trim()
  .min(1)
  .max(SUBJECT_CHARS_MAX)
  .refine((text) => !UNSAFE.test(text) && text.isWellFormed(), "wanted one line without control characters");

export const mailFields = {
  to: Recipients.refine((list) => list.length > 0, "wanted at least one address").describe(
    'An address, such as "Ann <ann@example.org>", or a list.',
  ),
  cc: Recipients.optional(),
  subject: Subject,
  body: z.string().min(1).max(BODY_CHARS_MAX),
  format: z.enum(["text", "markdown"]).optional().describe("markdown adds an HTML version; default text."),
  attachments: z
    .array(WorkspacePath)
    .max(ATTACHMENTS_MAX)
    .optional()
    .describe("Paths of files of this plan."),
};

/** @returns `undefined` unless the text is exactly one address. */
export function parseAddress(text: string): Address | undefined {
  if (UNSAFE.test(text) || !text.isWellFormed()) return undefined;
  const [, quoted, name = "", inBrackets] = /^\s*(?:"([^"\\]*)"|([^<"]*?))\s*<([^<>]*)>\s*$/.exec(text) ?? [];
  const address = (inBrackets ?? text).trim();
  const label = (quoted ?? name).trim();
  if (label.length > NAME_CHARS_MAX || !(quoted === undefined ? IN_NAME : /^[^<>\\]*$/).test(label))
    return undefined;
  return z.email().safeParse(address).success && address.length <= 254 ? { name: label, address } : undefined;
}

export const MailMessage = z.object(mailFields);
export type MailMessage = z.output<typeof MailMessage>;
