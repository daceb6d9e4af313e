// The Code tab: programs with their errors, versions and calls, and the rows before and after a user approves their changes.
import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openPage, recordingOf } from "./support/open-page.tsx";
import { atTheEnd, planIn } from "./support/recording.ts";
import { findSeen } from "./support/seen.ts";

const recording = await recordingOf("programs");
const HOSTILE = '<img src=x onerror="window.pwned=1">';

it("shows the rows that a program would change, a conflict, and the changes of its next version", async () => {
  const { user } = openPage(`/plans/${planIn(recording, "bought")}?tab=code`, recording);
  const first = await program("Program dryrun");
  await findSeen(first, "Not applied: 4 rows waiting for approval");
  expect(within(first).getByRole("cell", { name: "10 → 7" })).toBeDefined();
  await findSeen(first, "LOG: ACTION=mutate STATUS=success");
  await user.click(await approveButton());

  await findSeen(
    await program("Program dryrun"),
    "Conflict: the rows changed in the meantime; nothing was applied",
  );
  const second = await program(/^Program .*, version 2$/);
  await findSeen(second, "0 lines removed, 1 line added");
  expect(within(second).getAllByText("// Again, as the rows are now.")).not.toEqual([]);
  expect(within(second).getByRole("cell", { name: "4 → 1" })).toBeDefined();
  await user.click(await approveButton());
  await findSeen(await program(/^Program .*, version 2$/), "Applied: 4 rows");
  await findSeen(await program(/^Program .*, version 2$/), /^Effect .*: done at/);
});

it("shows the calls and output of a program as text, and marks the line of an error", async () => {
  const { user } = openPage(`/plans/${planIn(recording, "calls")}?tab=code`, atTheEnd(recording));
  const calls = await program("Program calls");
  await user.click(within(calls).getByText("Returned"));
  expect(within(calls).getAllByText(/2 \+ 3/).length).toBeGreaterThan(1);
  expect(within(within(calls).getByLabelText("Printed output")).getByText(HOSTILE)).toBeDefined();
  expect("pwned" in window).toBe(false);
  const wrong = await program("Program wrong");
  expect(wrong.querySelector('[data-part=source-line][data-fault="true"]')?.textContent).toContain(
    "y = x['a']",
  );
});

function program(name: string | RegExp): Promise<HTMLElement> {
  return screen.findByRole("region", { name });
}

async function approveButton(): Promise<HTMLElement> {
  return within(await screen.findByTestId("approval")).getByRole("button", { name: "Approve" });
}
