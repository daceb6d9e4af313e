// The page offers what the role from the gateway permits, and shows who is signed in.
import { type Caller, ROUTE_ACCESS } from "@planwright/api";
import { ApprovalDecision, hasPermission, permissionToDecide, type Role } from "@planwright/plan";
import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { planIn, type Recording } from "./support/recording.ts";
import { findSeen } from "./support/seen.ts";

const recording = await recordingOf("steps");
const planId = planIn(recording, "steps");

/** The gateway's response for a user with this role. */
function asRole(role: Role): Recording {
  const caller: Caller = {
    tenant: "acme",
    identity: "acme/ann@example.com",
    name: "Ann Example",
    role,
    credential: "session",
    calls: Object.entries(ROUTE_ACCESS).flatMap(([id, access]) =>
      access === "public" || hasPermission(role, access) ? [id] : [],
    ),
    decisions: ApprovalDecision.options.filter((one) => hasPermission(role, permissionToDecide(one))),
  };
  const answer = { ask: "GET /v1/me", status: 200, type: "application/json", body: caller };
  const lists = Object.entries({
    "GET /v1/tools": { tools: [], agents: [] },
    "GET /v1/data": { sources: [] },
  });
  const others = lists.map(([ask, body]) => ({ ask, status: 200, type: "application/json", body }));
  return { plans: {}, answers: [answer, ...others] };
}

const offered = () =>
  screen
    .getAllByRole("button")
    .filter((button) => !(button as HTMLButtonElement).disabled)
    .map((button) => button.textContent?.trim() ?? "");

it.each(["viewer", "submitter", "approver", "operator", "admin"] as const)(
  "offers the controls of a plan that the role %s permits",
  async (role) => {
    const { user } = openPage(`/plans/${planId}`, asRole(role), recording);
    expect((await screen.findByTestId("account")).textContent).toContain(`Ann Example ${role}`);
    await user.click(await screen.findByRole("button", { name: "More actions" }));
    const controls: readonly (readonly [string, "submit" | "operate"])[] = [
      ["Pause plan", "submit"],
      ["Cancel plan", "submit"],
    ];
    for (const [name, permission] of controls)
      expect([name, screen.queryByRole("button", { name }) !== null]).toEqual([
        name,
        hasPermission(role, permission),
      ]);
  },
);

it("offers the decisions that the role permits, and explains why it offers none", async () => {
  const first = openPage(`/plans/${planId}`, asRole("viewer"), recording);
  await screen.findByTestId("account");
  const card = (await screen.findAllByTestId("approval"))[0] as HTMLElement;
  await findSeen(card, "Your role (viewer) does not permit this.");
  expect(within(card).queryByRole("button", { name: "Approve" })).toBeNull();
  first.close();

  openPage(`/plans/${planId}`, asRole("submitter"), recording);
  await screen.findByTestId("account");
  const approve = async () => (await screen.findAllByRole("button", { name: "Approve" }))[0];
  await waitFor(async () => expect((await approve())?.hasAttribute("disabled")).toBe(true));
  expect((await approve())?.title).toBe("Your role (submitter) does not permit this.");
  expect(offered()).toContain("Reject");
});

it("does not let a viewer submit a goal, and explains why", async () => {
  const { user } = openPage("/", asRole("viewer"), recording);
  await screen.findByTestId("account");
  await user.type(screen.getByRole("textbox", { name: "Goal" }), "a goal");
  await findSeen(screen.getByRole("main"), "Your role (viewer) does not permit this.");
  expect(screen.getByRole("button", { name: "Submit goal" }).hasAttribute("disabled")).toBe(true);
  expect(screen.getByRole("button", { name: "Preview" }).hasAttribute("disabled")).toBe(true);
});

it("signs out at the gateway, and redirects to where the identity provider ends the session", async () => {
  const page = openPage(`/plans/${planId}`, asRole("operator"), recording);
  page.gateway.answer(/^POST \/auth\/logout$/, { status: 200, body: { url: "https://id.example/end" } });
  await page.user.click(await screen.findByRole("button", { name: "Sign out" }));
  await waitFor(() => expect(page.gateway.left).toEqual(["https://id.example/end"]));
  expect(page.gateway.asked).toContain("POST /auth/logout");
});
