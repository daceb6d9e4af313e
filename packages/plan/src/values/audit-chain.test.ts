import { describe, expect, it } from "vitest";
import { AUDIT_START, type AuditedAction, linkAudit, verifyAudit } from "./audit-chain.ts";

const action = (planId: string): AuditedAction => ({
  at: "2026-01-31T10:00:00.000Z",
  tenant: "acme",
  by: "acme/ann",
  role: "operator",
  action: "cancelPlan",
  via: "http",
  on: { planId },
  from: "127.0.0.1",
  outcome: "done",
});
const log = linkAudit(AUDIT_START, ["p1", "p2", "p3", "p4"].map(action));
const faultsOf = (entries: typeof log) => verifyAudit(entries).faults.map(({ number }) => number);

describe("an audit log", () => {
  it("is valid as it was written, also in portions (AUDIT-1)", () => {
    const [a, b, c, d] = log;
    expect(verifyAudit(log)).toEqual({
      entries: 4,
      first: 1,
      last: { number: 4, hash: d?.hash },
      faults: [],
    });
    const portions = [...linkAudit(AUDIT_START, [action("p1"), action("p2")])];
    expect(portions).toEqual([a, b]);
    expect(linkAudit(portions[1] ?? AUDIT_START, [action("p3"), action("p4")])).toEqual([c, d]);
  });

  it.each(Object.keys(action("p")))("reveals an entry whose %s was changed (AUDIT-3)", (field) => {
    const changed = log.map((entry) => (entry.number === 2 ? { ...entry, [field]: "another" } : entry));
    expect(faultsOf(changed)).toEqual([2]);
  });

  it("reveals an entry that was changed and hashed again", () => {
    const [first, , third, fourth] = log;
    const [forged] = linkAudit(first ?? AUDIT_START, [{ ...action("p2"), by: "acme/bob" }]);
    const entries = [first, forged, third, fourth].filter((entry) => entry !== undefined);
    expect(faultsOf(entries)).toEqual([3]);
  });

  it.each([1, 2])("reveals that entry %i was dropped, and that two were swapped (AUDIT-3)", (at) => {
    expect(faultsOf(log.toSpliced(at, 1))).toEqual([at + 2]);
    const swapped = log.toSpliced(at, 2, ...log.slice(at, at + 2).toReversed());
    expect(faultsOf(swapped).length).toBeGreaterThan(0);
  });

  it("reveals a message that is not an entry, and every other fault around it (AUDIT-2)", () => {
    const at = "2026-01-31T10:00:00.000Z";
    const broken = { unreadable: { sequence: 7, at, bytes: 3, sha256: "0".repeat(64) } };
    const fault = "is followed by message 7 of the stream, which is no entry";
    expect(verifyAudit([...log.slice(0, 2), broken, ...log.slice(2)])).toMatchObject({
      entries: 4,
      last: { number: 4 },
      faults: [{ number: 2, fault }],
    });
    const replaced = verifyAudit([broken, ...log.toSpliced(2, 1)]).faults;
    expect(replaced).toEqual([
      { number: 0, fault },
      { number: 4, fault: "follows entry 2: entries are missing between them" },
    ]);
  });

  it("reports where it starts and ends, so that comparing them with recorded values reveals a cut", () => {
    expect(verifyAudit(log.slice(2))).toMatchObject({ entries: 2, first: 3, faults: [] });
    expect(verifyAudit(log.slice(0, 3)).last).toEqual({ number: 3, hash: log[2]?.hash });
    expect(verifyAudit([])).toEqual({ entries: 0, first: undefined, last: undefined, faults: [] });
  });
});
