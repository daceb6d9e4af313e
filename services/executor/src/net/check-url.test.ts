import { expect, it } from "vitest";
import { createAllowList } from "./allow-list.ts";
import { checkUrl } from "./check-url.ts";
import { createEgress } from "./egress.ts";

const nobody = createAllowList([]);
const any = createEgress({ allowed: nobody });
const from = (text: string) => new URL(text);

it.each([
  ["http://b.example/", "https://a.example/"],
  ["http://a.example/", "https://a.example/"],
  ["//10.0.0.1/", "https://a.example/"],
  ["https://169.254.169.254/latest/", "https://a.example/"],
  ["https://user:secret@b.example/", "https://a.example/"],
  ["https://b.example./", "https://a.example/"],
  ["https://b.example:25/", "https://a.example/"],
  ["file:///etc/passwd", "http://a.example/"],
  ["gopher://b.example/", "http://a.example/"],
  ["data:text/html,x", "http://a.example/"],
])("refuses a redirect to %s from %s", (to, page) => {
  expect(() => checkUrl(to, { allowed: nobody, egress: any, from: from(page) })).toThrow(
    expect.objectContaining({ code: "address_refused", message: expect.not.stringContaining("secret") }),
  );
});

it("refuses a downgrade to plain HTTP even for an allowed host", () => {
  const allowed = createAllowList(["b.example:80"]);
  expect(() =>
    checkUrl("http://b.example/", { allowed, egress: any, from: from("https://a.example/") }),
  ).toThrow("a redirect from https to http");
});

it.each([
  ["https://b.example/", "http://a.example/"],
  ["/next?page=2", "https://a.example/first"],
  ["//b.example/", "https://a.example/"],
  ["https://b.example:8443/", "https://a.example/"],
])("follows a redirect to %s from %s", (to, page) => {
  expect(checkUrl(to, { allowed: nobody, egress: any, from: from(page) }).protocol).toBe("https:");
});

it.each([
  ["http://127.0.0.1:8080/x", "127.0.0.1:8080"],
  ["https://[::1]/", "[::1]:443"],
  ["http://10.1.2.3/", "10.1.2.3:80"],
  ["https://b.example:25/", "b.example:25"],
])("explains how to allow %s", (url, place) => {
  let message = "";
  try {
    checkUrl(url, { allowed: nobody, egress: any });
  } catch (error) {
    message = String(error);
  }
  expect(message).toContain(`HTTP_FETCH_ALLOW=${place}`);
  // The setting in the message lifts the refusal.
  expect(checkUrl(url, { allowed: createAllowList([place]), egress: any }).href).toBe(new URL(url).href);
});
