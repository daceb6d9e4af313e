import { useSearchField } from "../router/use-route.ts";
import { Composer } from "../submit/composer.tsx";
import { Link } from "../router/link.tsx";
import { useServices } from "../shell/services.ts";
import { Loading } from "../ui/notice.tsx";
import { Problem } from "../ui/problem.tsx";
import { useLoaded } from "../ui/use-loaded.ts";
import { RERUN_COMPOSER } from "./rerun-words.ts";
import styles from "../submit/composer.module.css";

/** The start page: a new goal, or with `?rerun=` in the address, another plan's to edit and run again. */
export function Home() {
  const [planId] = useSearchField("rerun");
  return planId === undefined ? <Composer key="new" /> : <RerunComposer key={planId} planId={planId} />;
}

/** The form of a new goal, filled with what was submitted for another plan. */
function RerunComposer({ planId }: { planId: string }) {
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
