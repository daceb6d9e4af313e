// A tool shows a secret's reference instead of its value, in whatever form the value is returned.
import { PermanentError } from "@planwright/shared/errors";
import { describe, expect, it } from "vitest";
import { createSecretRedaction } from "./redaction.ts";

const VALUE = 'tok/en+"4711"ü';
const REFERENCE = "{{secret.CRM}}";
const redaction = createSecretRedaction();
redaction.add("CRM", VALUE);
redaction.add("PIN", "12345678");

describe("redacting a text", () => {
  it.each<[string, string]>([
    ["the value", VALUE],
    ["JSON", JSON.stringify({ a: VALUE })],
    ["JSON inside of JSON", JSON.stringify(JSON.stringify({ a: VALUE }))],
    ["a URL", encodeURIComponent(VALUE)],
    ["a form", new URLSearchParams({ a: VALUE }).toString()],
    ["Base64", Buffer.from(VALUE).toString("base64")],
    ["Base64 of URLs", Buffer.from(VALUE).toString("base64url")],
    ["hexadecimal digits", Buffer.from(VALUE).toString("hex")],
  ])("replaces the value as %s", (_form, shown) => {
    const text = redaction.text(`before ${shown} after`);
    expect(text).toContain(REFERENCE);
    expect(text).not.toContain("4711");
    expect(text).not.toContain(shown);
    expect(text).toMatch(/^before .* after$/);
  });

  it("replaces a value that is cut off at the end", () => {
    expect(redaction.text(`echo ${VALUE.slice(0, 10)}`)).toBe(`echo ${REFERENCE}`);
    expect(redaction.text("echo tok/en")).toBe("echo tok/en");
  });

  it("leaves everything else unchanged", () => {
    expect(redaction.text("tok en")).toBe("tok en");
    expect(createSecretRedaction().text(VALUE)).toBe(VALUE);
    expect(createSecretRedaction().json({ a: VALUE })).toEqual({ a: VALUE });
  });
});

it("replaces values in the texts, names and numbers of JSON", () => {
  const value = { [VALUE]: [`a ${VALUE}`, 12_345_678, 7, null, true], n: { deep: "12345678" } };
  expect(redaction.json(value)).toEqual({
    [REFERENCE]: [`a ${REFERENCE}`, "{{secret.PIN}}", 7, null, true],
    n: { deep: "{{secret.PIN}}" },
  });
});

it("replaces values in bytes of any kind", () => {
  const bytes = Buffer.concat([Buffer.from([0, 255]), Buffer.from(VALUE), Buffer.from([254])]);
  const after = Buffer.from(redaction.bytes(bytes));
  expect(after).toEqual(Buffer.concat([Buffer.from([0, 255]), Buffer.from(REFERENCE), Buffer.from([254])]));
  expect(redaction.bytes(Buffer.from("plain"))).toEqual(Buffer.from("plain"));
});

describe("redacting an error", () => {
  it("replaces the value in its message, stack and causes, and keeps the same error", () => {
    const cause = new Error(`at ${VALUE}`);
    const error = new PermanentError(`no ${VALUE}`, { code: "refused", cause });
    expect(redaction.error(error)).toBe(error);
    expect(error.message).toBe(`no ${REFERENCE}`);
    expect(error.stack).not.toContain("4711");
    expect(cause.message).toBe(`at ${REFERENCE}`);
  });

  it("replaces an error that cannot be changed", () => {
    const frozen = Object.freeze(new Error(`no ${VALUE}`));
    expect(redaction.error(frozen)).toMatchObject({ message: `no ${REFERENCE}` });
    expect(redaction.error(`no ${VALUE}`)).toBe(`no ${REFERENCE}`);
    expect(redaction.error(7)).toBe(7);
  });
});
