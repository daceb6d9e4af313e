import type { StepView } from "../api/api-types.ts";
import { formatPercent } from "../ui/format.ts";
import { Icon, type IconName } from "../ui/icons.tsx";
import { STEP_REVIEWS } from "./step-words.ts";
import styles from "./step.module.css";

type Review = NonNullable<StepView["reviews"]>[number];

const LOOKS: Readonly<Record<Review["verdict"], { words: string; icon: IconName; tone: string }>> = {
  accepted: { words: "accepted", icon: "succeeded", tone: "ok" },
  rejected: { words: "rejected", icon: "failed", tone: "bad" },
  unjudged: { words: STEP_REVIEWS.notReviewed, icon: "alert", tone: "warn" },
};

/** What was said of the step's outputs, and which steps check it. */
export function StepReviews({ reviews }: { reviews: readonly Review[] }) {
  return (
    <ol className={styles.attempts} aria-label={STEP_REVIEWS.reviews}>
      {reviews.map((review, index) => {
        const { words, icon, tone } = LOOKS[review.verdict];
        const { score, confidence, issues, suggestion, message } = review;
        return (
          // Reviews are only added.
          <li key={index} className={`tone-${tone}`}>
            <p className={styles.attemptHead}>
              <Icon name={icon} size={14} />
              <strong>{STEP_REVIEWS.attempt(review.attempt)}</strong>
              <span>{words}</span>
              {score !== undefined && <span>{STEP_REVIEWS.scored(formatPercent(score))}</span>}
              {confidence !== undefined && <span>{STEP_REVIEWS.confidence(formatPercent(confidence))}</span>}
            </p>
            {issues.length > 0 && (
              <ul className={styles.bullets}>
                {issues.map((issue) => (
                  <li key={issue}>{issue}</li>
                ))}
              </ul>
            )}
            {suggestion !== "" && <p>{STEP_REVIEWS.suggested(suggestion)}</p>}
            {message !== undefined && <p>{message}</p>}
          </li>
        );
      })}
    </ol>
  );
}
