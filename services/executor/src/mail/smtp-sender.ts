/** Sends messages to a mail server, and reports for every failure whether the server may have accepted the message. */
import { Readable } from "node:stream";
import { PermanentError, TransientError } from "@planwright/shared/errors";
import type SmtpConnection from "nodemailer/lib/smtp-connection";
import { z } from "zod";
import { NotDoneError } from "@planwright/tools-kit";
import type { ComposedMail } from "./compose-mail.ts";

export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise the connection is upgraded if the server offers it. */
  readonly secure: boolean;
  /** Sends nothing before the connection is encrypted. */
  readonly requireTls: boolean;
  readonly user?: string;
  readonly password?: string;
};

export type SmtpLimits = { readonly connectMs: number; readonly idleMs: number };

const LIMITS: SmtpLimits = { connectMs: 10_000, idleMs: 30_000 };

export type SentMail = {
  readonly accepted: readonly string[];
  readonly rejected: readonly string[];
  /** The server's reply, such as `250 queued as 1`. */
  readonly response: string;
};

export type MailSender = {
  /**
   * @throws {PermanentError} `smtp_unauthorized`, `smtp_refused`, `smtp_encryption`: nothing was sent.
   * @throws {NotDoneError} The server was not reached, or asked to retry later.
   * @throws {TransientError} The connection was lost after transmission of the message had begun.
   */
  send(mail: ComposedMail, options: { readonly signal: AbortSignal }): Promise<SentMail>;
};

const SmtpFault = z.object({
  code: z.string().default(""),
  /** Node's error code, such as `CERT_HAS_EXPIRED`. */
  originalCode: z.string().default(""),
  responseCode: z.int().default(0),
});
const NO_FAULT = SmtpFault.parse({});
const Result = z.object({
  accepted: z.array(z.string()).default([]),
  rejected: z.array(z.string()).default([]),
  response: z.string().default(""),
});

export function createMailSender(settings: SmtpSettings, limits = LIMITS): MailSender {
  return {
    async send(mail, { signal }) {
      if (signal.aborted)
        throw new NotDoneError("cancelled before anything was sent", { cause: signal.reason });
      const connection = await connect(settings, limits);
      const onAbort = () => connection.close();
      signal.addEventListener("abort", onAbort, { once: true });
      // From here on the server may have the whole message, whatever happens to the connection.
      let hasBegun = false;
      const content = new Readable({
        read() {
          hasBegun = true;
          this.push(mail.bytes);
          this.push(null);
        },
      });
      try {
        await open(connection, settings);
        return await transmit(connection, mail, content);
      } catch (error) {
        throw toMailError(error, { settings, hasBegun });
      } finally {
        signal.removeEventListener("abort", onAbort);
        connection.quit();
      }
    },
  };
}

async function connect(
  { host, port, secure, requireTls }: SmtpSettings,
  { connectMs, idleMs }: SmtpLimits,
): Promise<SmtpConnection> {
  // Loaded on demand: most executors never send an email.
  const { default: Connection } = await import("nodemailer/lib/smtp-connection");
  return new Connection({
    host,
    port,
    secure,
    requireTLS: requireTls,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: idleMs,
    maxResponseSize: 64 * 1024,
    logger: false,
  });
}

async function open(connection: SmtpConnection, { user, password }: SmtpSettings): Promise<void> {
  const opened = Promise.withResolvers<void>();
  connection.on("error", opened.reject);
  connection.on("end", () => opened.reject(new Error("the connection has ended")));
  connection.connect((error) => (error ? opened.reject(error) : opened.resolve()));
  await opened.promise;
  if (user === undefined) return;
  const known = Promise.withResolvers<void>();
  connection.on("error", known.reject);
  connection.on("end", () => known.reject(new Error("the connection has ended")));
  connection.login({ credentials: { user, pass: password ?? "" } }, (error) =>
    error ? known.reject(error) : known.resolve(),
  );
  await known.promise;
}

async function transmit(
  connection: SmtpConnection,
  { envelope, bytes }: ComposedMail,
  content: Readable,
): Promise<SentMail> {
  const sent = Promise.withResolvers<unknown>();
  connection.on("error", sent.reject);
  connection.on("end", () => sent.reject(new Error("the connection has ended")));
  const { from, to } = envelope;
  connection.send({ from, to: [...to], size: bytes.byteLength }, content, (error, info) =>
    error ? sent.reject(error) : sent.resolve(info),
  );
  return Result.parse(await sent.promise);
}

/** A reply of the server is certain; without a reply, the outcome is certain only before the message was begun. */
function toMailError(
  error: unknown,
  { settings, hasBegun }: { readonly settings: SmtpSettings; readonly hasBegun: boolean },
): Error {
  const { code, originalCode, responseCode } = SmtpFault.safeParse(error).data ?? NO_FAULT;
  const server = `${settings.host}:${settings.port}`;
  const said = `${server} answered ${responseCode}`;
  if (responseCode >= 500) {
    if (code === "EAUTH")
      return new PermanentError(`${said}: it rejects the user or password`, { code: "smtp_unauthorized" });
    return new PermanentError(`${said}: it rejects the message or its addresses`, { code: "smtp_refused" });
  }
  if (responseCode >= 400) return new NotDoneError(said);
  if (hasBegun)
    return new TransientError(`the connection to ${server} was lost while the message was being sent`);
  if (code === "ETLS" || /CERT|VERIFY/.test(originalCode)) {
    return new PermanentError(`${server} offers no encryption that can be trusted`, {
      code: "smtp_encryption",
    });
  }
  if (code === "EAUTH" || code === "ENOAUTH") {
    return new PermanentError(`${server} does not support login with a user and password`, {
      code: "smtp_unauthorized",
    });
  }
  return new NotDoneError(`cannot reach ${server}`);
}
