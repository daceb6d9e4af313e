// The secrets file: what is accepted, and what is rejected, with the location but without a value.
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSecrets } from "./secrets-file.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "planwright-secrets-"));
  await writeFile(path.join(folder, "token"), "value-of-a-file\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const builtIn = new Set(["http.fetch", "http.send", "files.write"]);
const rule = { tool: "http.fetch", arguments: ["headers.authorization"], hosts: ["crm.example"] };

async function read(secrets: object, more: { readonly tenants?: number } = {}) {
  await writeFile(path.join(folder, "secrets.json"), JSON.stringify({ secrets }));
  const env = { PLANWRIGHT_SECRET_CRM: "value-of-a-variable", PLANWRIGHT_SECRET_SHORT: "short" };
  return readSecrets({ named: undefined, folders: [folder], env, builtIn, tenants: 1, ...more });
}

it("names values in files and variables, and the calls that can use them", async () => {
  expect(await read({ CRM: { use: [rule] }, OTHER: { file: "token", use: [rule], tenants: ["a"] } })).toEqual(
    [
      { name: "CRM", value: "value-of-a-variable", use: [rule] },
      { name: "OTHER", value: "value-of-a-file", use: [rule], tenants: ["a"] },
    ],
  );
});

it("is optional", async () => {
  const nowhere = { named: undefined, folders: [path.join(folder, "none")], env: {}, builtIn, tenants: 1 };
  expect(await readSecrets(nowhere)).toEqual([]);
});

describe("the secrets file is rejected", () => {
  it.each<[string, object, RegExp]>([
    [
      "with a name in small letters",
      { crm: { use: [rule] } },
      /secrets\.crm: wanted a name in capital letters/,
    ],
    ["without a value", { NONE: { use: [rule] } }, /PLANWRIGHT_SECRET_NONE has no value/],
    ["with a file that is not there", { CRM: { file: "gone", use: [rule] } }, /gone has no value/],
    [
      "with a value that is too short to be found again",
      { SHORT: { use: [rule] } },
      /wanted 8 to \d+ characters/,
    ],
    ["without a rule", { CRM: { use: [] } }, /secrets\.CRM\.use/],
    [
      "for a built-in tool that stores its arguments",
      { CRM: { use: [{ ...rule, tool: "files.write" }] } },
      /got files\.write/,
    ],
    ["for http.fetch without hosts", { CRM: { use: [{ ...rule, hosts: undefined }] } }, /wanted the hosts/],
    [
      "with what is no host",
      { CRM: { use: [{ ...rule, hosts: ["https://a.example/x"] }] } },
      /wanted hosts such as/,
    ],
  ])("for %s", async (_what, secrets, said) => {
    const failure = await read(secrets).then(
      () => "accepted",
      (error: unknown) => String(error),
    );
    expect(failure).toMatch(said);
    expect(failure).not.toMatch(/value-of|\bshort\b/);
  });

  it("when the system has several tenants and a secret names none", async () => {
    await expect(read({ CRM: { use: [rule] } }, { tenants: 2 })).rejects.toThrow(/secrets\.CRM\.tenants/);
    expect(await read({ CRM: { use: [rule], tenants: ["a"] } }, { tenants: 2 })).toHaveLength(1);
  });
});
