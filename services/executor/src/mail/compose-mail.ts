/** Composes an email according to RFC 5322 from its arguments alone: reads no file or URL. */
import { createHash } from "node:crypto";
import { PermanentError } from "@planwright/shared/errors";
import { findFile } from "../files/files-read.ts";
import type { Workspace } from "../tools/define-tool.ts";
import { type Address, type MailMessage, parseAddress } from "./mail-message.ts";

const ATTACHED_BYTES_MAX = 10 * 1024 * 1024;
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  eml: "application/octet-stream",
};

export type ComposeSettings = {
  readonly from: Address;
  /** The same key gives the same Message-ID, so that recipients can recognise duplicates. */
  readonly key: string;
  readonly workspace: Workspace;
  /** The same text for clients that show HTML. */
  readonly html?: string | undefined;
  /** Mail clients open a draft for editing. */
  readonly isDraft?: boolean;
};

export type ComposedMail = {
  readonly bytes: Buffer;
  readonly messageId: string;
  readonly envelope: { readonly from: string; readonly to: readonly string[] };
};

/** @throws {PermanentError} `file_not_found`, `attachments_too_large`. */
export async function composeMail(message: MailMessage, settings: ComposeSettings): Promise<ComposedMail> {
  const { from, key, workspace, html, isDraft = false } = settings;
  const to = message.to.map(addressOf);
  const cc = (message.cc ?? []).map(addressOf);
  const messageId = messageIdOf(key, from);
  // Loaded on demand: most executors never compose an email.
  const { default: MailComposer } = await import("nodemailer/lib/mail-composer");
  const mail = new MailComposer({
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: "windows",
    from,
    to,
    ...(cc.length === 0 ? {} : { cc }),
    subject: message.subject,
    messageId,
    text: message.body,
    ...(html === undefined ? {} : { html }),
    headers: isDraft ? { "X-Unsent": "1" } : {},
    attachments: await attach(message.attachments ?? [], workspace),
  });
  const bytes = await mail.compile().build();
  const envelope = { from: from.address, to: [...new Set([...to, ...cc].map(({ address }) => address))] };
  return { bytes, messageId, envelope };
}

function messageIdOf(key: string, { address }: Address): string {
  const digest = createHash("sha256").update(key).digest("hex").slice(0, 40);
  return `<${digest}@${address.split("@")[1] ?? "localhost"}>`;
}

function addressOf(text: string): Address {
  const address = parseAddress(text);
  if (address === undefined) throw new PermanentError("wanted one address", { code: "invalid_arguments" });
  return address;
}

async function attach(paths: readonly string[], workspace: Workspace) {
  let left = ATTACHED_BYTES_MAX;
  const attachments = [];
  for (const path of new Set(paths)) {
    const content = Buffer.from(await findFile(workspace, { path, bytesMax: ATTACHED_BYTES_MAX }));
    left -= content.byteLength;
    if (left < 0) {
      throw new PermanentError(`the attachments have more than ${ATTACHED_BYTES_MAX} bytes`, {
        code: "attachments_too_large",
      });
    }
    const filename = path.slice(path.lastIndexOf("/") + 1);
    const end = filename.slice(filename.lastIndexOf(".") + 1).toLowerCase();
    const contentType = Object.hasOwn(CONTENT_TYPES, end) ? CONTENT_TYPES[end] : undefined;
    attachments.push({ filename, content, ...(contentType === undefined ? {} : { contentType }) });
  }
  return attachments;
}
