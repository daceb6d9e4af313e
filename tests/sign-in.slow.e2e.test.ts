// Users of an identity provider in a real browser: a shared link leads through the sign-in and back, and the page knows the role.
import { Planwright } from "@planwright/client";
import { startIdentityProvider } from "@planwright/testkit";
import { expect, it } from "vitest";
import { dashboardStage } from "./support/dashboard-stage.ts";

const stage = dashboardStage();
const user = (sub: string, role: string) => ({
  sub,
  name: `${sub} Example`,
  planwright_tenant: "acme",
  planwright_role: role,
});

it("leads a shared link through the sign-in and back, names who decided, and offers what the role permits", async () => {
  const { url } = stage.system;
  await using provider = await startIdentityProvider({
    redirectUris: [`${url}/auth/callback`],
    host: "localhost",
  });
  await stage.system.reconfigure("gateway", {
    PLANWRIGHT_API_KEYS: "acme/ci@submitter:ci-key",
    PLANWRIGHT_PUBLIC_URL: url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.client.id,
    OIDC_CLIENT_SECRET: provider.client.secret,
    OIDC_SESSION_SECRET: "the-secret-of-all-gateways-of-this-test",
  });
  const plan = { steps: [{ id: "a", tool: "flow.echo", args: { value: 1 } }] };
  const program = new Planwright({ baseUrl: url, apiKey: "ci-key" });
  const { planId } = await program.plans.submit({
    goal: "wait for a reviewer",
    plan,
    approval: { plan: true },
  });

  provider.user = user("vera", "viewer");
  const viewer = await stage.browser.open(`${url}/plans/${planId}?tab=events`);
  await viewer.page.waitForURL(`${url}/plans/${planId}?tab=events`);
  await viewer.page.getByTestId("account").getByText("vera Example").waitFor();
  await viewer.page.getByText("Your role (viewer) does not permit this.").first().waitFor();
  await viewer.page.getByRole("button", { name: "More actions" }).click();
  await viewer.page.getByRole("button", { name: "History" }).waitFor();
  expect(await viewer.page.getByRole("button", { name: "Cancel plan" }).count()).toBe(0);
  await viewer.page.locator('[data-connection="open"]').waitFor();

  provider.user = user("ann", "approver");
  const reviewer = await stage.browser.open(`${url}/plans/${planId}`);
  const { page } = reviewer;
  await page.getByTestId("account").getByText("ann Example").waitFor();
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByText("Succeeded").first().waitFor();
  await page.goto(`${url}/plans/${planId}?tab=events`);
  await page.getByText("acme/ann: approve").waitFor();

  await page.setViewportSize({ width: 360, height: 740 });
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(360);

  // Signed out, the page asks instead of signing in again; the identity provider has ended its session too.
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL((at) => at.origin === provider.issuer);
  await page.goto(`${url}/plans/${planId}`);
  await page.getByRole("heading", { name: "Sign in to Planwright" }).waitFor();
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${url}/plans/${planId}`);
  await page.getByTestId("account").getByText("ann Example").waitFor();
});
