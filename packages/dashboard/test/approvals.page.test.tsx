// Approval cards: a field for each argument with its source and errors, and the changes to the arguments.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { atTheEnd } from "./support/recording.ts";

const recording = atTheEnd(await recordingOf("places"));

const ARGS = { to: "ann@example.org", body: "Dear Ann,\nthe tents are here.", copies: 2, tags: ["a"] };
const APPROVAL = {
  planId: "p1",
  goal: "Write to Ann",
  approvalId: "risk-mail-0",
  kind: "tool-risk",
  question: "May mail.send (high risk) run with these arguments?",
  stepId: "mail",
  item: 0,
  attempt: 1,
  tool: "mail.send",
  risk: "high",
  args: ARGS,
  argumentOrigins: [
    { argument: "to", author: "user" },
    { argument: "body", author: "model", tools: ["sql.query"], content: "private" },
  ],
  expiresAfterMs: 86_400_000,
  requestedAt: "2026-01-01T00:00:00.000Z",
  expiresAt: "2026-01-02T00:00:00.000Z",
  status: "pending",
  choices: ["approve", "reject"],
};
const INPUT = {
  type: "object",
  properties: {
    to: { type: "string", minLength: 1, maxLength: 40, description: "The recipient." },
    body: { type: "string", maxLength: 5_000 },
    copies: { type: "integer", minimum: 1 },
    tags: { type: "array", items: { type: "string" } },
    urgent: { type: "boolean" },
    folder: { enum: ["sent", "drafts"] },
    day: { type: "string", format: "date" },
  },
  required: ["to"],
  additionalProperties: false,
};

async function openCard({
  approval = APPROVAL,
  tools = [{ name: "mail.send", input: INPUT }] as object[],
} = {}) {
  const page = openPage("/nowhere", recording);
  page.gateway.answer(/^GET \/v1\/approvals/, { status: 200, body: { total: 1, approvals: [approval] } });
  page.gateway.answer(/^GET \/v1\/tools/, { status: 200, body: { tools, agents: [] } });
  page.goTo("/approvals");
  const card = within(await screen.findByTestId("approval"));
  await page.user.click(card.getByRole("button", { name: "Edit" }));
  return { ...page, card };
}

type Card = Awaited<ReturnType<typeof openCard>>["card"];
const approve = (card: Card) => card.getByRole<HTMLButtonElement>("button", { name: /^Approve/ });
const fieldOf = (card: Card, name: string) =>
  card.getByText(name, { selector: "label code" }).closest<HTMLElement>("[data-part=argument-field]");

it("shows a field for each argument of the tool, with the source of the proposed value", async () => {
  const { card } = await openCard();
  expect((await card.findByRole<HTMLInputElement>("textbox", { name: "to" })).value).toBe(ARGS.to);
  expect(card.getByRole("textbox", { name: "body" }).tagName).toBe("TEXTAREA");
  expect(card.getByRole<HTMLTextAreaElement>("textbox", { name: "tags" }).value).toBe('[\n  "a"\n]');
  const options = (name: string) =>
    [...card.getByRole("combobox", { name }).querySelectorAll("option")].map(
      ({ textContent }) => textContent,
    );
  expect(options("urgent")).toEqual(["Not set", "true", "false"]);
  expect(options("folder")).toEqual(["Not set", "sent", "drafts"]);
  expect(card.getByLabelText("day").getAttribute("type")).toBe("date");
  expect(fieldOf(card, "to")?.textContent).toContain("Source: written by the user");
  expect(fieldOf(card, "to")?.textContent).toContain("The recipient.");
  expect(fieldOf(card, "body")?.textContent).toContain(
    "Source: written by a model that had read sql.query (private content)",
  );
  expect(fieldOf(card, "copies")?.textContent).toContain("Source unknown");
  expect(card.getByText("No changes to the proposed arguments.")).toBeDefined();
  expect(approve(card).textContent).toBe("Approve");
});

it("validates while the reviewer types, and does not approve invalid arguments", async () => {
  const { card, user } = await openCard();
  const copies = await card.findByRole("textbox", { name: "copies" });
  await user.clear(copies);
  await user.type(copies, "two");
  expect(within(fieldOf(card, "copies") as HTMLElement).getByRole("alert").textContent).toBe(
    "Enter a number",
  );
  expect(approve(card).disabled).toBe(true);
  await user.clear(copies);
  await user.type(copies, "0");
  expect(card.getByText("Min 1")).toBeDefined();
  await user.clear(copies);
  await user.type(copies, "3");
  expect(card.queryByRole("alert")).toBeNull();
  expect(approve(card).textContent).toBe("Approve as edited");
  await user.clear(card.getByRole("textbox", { name: "to" }));
  expect(within(fieldOf(card, "to") as HTMLElement).getByRole("alert").textContent).toBe("Required");
  await user.click(card.getByRole("button", { name: "Reset to to the proposed value" }));
  await user.click(card.getByRole("button", { name: "Reset copies to the proposed value" }));
  expect(approve(card).textContent).toBe("Approve");
});

it("shows the changes to the proposed arguments", async () => {
  const { card, user } = await openCard();
  const to = await card.findByRole("textbox", { name: "to" });
  await user.clear(to);
  await user.type(to, "bob@example.org");
  await user.type(card.getByRole("textbox", { name: "body" }), "\nYours");
  await user.selectOptions(card.getByRole("combobox", { name: "folder" }), "drafts");
  await user.clear(card.getByRole("textbox", { name: "copies" }));
  const changes = card.getByRole("region", { name: "Changes to the proposed arguments" });
  expect(
    within(changes)
      .getAllByRole("term")
      .map(({ textContent }) => textContent.trim()),
  ).toEqual(["to", "body", "copies removed", "folder added"]);
  expect(changes.querySelector("del")?.textContent).toContain("ann");
  expect(changes.querySelector("ins")?.textContent).toContain("bob");
  expect(within(changes).getByRole("group", { name: "Changes of body, line by line" }).textContent).toContain(
    "Yours",
  );
  expect(fieldOf(card, "to")?.textContent).toContain("Edited by you. Proposed value: written by the user");
});

it("shows the same arguments as JSON, and checks that against the schema, too", async () => {
  const { card, user } = await openCard();
  await card.findByRole("textbox", { name: "to" });
  await user.click(card.getByRole("button", { name: "JSON" }));
  const json = card.getByRole<HTMLTextAreaElement>("textbox", { name: "Edited arguments" });
  expect(JSON.parse(json.value)).toEqual(ARGS);
  const enter = async (text: string) => {
    await user.clear(json);
    await user.click(json);
    await user.paste(text);
  };
  await enter("{");
  expect(card.getByRole<HTMLButtonElement>("button", { name: "Fields" }).disabled).toBe(true);
  await enter(JSON.stringify({ ...ARGS, bcc: "x" }));
  expect(card.getByRole("alert").textContent).toBe("bcc: The tool does not accept this argument");
  expect(approve(card).disabled).toBe(true);
  await enter(JSON.stringify({ ...ARGS, urgent: true }));
  await user.click(card.getByRole("button", { name: "Fields" }));
  expect(card.getByRole<HTMLSelectElement>("combobox", { name: "urgent" }).value).toBe("true");
  expect(approve(card).textContent).toBe("Approve as edited");
  await user.click(card.getByRole("button", { name: "Discard edits" }));
  expect(approve(card).textContent).toBe("Approve");
});

it("derives fields from the values when no executor offers the tool", async () => {
  const { card } = await openCard({ tools: [] });
  expect((await card.findByRole<HTMLInputElement>("textbox", { name: "copies" })).value).toBe("2");
  expect(card.getByText(/The tool's schema is not available/)).toBeDefined();
});

it("raises a budget with a field for each limit, and sends a comment with the decision", async () => {
  const { tool: _tool, args: _args, argumentOrigins: _origins, ...rest } = APPROVAL;
  const approval = { ...rest, kind: "budget", question: "Continue?" };
  const { gateway, goTo, user } = openPage("/nowhere", recording);
  gateway.answer(/^GET \/v1\/approvals/, { status: 200, body: { total: 1, approvals: [approval] } });
  goTo("/approvals");
  const card = within(await screen.findByTestId("approval"));
  await user.click(card.getByRole("button", { name: "Edit" }));
  await user.type(await card.findByRole("textbox", { name: "tokens" }), "0");
  expect(card.getByRole("alert").textContent).toBe("Must be greater than 0");
  await user.type(card.getByRole("textbox", { name: "tokens" }), "{Backspace}500");
  expect(approve(card).textContent).toBe("Approve as edited");
  expect(gateway.asked.filter((ask) => ask.includes("/v1/tools"))).toEqual([]);
  const comment = card.getByRole<HTMLTextAreaElement>("textbox", { name: "Comment" });
  await user.type(comment, "as agreed");
  await waitFor(() => expect(comment.value).toBe("as agreed"));
});
