// The checklist of the start page: which items are done, and when it disappears.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, type OpenPage, recordingOf } from "./support/open-page.tsx";

const recording = await recordingOf("waiting");
/** This recording has the tools and data sources that the goal form offers. */
const system = await recordingOf("edited");

it("derives completed items from the state of the system, and links the rest to the docs", async () => {
  openPage("/", recording, system);
  const list = await findChecklist();
  expect(list.getByText("1 of 4 done")).toBeDefined();
  expect(list.getAllByRole("heading", { level: 3 }).map((title) => title.textContent)).toEqual([
    "Connect a model",
    "Add a tool",
    "Upload data",
    "Done: Submit a first goal",
  ]);
  expect(list.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/docs/guide/first-model",
    "/docs/guide/guides/add-a-tool",
    "/docs/guide/data",
  ]);
});

it("stays away once it is dismissed, and sends no more requests", async () => {
  const first = openPage("/", recording, system);
  await findChecklist();
  const asked = countTools(first);
  await first.user.click(screen.getByRole("button", { name: "Dismiss the checklist" }));
  expect(screen.queryByRole("region", { name: "Get started" })).toBeNull();
  first.close();
  const second = openPage("/", recording, system);
  await screen.findByText(/Allowed tools/);
  expect(screen.queryByRole("region", { name: "Get started" })).toBeNull();
  expect([asked, countTools(second)]).toEqual([2, 1]);
});

it("disappears when everything is done", async () => {
  const { gateway } = openPage("/", recording, system);
  const states = {
    system: {
      version: "1.0.0",
      demoModel: false,
      models: { planner: "m", executor: "m", reflector: "m" },
      traces: { to: "embedded" },
    },
    data: { sources: [{ name: "own", kind: "csv", origin: "upload", writable: false, files: [] }] },
    tools: { tools: [ownTool], agents: [] },
  };
  for (const [name, body] of Object.entries(states))
    gateway.answer(new RegExp(`^GET /v1/${name}$`), { status: 200, body });
  await waitFor(() => expect(localStorage.getItem("planwright.onboarding")).toBe("closed"));
  expect(screen.queryByRole("region", { name: "Get started" })).toBeNull();
});

const ownTool = {
  name: "crm.find",
  description: "Finds a customer.",
  input: {},
  output: {},
  risk: "low",
  effect: "read",
  timeoutMs: 1_000,
  pool: "default",
  untrusted: false,
};

async function findChecklist() {
  return within(await screen.findByRole("region", { name: "Get started" }));
}

function countTools({ gateway }: OpenPage): number {
  return gateway.asked.filter((ask) => ask === "GET /v1/tools").length;
}
