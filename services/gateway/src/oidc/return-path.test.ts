import fc from "fast-check";
import { expect, it } from "vitest";
import { returnPath } from "./return-path.ts";

it.each(["/", "/plans/p1?tab=events#top", "/compare?left=a&right=b", "/authors"])(
  "returns to the path %s",
  (path) => {
    expect(returnPath(path)).toBe(path);
  },
);

it.each([
  undefined,
  1,
  ["/a"],
  "",
  "a",
  "//a",
  "/\\a",
  "https://a",
  "/auth",
  "/auth/login",
  "/a/../auth/callback",
])("returns to the home page instead of %j", (asked) => {
  expect(returnPath(asked)).toBe("/");
});

it("never leads to another host, whatever the request contains", () => {
  const part = fc.constantFrom(
    "/",
    "\\",
    ".",
    "..",
    "@",
    ":",
    "evil.example",
    "\t",
    "\n",
    "%2f",
    "%5c",
    "?",
    "#",
    " ",
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const target = new URL(returnPath(`/${parts.join("")}`), "https://planwright.example");
      expect(target.origin).toBe("https://planwright.example");
    }),
  );
});
