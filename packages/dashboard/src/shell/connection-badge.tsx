import { useStore } from "../ui/create-store.ts";
import { useServices } from "./services.ts";
import { CONNECTION_NAMES } from "./shell-words.ts";
import styles from "./top-bar.module.css";

/** Whether what is shown is live. Nothing is said while nothing is watched. */
export function ConnectionBadge() {
  const { live } = useServices();
  const connection = useStore(live.connection);
  return (
    <span
      className={styles.connection}
      data-connection={connection}
      title={CONNECTION_NAMES[connection]}
      role="status"
    >
      {CONNECTION_NAMES[connection]}
    </span>
  );
}
