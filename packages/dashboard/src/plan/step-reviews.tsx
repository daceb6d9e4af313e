import type { StepView } from "../api/api-types.ts";
import { formatPercent } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import styles from "./step.module.css";

type Review = NonNullable<StepView["reviews"]>[number];

const LOOKS: Readonly<Record<Review["verdict"], { words: string; icon: IconName; tone: string }>> = {
  accepted: { words: "accepted", icon: "succeeded", tone: "ok" },
  rejected: { words: "rejected", icon: "failed", tone: "bad" },
  unjudged: { words: "not reviewed", icon: "alert", tone: "warn" },
};

/** What was said of the step's outputs, and which steps check it. */
export function StepReviews({ reviews }: { reviews: readonly Review[] }) {
  return (
    <ol className={styles.attempts} aria-label="Reviews">
      {reviews.map((review, index) => {
        const { words, icon, tone } = LOOKS[review.verdict];
        const { score, confidence, issues, suggestion, message } = review;
        return (
          // Reviews are only added.
          <li key={index} className={`tone-${tone}`}>
            <p className={styles.attemptHead}>
              <Icon name={icon} size={14} />
              <strong>Attempt {review.attempt}</strong>
              <span>{words}</span>
              {score !== undefined && <span>scored {formatPercent(score)}</span>}
              {confidence !== undefined && <span>the judge is {formatPercent(confidence)} sure</span>}
            </p>
            {issues.length > 0 && (
              <ul className={styles.bullets}>
                {issues.map((issue) => (
                  <li key={issue}>{issue}</li>
                ))}
              </ul>
            )}
            {suggestion !== "" && <p>Suggested: {suggestion}</p>}
            {message !== undefined && <p>{message}</p>}
          </li>
        );
      })}
    </ol>
  );
}
