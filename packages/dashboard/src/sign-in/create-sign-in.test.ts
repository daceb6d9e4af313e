import { expect, it } from "vitest";
import { createSignIn } from "./create-sign-in.ts";

const OIDC = { keys: true, oidc: { issuer: "https://id.example", path: "/auth/login" } };

function setUp({
  options = OIDC,
  address = "/plans/p1?tab=events#top",
  kept = new Map<string, string>(),
} = {}) {
  const left: string[] = [];
  const signIn = createSignIn({
    options: () => Promise.resolve(options),
    memory: {
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    },
    address: () => address,
    leaveTo: (url) => void left.push(url),
  });
  /** Whether the page shows the dialog, or redirects. */
  const refuse = async (usedKey?: string) => {
    const asked = signIn.whenRefused(usedKey).then(() => "asked");
    return Promise.race([asked, new Promise((resolve) => setTimeout(resolve, 0, "left"))]);
  };
  return { signIn, left, kept, refuse };
}

it("redirects a page without a session to the identity provider, with the address to return to", async () => {
  const { left, refuse } = setUp();
  expect(await refuse()).toBe("left");
  expect(left).toEqual(["/auth/login?return=%2Fplans%2Fp1%3Ftab%3Devents%23top"]);
});

it("shows the dialog if the tab has just been redirected, so that redirects cannot loop", async () => {
  const first = setUp();
  await first.refuse();
  const second = setUp({ kept: first.kept });
  expect(await second.refuse()).toBe("asked");
  expect([second.left, second.signIn.path.get()]).toEqual([[], "/auth/login"]);
  second.signIn.succeeded();
  expect(await setUp({ kept: first.kept }).refuse()).toBe("left");
});

it("shows the dialog when a session ends in an open page, after signing out, and to users who want to use a key", async () => {
  const open = setUp();
  open.signIn.succeeded();
  expect(await open.refuse()).toBe("asked");
  open.signIn.ended("https://id.example/end");
  expect(open.left).toEqual(["https://id.example/end"]);
  expect(await setUp({ kept: open.kept }).refuse()).toBe("asked");
  expect(await setUp({ address: "/?key" }).refuse()).toBe("asked");
  expect(await setUp().refuse("a-refused-key")).toBe("asked");
});

it("asks for a key where there is no identity provider", async () => {
  const { signIn, left, refuse } = setUp({ options: { keys: true } as typeof OIDC });
  expect(await refuse()).toBe("asked");
  expect([left, signIn.path.get()]).toEqual([[], undefined]);
});
