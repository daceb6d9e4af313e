import { hasPermission, ROLES, rolesWith } from "@planwright/plan";
import { describe, expect, it } from "vitest";
import { accessOf, ClientMessage, ENDPOINTS, isGuarded, MESSAGE_ACCESS, ROUTE_ACCESS } from "./index.ts";

describe("the table of permissions", () => {
  it("has a rule for every endpoint, and none for others", () => {
    expect(Object.keys(ROUTE_ACCESS).sort()).toEqual(ENDPOINTS.map(({ id }) => id).sort());
  });

  it("refuses an endpoint without a rule", () => {
    expect(() => accessOf({ id: "getSecrets" })).toThrow(/getSecrets has no rule in packages\/api/);
    expect(() => accessOf({ id: "constructor" })).toThrow(/has no rule/);
  });

  it("needs no permission exactly where no key is needed", () => {
    for (const endpoint of ENDPOINTS) {
      for (const path of [endpoint.path, ...(endpoint.oldPaths ?? [])]) {
        expect([path, accessOf(endpoint) === "public"]).toEqual([path, !isGuarded(path)]);
      }
    }
  });

  it("has a rule for every message of the WebSocket", () => {
    const types = ClientMessage.options.flatMap(({ shape: { type } }) =>
      "options" in type ? type.options : [...type.values],
    );
    expect(Object.keys(MESSAGE_ACCESS).sort()).toEqual(types.sort());
  });

  it("lets viewers change nothing", () => {
    const changing = ENDPOINTS.filter(({ method, id }) => method !== "GET" && !READS_BY_POST.includes(id));
    for (const endpoint of changing) {
      const access = accessOf(endpoint);
      expect([endpoint.id, access !== "public" && hasPermission("viewer", access)]).toEqual([
        endpoint.id,
        false,
      ]);
    }
  });
});

/** A check that calls no model, and the MCP server, whose tools have their own rules. */
const READS_BY_POST = ["checkPlan", "callMcp"];

describe("a role", () => {
  it("has the permissions that its description names", () => {
    expect(rolesWith("read")).toEqual(ROLES);
    expect(rolesWith("submit")).toEqual(["submitter", "operator", "admin"]);
    expect(rolesWith("respond")).toEqual(["submitter", "approver", "operator", "admin"]);
    expect(rolesWith("decide")).toEqual(["approver", "operator", "admin"]);
    expect(rolesWith("operate")).toEqual(["operator", "admin"]);
    expect(rolesWith("administer")).toEqual(["admin"]);
  });
});
