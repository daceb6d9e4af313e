import { Icon } from "../ui/icons.tsx";
import { EXAMPLE_GOALS } from "./example-goals.ts";

export function ExampleGoals({ onPick }: { onPick: (goal: string) => void }) {
  return (
    <section className="examples" aria-label="Example goals">
      <h2>Examples</h2>
      <ul>
        {EXAMPLE_GOALS.map(({ goal, about, icon }) => (
          <li key={goal}>
            <button type="button" className="example card" onClick={() => onPick(goal)}>
              <Icon name={icon} size={18} />
              <span>
                <span className="example-goal">{goal}</span>
                <span className="example-about">{about}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
