import { Link } from "../router/link.tsx";
import { docsHref } from "../ui/docs-href.ts";
import { Notice } from "../ui/notice.tsx";
import { EMPTY, type EmptyPlace, type EmptyWords } from "./empty-words.ts";

/** Describes what would appear in an empty place, and how to get it. */
export function EmptyState({ of, className }: { of: EmptyPlace; className?: string }) {
  const { icon, title, about }: EmptyWords = EMPTY[of];
  return (
    <Notice className={className} icon={icon} title={title}>
      <p>
        <About text={about} />
      </p>
      <EmptyLink of={of} />
    </Notice>
  );
}

/** Only the link, where there is no room for more. */
export function EmptyLink({ of }: { of: EmptyPlace }) {
  const { link }: EmptyWords = EMPTY[of];
  if (link.docs !== undefined) return <a href={docsHref(link.docs)}>{link.label}</a>;
  return (
    <Link className="button" href={link.page}>
      {link.label}
    </Link>
  );
}

function About({ text }: { text: string }) {
  // Every second part was between backticks.
  return text.split("`").map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
