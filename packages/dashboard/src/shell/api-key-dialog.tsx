import { type FormEvent, useEffect, useRef, useState } from "react";
import { useStore } from "../ui/create-store.ts";
import { useServices } from "./services.ts";
import styles from "./api-key-dialog.module.css";

/** Asks users to sign in, or for an API key, when the gateway wants to know who they are. */
export function ApiKeyDialog() {
  const { apiKey, live, signIn } = useServices();
  const canSignIn = useStore(signIn.path) !== undefined;
  const { open, refused } = useStore(apiKey.prompt);
  const dialog = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState("");
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  const beginSignIn = () => {
    // A key that was refused would be sent instead of the session.
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
      className={styles.keyDialog}
      aria-labelledby="key-title"
      onCancel={(event) => event.preventDefault()}
    >
      <form onSubmit={submit}>
        <h2 id="key-title">{canSignIn ? "Sign in to Planwright" : "Enter your API key"}</h2>
        {canSignIn && (
          <>
            <button type="button" className="button button-primary" onClick={beginSignIn}>
              Sign in
            </button>
            <p>Or use an API key:</p>
          </>
        )}
        <p>Planwright&apos;s tabs in this browser share the key until you close them or sign out.</p>
        <label className="visually-hidden" htmlFor="api-key">
          API key
        </label>
        <input
          id="api-key"
          className="field mono"
          type="password"
          autoComplete="off"
          required
          placeholder="API key"
          value={key}
          aria-invalid={refused}
          aria-describedby={refused ? "key-refused" : undefined}
          onChange={(event) => setKey(event.target.value)}
        />
        {refused && (
          <p id="key-refused" className={styles.keyRefused} role="alert">
            The gateway rejected this key.
          </p>
        )}
        <button
          type="submit"
          className={`button ${canSignIn ? "" : "button-primary"}`}
          disabled={key.trim() === ""}
        >
          Continue
        </button>
      </form>
    </dialog>
  );
}
