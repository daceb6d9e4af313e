import { expect, it } from "vitest";
import { z } from "zod";
import { testContext } from "../tools/testing/test-context.ts";
import { defineTool } from "../tools/define-tool.ts";
import { createAllowList } from "./allow-list.ts";
import { createEgress } from "./egress.ts";
import { withEgress } from "./with-egress.ts";

const reached: unknown[] = [];
const own = defineTool({
  name: "crm.pull",
  description: "Reads a record.",
  input: z.looseObject({}),
  output: z.string(),
  risk: "low",
  effect: "read",
  timeoutMs: 1_000,
  run: async (args) => {
    reached.push(args);
    return "done";
  },
});
const egress = createEgress({ hosts: ["*.example.com"], allowed: createAllowList([]) });
const call = async (args: object) => {
  const [tool = own] = withEgress([own], egress);
  return tool.run(args, testContext());
};

it("calls a custom tool with URLs of allowed hosts, or without URLs", async () => {
  await expect(call({ url: "https://api.example.com/" })).resolves.toBe("done");
  await expect(call({ text: "hello" })).resolves.toBe("done");
});

it.each([
  [{ url: "https://evil.example/" }, "evil.example is not in EGRESS_HOSTS"],
  [{ list: [{ target: "https://evil.example/" }] }, "evil.example is not in EGRESS_HOSTS"],
  [{ endpoint: "https://user:secret@api.example.com/" }, "a URL with a user name or password"],
  [{ url: `https://api.example.com/?q=${"x".repeat(2_000)}` }, "more than the allowed 2000"],
])("refuses to call it with %j", async (args, message) => {
  reached.length = 0;
  await expect(call(args)).rejects.toMatchObject({
    code: "address_refused",
    message: expect.stringContaining(message),
  });
  await expect(call(args)).rejects.toMatchObject({ message: expect.not.stringContaining("secret") });
  expect(reached).toEqual([]);
});
