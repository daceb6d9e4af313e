// Emails as files, and sent to real mail servers on loopback: their content, and the meaning of each failure.
import { PermanentError, TransientError } from "@planwright/shared/errors";
import { readConfig } from "@planwright/shared/service";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { mailConfig, mailSettingsOf, smtpSettingsOf } from "./mail-config.ts";
import { parseAddress } from "./mail-message.ts";
import { createMailSender } from "./smtp-sender.ts";
import { NotDoneError } from "@planwright/tools-kit";
import { createReportRenderer } from "../report/report-renderer.ts";
import { startMailServer, startScriptedMailServer } from "../testing/mail-server.ts";
import { emailDraft } from "./email-draft.ts";
import { emailSend } from "./email-send.ts";
import { memoryWorkspace, testContext } from "../tools/testing/test-context.ts";

const reports = createReportRenderer();
afterAll(() => reports[Symbol.dispose]());

const from = { name: "Plan Wright", address: "plans@example.org" };
const message = {
  to: "Ann Lee <ann@example.org>",
  subject: "Größe: 3 €",
  body: "# Hello\n\n.\nA line\nFrom here",
};

const draft = async (args: object, workspace = memoryWorkspace()) => {
  const output = await emailDraft({ from, reports }).run(args, testContext({ workspace }));
  const eml = Buffer.from((await workspace.read("email-s1.eml")) ?? []).toString();
  return { output, eml, workspace };
};

const tool = (port: number, more: object = {}) =>
  emailSend({
    from,
    reports,
    sender: createMailSender(
      { host: "127.0.0.1", port, secure: false, requireTls: false, ...more },
      { connectMs: 2_000, idleMs: 2_000 },
    ),
  });

const failure = (sending: Promise<unknown>): Promise<unknown> =>
  sending.then(
    () => "no failure",
    (error: unknown) => error,
  );

/** A header's value, unfolded. */
const header = (eml: string, name: string): string | undefined =>
  new RegExp(`^${name}: (.*)$`, "im").exec(
    eml.split("\r\n\r\n")[0]?.replaceAll(/\r\n[ \t]/g, " ") ?? "",
  )?.[1];

describe("email.draft", () => {
  it("writes a message that mail clients open, and explains how to send it", async () => {
    const { output, eml, workspace } = await draft({
      ...message,
      cc: ["bob@example.org", "bob@example.org"],
    });
    expect(await workspace.list()).toEqual(["email-s1.eml"]);
    expect(output).toMatchObject({
      path: "email-s1.eml",
      artifact: { contentType: "message/rfc822" },
      message: { ...message, to: [message.to], cc: ["bob@example.org"] },
      messageId: header(eml, "Message-ID"),
    });
    expect(header(eml, "From")).toBe("Plan Wright <plans@example.org>");
    expect(header(eml, "To")).toBe("Ann Lee <ann@example.org>");
    expect(header(eml, "Cc")).toBe("bob@example.org");
    expect(header(eml, "X-Unsent")).toBe("1");
    expect(header(eml, "Subject")).toMatch(/^=\?UTF-8\?/);
    expect(Date.parse(header(eml, "Date") ?? "")).not.toBeNaN();
    expect(eml).toContain("\r\n\r\n# Hello\r\n");
    expect(eml.replaceAll("\r\n", "")).not.toContain("\n");
  });

  it("renders Markdown as HTML on request, alongside the text", async () => {
    const body =
      "Dear **Ann**,\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\n<script>alert(1)</script> ![x](http://evil.example/x.png)";
    const { eml, output } = await draft({ ...message, body, format: "markdown" });
    expect(output).toMatchObject({ message: { format: "markdown" } });
    expect(header(eml, "Content-Type")).toMatch(/^multipart\/alternative/);
    expect(eml).toContain("Dear **Ann**,");
    const html = eml
      .slice(eml.indexOf("Content-Type: text/html"))
      .replaceAll("=\r\n", "")
      .replaceAll("=3D", "=");
    expect(html).toContain("Dear <strong>Ann</strong>,");
    expect(html).toContain("<td>1</td>");
    expect(html).not.toMatch(/<script|<img|<h1/);
  });

  it("attaches files of the plan", async () => {
    const workspace = memoryWorkspace();
    await workspace.write("out/Übersicht.csv", Buffer.from("a,b\n1,2\n"), "text/csv");
    const { eml } = await draft({ ...message, attachments: ["out/Übersicht.csv"] }, workspace);
    expect(header(eml, "Content-Type")).toMatch(/^multipart\/mixed/);
    expect(eml).toContain("Content-Type: text/csv");
    expect(eml).toMatch(/filename\*0\*=utf-8''%C3%9Cbersicht\.csv/);
    expect(eml).toContain(Buffer.from("a,b\n1,2\n").toString("base64"));
  });

  it("refuses attachments that are missing, or too large in total", async () => {
    const workspace = memoryWorkspace();
    await workspace.write("a.bin", new Uint8Array(6 * 1024 * 1024), "x/y");
    await workspace.write("b.bin", new Uint8Array(6 * 1024 * 1024), "x/y");
    const refused = (attachments: string[]) => failure(draft({ ...message, attachments }, workspace));
    expect(await refused(["none.pdf"])).toMatchObject({ code: "file_not_found" });
    expect(await refused(["a.bin", "b.bin"])).toMatchObject({ code: "attachments_too_large" });
    expect(await refused(["/etc/passwd"])).toMatchObject({ code: "invalid_arguments" });
  });

  it.each([
    "ann@example.org\r\nBcc: eve@evil.example",
    "ann@example.org\nBcc: eve@evil.example",
    "ann@example.org, eve@evil.example",
    "ann@example.org; eve@evil.example",
    "friends: ann@example.org, eve@evil.example;",
    "Ann\r\nBcc: eve@evil.example <ann@example.org>",
    '"Ann\\" <eve@evil.example>, \\"" <ann@example.org>',
    "Ann <ann@example.org> <eve@evil.example>",
    "Ann\r\nLee <ann@example.org>",
    "Ann\u2028Lee <ann@example.org>",
    "eve@evil.example <ann@example.org>",
    "ann@example.org>\u2028Bcc: eve@evil.example",
    "ann@example.org\u0000",
    "ann",
    "@example.org",
    "ann@",
    "ann@localhost",
    "<script>@example.org",
    "",
  ])("refuses the address %j in any field", async (address) => {
    for (const field of ["to", "cc"]) {
      const args = { ...message, [field]: address };
      expect(await failure(draft(args))).toMatchObject({ code: "invalid_arguments" });
      expect(await failure(draft({ ...message, [field]: [address] }))).toMatchObject({
        code: "invalid_arguments",
      });
    }
  });

  it.each(["a\r\nBcc: eve@evil.example", "a\nX: y", "a\u0085b", "a\u2028b", "\uD800", " ", "x".repeat(501)])(
    "refuses the subject %j",
    async (subject) => {
      expect(await failure(draft({ ...message, subject }))).toMatchObject({ code: "invalid_arguments" });
    },
  );

  it("lets no body inject a header, and no field refer to a file or a URL", async () => {
    const body = "\r\nBcc: eve@evil.example\r\n\r\n--boundary\r\nContent-Type: text/html";
    const { eml } = await draft({ ...message, body });
    expect(header(eml, "Bcc")).toBeUndefined();
    expect(header(eml, "Content-Type")).toMatch(/^text\/plain/);
    for (const odd of [
      { body: { path: "/etc/passwd" } },
      { html: "x" },
      { headers: { bcc: "x" } },
      { to: [] },
    ]) {
      expect(await failure(draft({ ...message, ...odd }))).toMatchObject({ code: "invalid_arguments" });
    }
  });
});

describe("email.send", () => {
  it("sends a draft or the same fields, with a Message-ID derived from the effect key", async () => {
    await using server = await startMailServer();
    const { output } = await draft({ ...message, cc: "bob@example.org" });
    const drafted = z.object({ message: z.record(z.string(), z.unknown()) }).parse(output).message;
    const send = (args: object, stepId: string) =>
      tool(server.port).run(args, testContext({ stepId, effectKey: (call = 0) => `p1/${stepId}/0/${call}` }));
    const first = await send({ message: drafted }, "s2");
    expect(first).toMatchObject({
      accepted: ["ann@example.org", "bob@example.org"],
      rejected: [],
      response: "250 queued as 1",
    });
    const again = await send({ ...message, cc: "bob@example.org" }, "s2");
    const other = await send(message, "s3");
    const idOf = (sent: unknown) => z.object({ messageId: z.string() }).parse(sent).messageId;
    expect(idOf(again)).toBe(idOf(first));
    expect(idOf(other)).not.toBe(idOf(first));
    expect(server.mails).toHaveLength(3);
    expect(server.mails[0]).toMatchObject({
      from: "plans@example.org",
      to: ["ann@example.org", "bob@example.org"],
    });
    const raw = server.mails[0]?.raw ?? "";
    expect(header(raw, "Message-ID")).toBe(idOf(first));
    expect(header(raw, "X-Unsent")).toBeUndefined();
    expect(raw).toContain("# Hello\r\n\r\n.\r\nA line\r\nFrom here");
  });

  it("lists the addresses that a server refused while it accepted others", async () => {
    await using server = await startMailServer({
      onRcptTo: ({ address }, _session, callback) =>
        callback(
          address.startsWith("bob") ? Object.assign(new Error("no bob"), { responseCode: 550 }) : null,
        ),
    });
    const sent = await tool(server.port).run({ ...message, cc: ["bob@example.org"] }, testContext());
    expect(sent).toMatchObject({ accepted: ["ann@example.org"], rejected: ["bob@example.org"] });
  });

  it("authenticates, and reports a refusal without repeating the credentials", async () => {
    await using server = await startMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth: ({ username, password }, _session, callback) =>
        username === "me" && password === "right"
          ? callback(null, { user: "me" })
          : callback(Object.assign(new Error(`bad ${password}`), { responseCode: 535 })),
    });
    const with_ = (password: string) => tool(server.port, { user: "me", password });
    await expect(with_("right").run(message, testContext())).resolves.toMatchObject({ rejected: [] });
    const refused = await failure(with_("wrong-secret").run(message, testContext()));
    expect(refused).toMatchObject({ name: "PermanentError", code: "smtp_unauthorized" });
    expect(String(refused)).not.toContain("wrong-secret");
    expect(server.mails).toHaveLength(1);
  });

  it("sends nothing to a server without encryption where it is required, or with an untrusted certificate", async () => {
    await using plain = await startMailServer();
    expect(await failure(tool(plain.port, { requireTls: true }).run(message, testContext()))).toBeInstanceOf(
      PermanentError,
    );
    await using selfSigned = await startMailServer({ disabledCommands: [] });
    const failed = await failure(tool(selfSigned.port, { requireTls: true }).run(message, testContext()));
    expect(failed).toMatchObject({ code: "smtp_encryption" });
    expect([...plain.mails, ...selfSigned.mails]).toEqual([]);
  });

  it.each([
    [{ message: { to: "ann@example.org" } }],
    [{ message: { ...message, headers: {} } }],
    [{ message, body: "x" }],
    [{ to: "ann@example.org", body: "x" }],
    [{}],
    [{ path: "email-s1.eml" }],
  ])("refuses the arguments %j", async (args) => {
    expect(await failure(tool(1).run(args, testContext()))).toMatchObject({ code: "invalid_arguments" });
  });
});

describe("a failure to send", () => {
  type Script = (line: string, state: { data: boolean }) => string | undefined;
  const polite: Script = (line, state) => {
    if (state.data) {
      if (line !== ".") return "";
      state.data = false;
      return "250 ok";
    }
    if (line.startsWith("DATA")) {
      state.data = true;
      return "354 go on";
    }
    return line.startsWith("QUIT") ? "221 bye" : "250 ok";
  };
  const when =
    (start: string, said: string | undefined): Script =>
    (line, state) =>
      (start.startsWith(".") ? line === start : line.startsWith(start) && !state.data)
        ? said
        : polite(line, state);

  async function failing(
    script: Script,
    greeting?: string,
  ): Promise<{ error: unknown; heard: readonly string[] }> {
    const state = { data: false };
    await using server = await startScriptedMailServer((line) => script(line, state), greeting);
    return { error: await failure(tool(server.port).run(message, testContext())), heard: server.heard };
  }

  it.each<[string, Script]>([
    ["its sender is refused", when("MAIL", "550 no")],
    ["all its addresses are refused", when("RCPT", "550 nobody here")],
    ["its content is refused before it came", when("DATA", "554 no")],
    ["its content is refused after it came", when(".", "554 spam")],
  ])("fails permanently, with nothing done, when %s", async (_why, script) => {
    const { error } = await failing(script);
    expect(error).toBeInstanceOf(PermanentError);
    expect(error).toMatchObject({ code: "smtp_refused" });
  });

  it.each<[string, Script, string?]>([
    ["the server is busy", polite, "421 later"],
    ["an address is to be tried later", when("RCPT", "450 greylisted")],
    ["the content is to be tried later", when(".", "451 later")],
    ["the connection is lost before the content", when("MAIL", undefined)],
    ["the connection is lost at the greeting", when("EHLO", undefined)],
  ])("fails temporarily, with nothing done, when %s", async (_why, script, greeting) => {
    const { error } = await failing(script, greeting);
    expect(error).toBeInstanceOf(NotDoneError);
  });

  it("fails temporarily, with nothing done, when no server listens", async () => {
    const server = await startMailServer();
    await server[Symbol.asyncDispose]();
    expect(await failure(tool(server.port).run(message, testContext()))).toBeInstanceOf(NotDoneError);
  });

  it.each<[string, Script]>([
    ["the connection is lost in the middle of the content", when("..", undefined)],
    ["the connection is lost after the content", when(".", undefined)],
    ["no answer comes after the content", when(".", "")],
    ["the answer after the content is none", when(".", "hello")],
  ])("leaves the outcome to a user when %s", async (_why, script) => {
    const { error, heard } = await failing(script);
    expect(error).toBeInstanceOf(TransientError);
    expect(error).not.toBeInstanceOf(NotDoneError);
    expect(heard.at(-1)).toMatch(/^\.{1,2}$/);
  });

  it("fails temporarily, with nothing done, when the message cannot be composed or is no longer needed", async () => {
    await using server = await startMailServer();
    const closed = createReportRenderer();
    closed[Symbol.dispose]();
    const sender = createMailSender({
      host: "127.0.0.1",
      port: server.port,
      secure: false,
      requireTls: false,
    });
    const unmade = emailSend({ from, sender, reports: closed });
    const stopped = { signal: AbortSignal.abort(new Error("cancelled")) };
    expect(await failure(unmade.run({ ...message, format: "markdown" }, testContext()))).toBeInstanceOf(
      NotDoneError,
    );
    expect(await failure(unmade.run(message, testContext(stopped)))).toBeInstanceOf(NotDoneError);
    expect(server.mails).toEqual([]);
  });

  it("stops when its plan is cancelled", async () => {
    const stop = new AbortController();
    await using server = await startScriptedMailServer((line) => {
      if (line.startsWith("MAIL")) stop.abort();
      return line.startsWith("MAIL") ? "" : "250 ok";
    });
    expect(
      await failure(tool(server.port).run(message, testContext({ signal: stop.signal }))),
    ).toBeInstanceOf(Error);
  });

  it("has no check and no deduplication by the server: a user decides", async () => {
    const { spec, check, rejectsRepeatedKeys } = tool(1);
    expect(spec).toMatchObject({ effect: "once", risk: "high" });
    expect(rejectsRepeatedKeys(message)).toBe(false);
    expect(await check(message, testContext())).toEqual({ kind: "unknown" });
  });
});

describe("the email settings", () => {
  const settings = (env: Readonly<Record<string, string>>) =>
    mailSettingsOf(readConfig(z.object(mailConfig), env));

  it("require a sender address with a server, and no sender without a server", () => {
    expect(settings({})).toEqual({ from: { name: "", address: "draft@localhost.invalid" } });
    const both = { SMTP_URL: "smtps://u:p@mail.example.org", EMAIL_FROM: "Plans <p@example.org>" };
    expect(settings(both)).toMatchObject({ from: { name: "Plans", address: "p@example.org" }, sender: {} });
    expect(() => settings({ SMTP_URL: both.SMTP_URL })).toThrow(/^EMAIL_FROM: wanted an address/);
    expect(() => settings({ EMAIL_FROM: "a@b.example, c@d.example" })).toThrow(/EMAIL_FROM: wanted/);
    expect(() => settings({ SMTP_URL: "http://user:secret@mail.example.org" })).toThrow(
      /^SMTP_URL: (?!.*secret)/,
    );
  });

  it("require encryption wherever a password leaves this machine", () => {
    expect(smtpSettingsOf("smtps://u:p%40@mail.example.org")).toMatchObject({
      port: 465,
      secure: true,
      password: "p@",
    });
    expect(smtpSettingsOf("smtp://u:p@mail.example.org")).toMatchObject({ port: 587, requireTls: true });
    expect(smtpSettingsOf("smtp://u:p@127.0.0.1:2525")).toMatchObject({ port: 2525, requireTls: false });
    expect(smtpSettingsOf("smtp://mail.example.org")).toMatchObject({ requireTls: false });
  });

  it("accept an address with or without a name", () => {
    expect(parseAddress(' "Lee, Ann" <ann@example.org> ')).toEqual({
      name: "Lee, Ann",
      address: "ann@example.org",
    });
    expect(parseAddress("ann@example.org")).toEqual({ name: "", address: "ann@example.org" });
  });
});
