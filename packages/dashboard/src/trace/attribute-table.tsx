import clsx from "clsx";
import { useState } from "react";
import type { SpanAttributes } from "../api/api-types.ts";
import { ATTRIBUTE_TABLE } from "./trace-words.ts";
import { COMMON } from "../ui/ui-words.ts";
import { Chip } from "./chip.tsx";

const ROWS_SHOWN = 60;
const CHARS_SHOWN = 400;
const CHARS_MAX = 20_000;

const CELL = "border-b border-line py-0.75 pr-2 pl-0 text-left align-top whitespace-pre-wrap";

/** Names and values. A long value is truncated until the reader expands it. */
export function AttributeTable({ attributes }: { attributes: SpanAttributes }) {
  const pairs = Object.entries(attributes).toSorted(([left], [right]) => left.localeCompare(right));
  if (pairs.length === 0) return <p className="text-faint">{ATTRIBUTE_TABLE.none}</p>;
  return (
    <>
      <table className="w-full border-collapse text-xs">
        <tbody>
          {pairs.slice(0, ROWS_SHOWN).map(([name, value]) => (
            <tr key={name}>
              <th className={clsx(CELL, "w-2/5 font-normal text-soft")} scope="row">
                {name}
              </th>
              <td className={clsx(CELL, "font-mono")}>
                <Value text={typeof value === "string" ? value : JSON.stringify(value)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {pairs.length > ROWS_SHOWN && <p className="text-faint">{COMMON.andMore(pairs.length - ROWS_SHOWN)}</p>}
    </>
  );
}

function Value({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  if (text.length <= CHARS_SHOWN) return text;
  return (
    <>
      {text.slice(0, all ? CHARS_MAX : CHARS_SHOWN)}
      {all ? (
        text.length > CHARS_MAX && ATTRIBUTE_TABLE.moreCharacters(text.length - CHARS_MAX)
      ) : (
        <Chip onClick={() => setAll(true)}>{ATTRIBUTE_TABLE.more(text.length - CHARS_SHOWN)}</Chip>
      )}
    </>
  );
}
