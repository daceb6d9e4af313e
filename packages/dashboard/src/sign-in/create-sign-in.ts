/**
 * Signing in with an identity provider: a page that is opened without a session leads there once, and back to the same
 * address. After that, and in a page that was signed in, the user is asked first: nothing that was typed gets lost, and no
 * page goes round in circles.
 */
import type { SignInOptions, SignedOut } from "@planwright/client";
import { createStore, type Readable } from "../ui/create-store.ts";

const STORAGE_KEY = "planwright.sign-in";
const TRIED = "tried";

export type SignIn = {
  /** Where a sign-in begins; undefined while it is not known, and where there is no identity provider. */
  readonly path: Readable<string | undefined>;
  /** Called when the gateway refuses a request. Resolves when the user is to be asked; never when the page leaves. */
  readonly whenRefused: (usedKey: string | undefined) => Promise<void>;
  /** Leads to the identity provider. */
  readonly begin: () => void;
  /** Called when the gateway has let the page in. */
  readonly succeeded: () => void;
  /** Called when the session has ended. @param url - Where it ends at the identity provider too. */
  readonly ended: (url: SignedOut["url"]) => void;
};

export type SignInDeps = {
  readonly options: () => Promise<SignInOptions>;
  /** Of this tab. */
  readonly memory: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** Where the page is, from its path on. */
  readonly address: () => string;
  readonly leaveTo: (url: string) => void;
};

export function createSignIn({ options, memory, address, leaveTo }: SignInDeps): SignIn {
  const path = createStore<string | undefined>(undefined);
  let wasSignedIn = false;
  let asking: Promise<void> | undefined;
  const learn = async (): Promise<void> => {
    try {
      path.set((await options()).oidc?.path);
    } catch {
      // A gateway that does not say how users sign in asks for a key.
      path.set(undefined);
    }
    asking = undefined;
  };
  const begin = (): void => {
    const to = path.get();
    if (to !== undefined) leaveTo(`${to}?${new URLSearchParams({ return: address() }).toString()}`);
  };
  return {
    path,
    begin,
    async whenRefused(usedKey) {
      asking ??= learn();
      await asking;
      const asksFirst =
        usedKey !== undefined || wasSignedIn || memory.getItem(STORAGE_KEY) === TRIED || wantsKey(address());
      if (path.get() === undefined || asksFirst) return;
      memory.setItem(STORAGE_KEY, TRIED);
      begin();
      await new Promise(() => undefined);
    },
    succeeded() {
      wasSignedIn = true;
      memory.removeItem(STORAGE_KEY);
    },
    ended(url) {
      // Otherwise the page would sign in again at once.
      memory.setItem(STORAGE_KEY, TRIED);
      leaveTo(url ?? "/");
    },
  };
}

/** The page of a failed sign-in offers to use a key. */
function wantsKey(address: string): boolean {
  return new URLSearchParams(/\?([^#]*)/.exec(address)?.[1]).has("key");
}
