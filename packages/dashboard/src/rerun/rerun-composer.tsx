import { Link } from "../router/link.tsx";
import { useServices } from "../shell/services.ts";
import { Composer } from "../submit/composer.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/problem.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { RERUN_COMPOSER } from "./rerun-words.ts";
import styles from "../submit/composer.module.css";

/** The form of a new goal, filled with what was submitted for another plan. */
export function RerunComposer({ planId }: { planId: string }) {
  const { gateway } = useServices();
  const loaded = useLoaded(`submission of ${planId}`, 0, (signal) => gateway.submission(planId, signal));
  if (loaded.phase === "loading")
    return <Loading className="page-loading" what={RERUN_COMPOSER.loadingSubmission} />;
  if (loaded.phase === "ready") return <Composer origin={{ planId, submission: loaded.value }} />;
  return (
    <section className={styles.composer}>
      <Problem error={loaded.error} again={loaded.again} />
      <Link href="/">{RERUN_COMPOSER.newGoal}</Link>
    </section>
  );
}
