// The recordings match the contract. When the contract changes, they must be recorded again.
import { ENDPOINTS, type Endpoint, isMedia } from "@planwright/api";
import { glob } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { recordingOf } from "./support/open-page.tsx";

const AGAIN = "record them again: npm run recordings";
const files = await Array.fromAsync(glob("*.json", { cwd: path.join(import.meta.dirname, "recorded") }));
const names = files.map((file) => path.basename(file, ".json"));

it.each(names)("keeps every response in the recording %s in line with the contract", async (name) => {
  const { plans, answers } = await recordingOf(name);
  expect(answers.length).toBeGreaterThan(0);
  for (const { ask, status, body } of answers) {
    const endpoint = endpointOf(ask);
    expect(endpoint, `no endpoint takes ${ask}; ${AGAIN}`).toBeDefined();
    const content = endpoint?.responses[status];
    if (content === undefined || content === null || isMedia(content)) continue;
    const parsed = content.safeParse(body);
    expect(parsed.error?.issues, `${ask}; ${AGAIN}`).toBeUndefined();
    // Parsing drops fields that the contract no longer has.
    expect(parsed.data, `${ask}; ${AGAIN}`).toEqual(body);
  }
  for (const planId of Object.values(plans)) expect(JSON.stringify(answers)).toContain(planId);
});

it("contains no path of the machine on which a recording was made", async () => {
  const recordings = await Promise.all(names.map(recordingOf));
  expect(recordings.length).toBeGreaterThan(0);
  for (const recording of recordings)
    expect(JSON.stringify(recording)).not.toMatch(/"\/(?:home|root|private|Users|var)\//);
});

function endpointOf(ask: string): Endpoint | undefined {
  const [method, address = ""] = ask.split(" ");
  const [asked = ""] = address.split("?");
  return ENDPOINTS.filter((endpoint) => endpoint.method === method)
    .toSorted((a, b) => a.path.split(":").length - b.path.split(":").length)
    .find((endpoint) => patternOf(endpoint.path).test(asked));
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/:\w+/g, "[^/]+").replace("*", ".+")}$`);
}
