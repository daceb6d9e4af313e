/** The settings of `email.draft` and `email.send`. */
import { ConfigError, text, url } from "@planwright/shared/service";
import { isIP } from "node:net";
import { z } from "zod";
import { type Address, EmailAddress, parseAddress } from "./mail-message.ts";
import { createMailSender, type MailSender, type SmtpSettings } from "./smtp-sender.ts";

/** Placeholder sender of drafts when none is configured: mail clients replace it with their user. */
const NOBODY: Address = { name: "", address: "draft@localhost.invalid" };
const PORTS = { "smtp:": 587, "smtps:": 465 } as const;

export const mailConfig = {
  SMTP_URL: url({ schemes: ["smtp", "smtps"] })
    .optional()
    .meta({
      description:
        "Mail server for email.send, such as `smtps://user:password@mail.example.org` (docs/email.md). Without it, email.send is not available.",
      secret: true,
    }),
  EMAIL_FROM: text({ wanted: 'an address, as "Planwright <plans@example.org>"' })
    .pipe(EmailAddress)
    .optional()
    .meta({ description: "Sender address of e-mails. Required for email.send." }),
};

const Settings = z.object(mailConfig);

export type MailSettings = { readonly from: Address; readonly sender?: MailSender };

/** @throws {ConfigError} When a mail server is configured without a sender address. */
export function mailSettingsOf({ SMTP_URL, EMAIL_FROM }: z.output<typeof Settings>): MailSettings {
  const from = EMAIL_FROM === undefined ? undefined : parseAddress(EMAIL_FROM);
  if (SMTP_URL === undefined) return { from: from ?? NOBODY };
  if (from === undefined) {
    throw new ConfigError([
      {
        name: "EMAIL_FROM",
        wanted: "an address, because SMTP_URL is there",
        came: "nothing (it is not set)",
      },
    ]);
  }
  return { from, sender: createMailSender(smtpSettingsOf(SMTP_URL)) };
}

/** With a password the connection must be encrypted, unless it stays on this machine. */
export function smtpSettingsOf(text: string): SmtpSettings {
  const { protocol, hostname, port, username, password } = new URL(text);
  const host = hostname.replace(/^\[|\]$/g, "");
  const isLocal = host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
  const secure = protocol === "smtps:";
  return {
    host,
    port: port === "" ? PORTS[secure ? "smtps:" : "smtp:"] : Number(port),
    secure,
    requireTls: username !== "" && !secure && !isLocal,
    ...(username === ""
      ? {}
      : { user: decodeURIComponent(username), password: decodeURIComponent(password) }),
  };
}
