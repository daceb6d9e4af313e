/**
 * The API key: asked for once, when the gateway answers 401, and kept for this tab's session only.
 *
 * Requests that meet a 401 together wait for the same answer of the user.
 */
import { createStore, type Store } from "../ui/create-store.ts";

const STORAGE_KEY = "planwright.api-key";

export type KeyPrompt = {
  readonly open: boolean;
  /** The key just given was refused. */
  readonly refused: boolean;
};

export type ApiKey = {
  readonly current: () => string | undefined;
  readonly prompt: Store<KeyPrompt>;
  /** Asks for a key; resolves when one was entered. @param used - The key that was refused, if any. */
  readonly ask: (used: string | undefined) => Promise<void>;
  readonly enter: (key: string) => void;
  /** Removes it from the tab. */
  readonly forget: () => void;
};

/** @param storage - Where the key outlives a reload: the tab's session storage. */
export function createApiKey(storage: Pick<Storage, "getItem" | "setItem" | "removeItem">): ApiKey {
  let key = storage.getItem(STORAGE_KEY) ?? undefined;
  let asked: PromiseWithResolvers<void> | undefined;
  const prompt = createStore<KeyPrompt>({ open: false, refused: false });
  return {
    current: () => key,
    prompt,
    ask: (used) => {
      // Another request has brought a newer key meanwhile.
      if (used !== key) return Promise.resolve();
      asked ??= Promise.withResolvers<void>();
      prompt.set({ open: true, refused: used !== undefined });
      return asked.promise;
    },
    enter: (entered) => {
      key = entered;
      storage.setItem(STORAGE_KEY, entered);
      prompt.set({ open: false, refused: false });
      asked?.resolve();
      asked = undefined;
    },
    forget: () => {
      key = undefined;
      storage.removeItem(STORAGE_KEY);
    },
  };
}
