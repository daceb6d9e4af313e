/** For tests: a mail server on loopback that keeps accepted messages. */
import { once } from "node:events";
import { createServer, type Server, type Socket, type AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type KeptMail = { readonly from: string; readonly to: readonly string[]; readonly raw: string };

export type MailServer = AsyncDisposable & { readonly port: number; readonly mails: readonly KeptMail[] };

/** @param options - Such as `onRcptTo`, to refuse addresses; requires no password by default. */
export async function startMailServer(options: Partial<SMTPServerOptions> = {}): Promise<MailServer> {
  const mails: KeptMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    onData(stream, session, callback) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString(),
        });
        callback(null, `queued as ${mails.length}`);
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: portOf(server.server),
    mails,
    async [Symbol.asyncDispose]() {
      const closed = Promise.withResolvers<void>();
      server.close(() => closed.resolve());
      await closed.promise;
    },
  };
}

/** A server that replies line by line as scripted, and closes the connection when the script has no reply. */
export async function startScriptedMailServer(
  answer: (line: string) => string | undefined,
  greeting = "220 ready",
): Promise<AsyncDisposable & { readonly port: number; readonly heard: readonly string[] }> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.write(`${greeting}\r\n`);
    let rest = "";
    socket.on("data", (chunk) => {
      const lines = (rest + String(chunk)).split("\r\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        heard.push(line);
        const said = answer(line);
        if (said === undefined) return void socket.destroy();
        if (said !== "") socket.write(`${said}\r\n`);
      }
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: portOf(server),
    heard,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

function portOf(server: Pick<Server, "address">): number {
  // A server that listens on TCP has such an address.
  return (server.address() as AddressInfo).port;
}
