import { type FormEvent, useEffect, useRef, useState } from "react";
import { useStore } from "../ui/create-store.ts";
import { useServices } from "./services.ts";

/** Asks for the API key when the gateway wants one. */
export function ApiKeyDialog() {
  const { apiKey, live } = useServices();
  const { open, refused } = useStore(apiKey.prompt);
  const dialog = useRef<HTMLDialogElement>(null);
  const [key, setKey] = useState("");
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
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
      className="key-dialog"
      aria-labelledby="key-title"
      onCancel={(event) => event.preventDefault()}
    >
      <form onSubmit={submit}>
        <h2 id="key-title">This gateway asks for an API key</h2>
        <p>It is kept for this tab only, until the tab is closed.</p>
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
          <p id="key-refused" className="key-refused" role="alert">
            The gateway does not accept that key.
          </p>
        )}
        <button type="submit" className="button button-primary" disabled={key.trim() === ""}>
          Continue
        </button>
      </form>
    </dialog>
  );
}
