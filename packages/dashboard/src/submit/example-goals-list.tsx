import { Icon } from "../ui/icons.tsx";
import { EXAMPLE_GOALS } from "./example-goals.ts";
import { EXAMPLE_GOALS_LIST } from "./submit-words.ts";
import styles from "./example-goals.module.css";

export function ExampleGoals({ onPick }: { onPick: (goal: string) => void }) {
  return (
    <section className={styles.examples} aria-label={EXAMPLE_GOALS_LIST.exampleGoals}>
      <h2>{EXAMPLE_GOALS_LIST.examples}</h2>
      <ul>
        {EXAMPLE_GOALS.map(({ goal, about, icon }) => (
          <li key={goal}>
            <button type="button" className={`${styles.example} card`} onClick={() => onPick(goal)}>
              <Icon name={icon} size={18} />
              <span>
                <span className={styles.exampleGoal}>{goal}</span>
                <span className={styles.exampleAbout}>{about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
