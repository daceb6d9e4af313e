// The Trace tab: the spans, the details of one, and the keyboard.
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { PlanView, TraceData } from "../src/api/api-types.ts";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { answerTo, planIn } from "./support/recording.ts";

const recording = await recordingOf("traced");
const planId = planIn(recording, "traced");
const address = `/plans/${planId}?tab=trace`;

it("shows the spans of all services, and the error, attributes and step of a failed one", async () => {
  const { user } = openPage(address, recording);
  for (const name of ["POST /v1/plans", "execute_tool model.write", "execute_tool http.fetch", "chat "])
    await findSpan(name);
  expect(spansOf("invoke_workflow planwright")).toHaveLength(2);
  await user.click(screen.getByRole("button", { name: /^Failed: 2/ }));
  await screen.findByText(/^2 of \d+ spans/);
  await user.click(await findSpan("execute_tool http.fetch"));
  const details = within(await screen.findByRole("region", { name: "Span execute_tool http.fetch" }));
  expect(details.getByText(/Failed: .*127\.0\.0\.1/)).toBeDefined();
  expect(details.getByRole("row", { name: /step\.id lost/ })).toBeDefined();
  await user.click(details.getByText("Stack"));
  expect(details.getByLabelText("Stack").textContent).toContain("Error");
  await user.click(details.getByRole("button", { name: "lost" }));
  expect(await screen.findByTestId("step-drawer")).toBeDefined();
});

it("links to another viewer of the trace, and opens the span in the address", async () => {
  const { spans } = answerTo<TraceData>(recording, `GET /v1/plans/${planId}/trace`);
  const { traceId } = answerTo<PlanView>(recording, `GET /v1/plans/${planId}`);
  const failed = spans.find(({ name }) => name === "execute_tool http.fetch");
  openPage(`${address}&span=${failed?.spanId}`, recording);
  const details = within(await screen.findByRole("region", { name: "Span execute_tool http.fetch" }));
  expect(details.getByText(/Failed: .*127\.0\.0\.1/)).toBeDefined();
  const [link] = screen.getAllByRole("link", { name: "Open in Jaeger" });
  expect(link?.getAttribute("href")).toBe(`http://localhost:16686/trace/${traceId}`);
});

it("starts at the span of the step in the address, and moves through the spans by keyboard", async () => {
  const { user } = openPage(`${address}&step=said`, recording);
  await findSpan("execute_tool model.write");
  const tree = screen.getByRole("tree", { name: "Spans" });
  const active = () => document.getElementById(tree.getAttribute("aria-activedescendant") ?? "")?.textContent;
  await waitFor(() => expect(active()).toContain("execute_tool model.write"));
  const all = spansOf("").length;
  tree.focus();
  await user.keyboard("{Home}");
  await waitFor(() => expect(active()).toContain("POST /v1/plans"));
  await user.keyboard("{ArrowLeft}");
  await waitFor(() => expect(spansOf("")).toHaveLength(1));
  expect(spansOf("")[0]?.getAttribute("aria-expanded")).toBe("false");
  await user.keyboard("{ArrowRight}");
  await waitFor(() => expect(spansOf("")).toHaveLength(all));
  await user.keyboard("{ArrowDown}{Enter}");
  await screen.findByTestId("span-details");
  expect(new URLSearchParams(location.search).get("span")).toMatch(/^[0-9a-f]{16}$/);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByTestId("span-details")).toBeNull());
  // Escape closed the span, not the step.
  expect(screen.getByTestId("step-drawer")).toBeDefined();
  await user.click(screen.getByRole("searchbox", { name: "Search spans" }));
  await user.paste("nothing like this");
  expect(await screen.findByText("No matching spans.")).toBeDefined();
});

it("keeps the shown spans and the focus when a reload fails", async () => {
  const { gateway } = openPage(address, recording);
  const asks = new RegExp(`^GET /v1/plans/${planId}/trace`);
  await findSpan("POST /v1/plans");
  const tree = screen.getByRole("tree", { name: "Spans" });
  tree.focus();
  const times = () => gateway.asked.filter((ask) => asks.test(ask)).length;
  const before = times();
  const held = gateway.hold(asks);
  held.fail();
  await waitFor(() => expect(times()).toBeGreaterThan(before));
  held.answer();
  // It reloads soon, and the focus stays in the tree.
  await waitFor(() => expect(times()).toBeGreaterThan(before + 1));
  expect(screen.getByRole("tree", { name: "Spans" })).toBe(tree);
  expect(document.activeElement).toBe(tree);
  expect(spansOf("POST /v1/plans")).toHaveLength(1);
});

function spansOf(name: string): HTMLElement[] {
  return screen.queryAllByRole("treeitem").filter(({ textContent }) => textContent.includes(name));
}

async function findSpan(name: string): Promise<HTMLElement> {
  return waitFor(() => {
    const [span] = spansOf(name);
    if (span === undefined) throw new Error(`there is no span ${name}`);
    return span;
  });
}
