// The way from the dashboard to the docs.
import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { planIn } from "./support/recording.ts";

const recording = await recordingOf("places");

it("links to the docs site from the top bar", async () => {
  openPage(`/plans/${planIn(recording, "places")}`, recording);
  expect((await screen.findByRole("link", { name: "Help" })).getAttribute("href")).toBe("/docs/guide/");
});
