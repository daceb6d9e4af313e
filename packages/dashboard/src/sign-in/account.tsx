import { useAction } from "../api/use-action.ts";
import { useKeys } from "../keys/use-keys.ts";
import { useServices } from "../shell/services.ts";
import { useCaller } from "./caller.ts";
import { ACCOUNT } from "./sign-in-words.ts";
import styles from "./account.module.css";

/** The name and role of the user, and a button to sign out. Empty where the gateway needs no credentials. */
export function Account() {
  const caller = useCaller();
  const { gateway, apiKey, signIn } = useServices();
  const { run, busy, error } = useAction(() => undefined);
  const credential = caller?.credential ?? "none";
  const signOut = () =>
    void run(async (signal) => {
      if (credential !== "session") apiKey.forget();
      signIn.ended(credential === "session" ? (await gateway.signOut(signal)).url : undefined);
    });
  useKeys(credential === "none" ? [] : [{ label: ACCOUNT.signOut, group: "everywhere", run: signOut }]);
  if (caller === undefined || credential === "none") return null;
  const { identity = caller.tenant, name = identity, role } = caller;
  return (
    <span className={styles.account}>
      <span className={styles.accountName} data-testid="account" title={`${identity}, ${role}`}>
        <span className="visually-hidden">{ACCOUNT.signedInAs} </span>
        {name} <span className={styles.accountRole}>{role}</span>
      </span>
      {error !== undefined && <span role="alert">{error.message}</span>}
      <button type="button" className="button button-quiet" disabled={busy} onClick={signOut}>
        {ACCOUNT.signOut}
      </button>
    </span>
  );
}
