/**
 * Sign-in with an identity provider. A page that is opened without a session redirects there once and returns to the same
 * address. After that, and when a session ends in an open page, the page shows a dialog instead: typed text is not lost, and
 * redirects cannot loop.
 */
import type { SignInOptions, SignedOut } from "@planwright/client";
import { createStore, type Readable } from "../ui/create-store.ts";

const STORAGE_KEY = "planwright.sign-in";
const TRIED = "tried";

export type SignIn = {
  /** The path that starts a sign-in; undefined until it is known, and where there is no identity provider. */
  readonly path: Readable<string | undefined>;
  /** Called when the gateway answers 401. Resolves when the page should show the dialog; never resolves when it redirects. */
  readonly whenRefused: (usedKey: string | undefined) => Promise<void>;
  /** Redirects to the identity provider. */
  readonly begin: () => void;
  /** Called when a request with credentials succeeded. */
  readonly succeeded: () => void;
  /** Called after the user signed out. @param url - The page of the identity provider that ends its session. */
  readonly ended: (url: SignedOut["url"]) => void;
};

type SignInDeps = {
  readonly options: () => Promise<SignInOptions>;
  /** The storage of this tab. */
  readonly memory: Pick<Storage, "getItem" | "setItem" | "removeItem">;
  /** Returns the path, query and fragment of the page. */
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
      // Ask for a key when the gateway does not report its options.
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
      // Otherwise the page would redirect to the identity provider again.
      memory.setItem(STORAGE_KEY, TRIED);
      leaveTo(url ?? "/");
    },
  };
}

/** Whether the user chose to use a key: the page of a failed sign-in links to `/?key`. */
function wantsKey(address: string): boolean {
  return new URLSearchParams(/\?([^#]*)/.exec(address)?.[1]).has("key");
}
