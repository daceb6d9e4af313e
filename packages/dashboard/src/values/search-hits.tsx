import type { Json } from "../api/api-types.ts";
import { Notice } from "../ui/notice.tsx";
import { SEARCH_HITS } from "./value-words.ts";
import styles from "./values.module.css";

/** What a search found: where, and the words around it. */
export function SearchHits({ hits }: { hits: readonly Json[] }) {
  if (hits.length === 0) return <Notice icon="search" title={SEARCH_HITS.noResults} />;
  return (
    <ol className={styles.hits}>
      {hits.map((hit, index) => {
        const { title, path, snippet } = asFields(hit);
        return (
          // Hits are a fixed list; two may be alike.
          <li key={index}>
            <strong>{title ?? path}</strong>
            {path !== undefined && <code>{path}</code>}
            <p>{snippet}</p>
          </li>
        );
      })}
    </ol>
  );
}

function asFields(hit: Json): { title?: string; path?: string; snippet?: string } {
  if (typeof hit !== "object" || hit === null || Array.isArray(hit))
    return { snippet: typeof hit === "string" ? hit : JSON.stringify(hit) };
  const fields: { title?: string; path?: string; snippet?: string } = {};
  for (const name of ["title", "path", "snippet"] as const) {
    const value = hit[name];
    if (typeof value === "string") fields[name] = value;
  }
  return fields;
}
