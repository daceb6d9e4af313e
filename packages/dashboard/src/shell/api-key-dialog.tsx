import clsx from "clsx";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { useStore } from "../ui/create-store.ts";
import { useServices } from "./services.ts";
import { API_KEY_DIALOG } from "./shell-words.ts";

/** Asks users to sign in, or for an API key, when the gateway requires authentication. */
export function ApiKeyDialog() {
  const { apiKey, live, signIn } = useServices();
  const canSignIn = useStore(signIn.path) !== undefined;
  const { open, refused } = useStore(apiKey.prompt);
  const title = canSignIn ? API_KEY_DIALOG.signInTitle : API_KEY_DIALOG.keyTitle;
  const dialog = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState("");
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const beginSignIn = () => {
    // Otherwise the refused key would be sent instead of the session.
    apiKey.forget();
    signIn.begin();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    apiKey.enter(key.trim());
    setKey("");
    live.wake();
  };
  return (
    // Without a key there is nothing to see behind it, so Escape does not close it.
    <dialog
      ref={dialog}
      className="dialog w-[min(420px,calc(100vw-32px))] p-6"
      aria-label={title}
      onCancel={(event) => event.preventDefault()}
    >
      <form className="grid gap-3" onSubmit={submit}>
        <h2 className="text-lg">{title}</h2>
        {canSignIn && (
          <>
            <Button kind="primary" onClick={beginSignIn}>
              {API_KEY_DIALOG.signIn}
            </Button>
            <p className="text-soft">{API_KEY_DIALOG.orUseAnApi}</p>
          </>
        )}
        <p className="text-soft">{API_KEY_DIALOG.keyIsShared}</p>
        <label className="visually-hidden" htmlFor="api-key">
          {API_KEY_DIALOG.apiKey}
        </label>
        <input
          id="api-key"
          className="field mono"
          type="password"
          autoComplete="off"
          required
          placeholder={API_KEY_DIALOG.apiKey}
          value={key}
          aria-invalid={refused}
          aria-describedby={refused ? "key-refused" : undefined}
          onChange={(event) => setKey(event.target.value)}
        />
        {refused && (
          <p id="key-refused" className="text-bad" role="alert">
            {API_KEY_DIALOG.keyRejected}
          </p>
        )}
        <button
          type="submit"
          className={clsx("button", !canSignIn && "button-primary")}
          disabled={key.trim() === ""}
        >
          {API_KEY_DIALOG.continue}
        </button>
      </form>
    </dialog>
  );
}
