/** The position inside a step that an address names: an item of its list, a turn of its loop. */
import { type RefObject, useEffect, useRef } from "react";
import type { StepView } from "../api/api-types.ts";
import { HISTORY_FIELD, OLD_HISTORY_FIELD } from "../plan/history-fields.ts";
import { useSearchField } from "../router/use-route.ts";
import { STEP_PLACE } from "./step-words.ts";

/** Space above the element that is scrolled to. */
const ROOM_PX = 12;

export type StepPlace = {
  readonly item?: number | undefined;
  readonly turn?: number | undefined;
  /** Why the position in the address does not exist. */
  readonly problem?: string;
};

type Named = { readonly item?: string | undefined; readonly turn?: string | undefined };
type Placed = Pick<StepView, "forEach" | "items" | "turns">;

/** Maximum length of text from the address in that message. */
const SAID_CHARS_MAX = 30;

/** @param named - The value in the address, which can be anything. */
export function placeIn(step: Placed, named: Named): StepPlace {
  const { items = [] } = step;
  if (named.item === undefined) return named.turn === undefined ? {} : turnIn(step, named.turn);
  if (step.forEach === undefined) return { problem: STEP_PLACE.noItems(said(named.item)) };
  const item = items.find((one) => String(one.item) === named.item);
  if (item === undefined) {
    const has = rangeOf(
      "items",
      items.map((one) => one.item),
    );
    return { problem: STEP_PLACE.noSuchItem(said(named.item), has) };
  }
  if (named.turn === undefined) return { item: item.item };
  return { item: item.item, ...turnAmong(item.turns, named.turn, STEP_PLACE.item(item.item)) };
}

function turnIn({ forEach, turns }: Placed, named: string): StepPlace {
  if (forEach !== undefined) return { problem: STEP_PLACE.selectItem(said(named)) };
  return turnAmong(turns, named, STEP_PLACE.thisStep);
}

function turnAmong(turns: StepView["turns"] = [], named: string, owner: string): StepPlace {
  const found = turns.find(({ turn }) => String(turn) === named);
  if (found !== undefined) return { turn: found.turn };
  const has = rangeOf("turns", turnNumbers(turns));
  return { problem: STEP_PLACE.noSuchTurn(owner, said(named), has) };
}

/** The calls of one turn share its number. */
export function turnNumbers(turns: NonNullable<StepView["turns"]>): readonly number[] {
  return [...new Set(turns.map(({ turn }) => turn))];
}

function rangeOf(what: string, numbers: readonly number[]): string {
  const [first] = numbers;
  if (first === undefined) return `no ${what}`;
  return numbers.length === 1 ? `only ${first}` : `${what} ${first} to ${numbers.at(-1)}`;
}

function said(text: string): string {
  const short = text.length > SAID_CHARS_MAX ? `${text.slice(0, SAID_CHARS_MAX)}…` : text;
  return /^\d+$/.test(text) ? short : `“${short}”`;
}

/** The address fields that links into the plan keep: its tab, and its event in the history. */
const KEPT = ["tab", HISTORY_FIELD, OLD_HISTORY_FIELD];

/** The query of an address that leads to a step, or to a position inside it. */
export function searchTo(
  search: string,
  to: { readonly step: string } & Pick<StepPlace, "item" | "turn">,
): string {
  const here = new URLSearchParams(search);
  const fields = new URLSearchParams();
  for (const name of KEPT) {
    const value = here.get(name);
    if (value !== null) fields.set(name, value);
  }
  fields.set("step", to.step);
  if (to.item !== undefined) fields.set("item", String(to.item));
  if (to.turn !== undefined) fields.set("turn", String(to.turn));
  return `?${fields}`;
}

/** The position inside the step that the address names. */
export function useStepPlace(step: StepView): StepPlace {
  const [item] = useSearchField("item");
  const [turn] = useSearchField("turn");
  return placeIn(step, { item, turn });
}

/** @returns The ref for the element that the drawer scrolls to once the address names it. */
export function useScrolledTo<Place extends HTMLElement>(isPlace: boolean): RefObject<Place | null> {
  const place = useRef<Place>(null);
  useEffect(() => {
    const drawer = place.current?.closest('[data-part="drawer-body"]');
    if (!isPlace || !drawer || place.current === null) return;
    const { top } = place.current.getBoundingClientRect();
    drawer.scrollBy({ top: top - drawer.getBoundingClientRect().top - ROOM_PX, behavior: "instant" });
  }, [isPlace]);
  return place;
}
