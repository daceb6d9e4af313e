import { useId, useState } from "react";
import type { PlanView } from "../api/api-types.ts";
import { useAction } from "../api/use-action.ts";
import { useServices } from "../shell/services.ts";
import { useWhyNot } from "../sign-in/caller.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { FEEDBACK_CARD } from "./plan-words.ts";

const RATINGS = [1, 2, 3, 4, 5] as const;
const COMMENT_CHARS_MAX = 2_000;

/** The form for feedback on a finished plan. The latest feedback counts, and later drafts learn from it. */
export function FeedbackCard({ view, onDone }: { view: PlanView; onDone: () => void }) {
  const { gateway } = useServices();
  const { run, busy, error } = useAction(onDone);
  const { feedback } = view;
  const whyNot = useWhyNot("ratePlan");
  const [rating, setRating] = useState<number>();
  const [comment, setComment] = useState("");
  const ids = { group: useId(), comment: useId() };
  const chosen = rating ?? feedback?.rating;
  const send = () =>
    run(async (signal) => {
      if (rating === undefined) return;
      const said = comment.trim() === "" ? { rating } : { rating, comment: comment.trim() };
      await gateway.rate(view.planId, said, signal);
      setRating(undefined);
      setComment("");
    });
  return (
    <section className="flex flex-wrap items-center gap-x-4 gap-y-2 print:hidden" aria-labelledby={ids.group}>
      <fieldset
        className="flex items-center gap-1 border-0 p-0"
        disabled={whyNot !== undefined}
        title={whyNot}
      >
        <legend className="float-left mr-2 text-sm text-soft" id={ids.group}>
          {feedback === undefined ? FEEDBACK_CARD.rateThisPlan : FEEDBACK_CARD.yourRating}
        </legend>
        {RATINGS.map((value) => (
          <label
            key={value}
            className="relative cursor-pointer rounded-md px-0.5 text-xl leading-[1.4] text-line-strong focus-within:shadow-ring data-[chosen=true]:text-warn"
            data-chosen={chosen !== undefined && value <= chosen}
          >
            <input
              className="absolute inset-0 cursor-pointer opacity-0"
              type="radio"
              name={ids.group}
              checked={chosen === value}
              onChange={() => setRating(value)}
            />
            <span aria-hidden="true">★</span>
            <span className="visually-hidden">{FEEDBACK_CARD.of5(value)}</span>
          </label>
        ))}
      </fieldset>
      {rating !== undefined && (
        <div className="flex grow basis-80 gap-2">
          <label className="visually-hidden" htmlFor={ids.comment}>
            {FEEDBACK_CARD.comment}
          </label>
          <input
            id={ids.comment}
            className="field"
            maxLength={COMMENT_CHARS_MAX}
            placeholder={FEEDBACK_CARD.commentHint}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <Button kind="primary" disabled={busy} onClick={() => void send()}>
            {FEEDBACK_CARD.sendRating}
          </Button>
        </div>
      )}
      {rating === undefined && feedback?.comment !== undefined && <p>{feedback.comment}</p>}
      {error !== undefined && <Problem error={error} />}
    </section>
  );
}
