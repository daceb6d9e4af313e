// What the web says, read out of a document and mailed: tools that need servers outside, on the whole system.
import type { TestSystem } from "@planwright/testkit";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Mailbox, startMailbox } from "./support/mailbox.ts";
import { sharedSystem } from "./support/shared-system.ts";

/** Readers find the parts of such a file by themselves. */
const PDF = [
  "%PDF-1.4",
  "1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj",
  "2 0 obj << /Type /Pages /Kids [3 0 R] /Count 1 >> endobj",
  "3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 300 300] /Contents 5 0 R /Resources << /Font << /F 4 0 R >> >> >> endobj",
  "4 0 obj << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> endobj",
  "5 0 obj << /Length 47 >> stream",
  "BT /F 12 Tf 20 200 Td (A widget costs 5.) Tj ET",
  "endstream endobj",
  "trailer << /Root 1 0 R >>",
].join("\n");

let web: Server;
let mailbox: Mailbox;
const shared = sharedSystem();
let system: TestSystem;
const searches: string[] = [];

beforeAll(async () => {
  web = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://127.0.0.1");
    if (pathname === "/report.pdf")
      return response.writeHead(200, { "content-type": "application/pdf" }).end(PDF);
    searches.push(searchParams.get("q") ?? "");
    const results = [
      { url: `http://${host()}/report.pdf`, title: "Widget report", content: "Prices of widgets." },
    ];
    return response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
  }).listen(0, "127.0.0.1");
  await once(web, "listening");
  mailbox = await startMailbox();
  system = shared.system;
  await system.reconfigure("executor", {
    HTTP_FETCH_ALLOW: host(),
    SEARXNG_URL: `http://${host()}`,
    SMTP_URL: mailbox.url,
    EMAIL_FROM: "Plans <plans@example.org>",
  });
});
afterAll(async () => {
  await mailbox[Symbol.asyncDispose]();
  web.close();
  web.closeAllConnections();
});

// A server that listens on TCP has such an address.
const host = (): string => `127.0.0.1:${(web.address() as AddressInfo).port}`;

async function approve(planId: string): Promise<object> {
  await expect.poll(async () => (await system.client.view(planId)).approvals.length).toBe(1);
  const [approval] = (await system.client.view(planId)).approvals;
  const response = await system.client.fetch(`/v1/plans/${planId}/approvals/${approval?.approvalId}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ decision: "approve", by: "ann" }),
  });
  expect(response.status).toBeLessThan(300);
  return approval ?? {};
}

it("finds a document, reads it and mails its content, once a user has approved the text", async () => {
  const search = (id: string) => ({ id, tool: "web.search", args: { query: "widget prices", limit: 1 } });
  const steps = [
    search("find"),
    search("again"),
    { id: "read", tool: "text.extract", args: { url: { $ref: "find.output.results[0].url" } } },
    {
      id: "mail",
      tool: "email.draft",
      args: {
        to: "Ann <ann@example.org>",
        subject: "Widgets",
        body: "{{again.output.provider}} found:\n{{read.output.text}}",
      },
    },
    { id: "send", tool: "email.send", args: { message: { $ref: "mail.output.message" } } },
  ];
  const { planId } = await system.client.submit({
    goal: "mail the price",
    plan: { steps, answerFrom: "send" },
  });
  const approval = await approve(planId);
  expect(mailbox.messages).toEqual([]);
  expect(JSON.stringify(approval)).toContain("A widget costs 5.");
  const view = await system.client.ended(planId);
  expect(view).toMatchObject({
    status: "succeeded",
    effects: [
      { tool: "email.draft", effect: "idempotent" },
      { tool: "email.send", key: `${planId}/send/0/0`, status: "done" },
    ],
  });
  expect(searches).toEqual(["widget prices"]);
  expect(mailbox.messages).toHaveLength(1);
  expect(mailbox.messages[0]).toMatch(/^From: Plans <plans@example\.org>/m);
  expect(mailbox.messages[0]).toContain("searxng found:\r\n--- page 1 ---\r\n\r\nA widget costs 5.");
  const draft = await system.client.fetch(
    `/v1/plans/${planId}/artifacts/${encodeURIComponent("files/email-mail.eml")}`,
  );
  expect(draft.status).toBe(200);
  expect(await draft.text()).toContain("X-Unsent: 1");
});

it("leaves it to a user whether an e-mail was sent when the worker dies while sending, and sends no second one", async () => {
  const doomed = await system.start("executor", {
    EXECUTOR_POOLS: "m1",
    PLANWRIGHT_FAULTS: "effect.after-run=kill",
  });
  const before = mailbox.messages.length;
  const args = { to: "bob@example.org", subject: "Once", body: "Only once." };
  const { planId } = await system.client.submit({
    goal: "mail once",
    plan: { steps: [{ id: "send", tool: "email.send", agent: "m1", args }], answerFrom: "send" },
    approval: { risk: "never" },
  });
  expect(await doomed.ended).toBe("SIGKILL");
  await system.start("executor", { EXECUTOR_POOLS: "m1" });
  await expect.poll(async () => (await system.client.view(planId)).status).toBe("awaiting-approval");
  expect(await system.client.view(planId)).toMatchObject({ effects: [{ status: "unknown" }] });
  expect(mailbox.messages).toHaveLength(before + 1);
});

it("offers no tool whose settings an executor no longer has", async () => {
  const names = async (): Promise<string> => (await system.client.fetch("/v1/tools")).text();
  expect(await names()).toContain('"web.search"');
  await system.start("executor", { SEARXNG_URL: "", SMTP_URL: "" });
  await expect.poll(names).not.toMatch(/"web\.search"|"email\.send"/);
  expect(await names()).toContain('"email.draft"');
});
