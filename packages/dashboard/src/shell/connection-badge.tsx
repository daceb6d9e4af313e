import type { ConnectionState } from "@planwright/client";
import { useStore } from "../ui/create-store.ts";
import { useServices } from "./services.ts";
import styles from "./top-bar.module.css";

const WORDS: Readonly<Record<ConnectionState, string>> = {
  idle: "",
  connecting: "Connecting…",
  open: "Live",
  reconnecting: "Reconnecting…",
};

/** Whether what is shown is live. Nothing is said while nothing is watched. */
export function ConnectionBadge() {
  const { live } = useServices();
  const connection = useStore(live.connection);
  return (
    <span className={styles.connection} data-connection={connection} title={WORDS[connection]} role="status">
      {WORDS[connection]}
    </span>
  );
}
