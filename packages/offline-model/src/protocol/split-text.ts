import type { Split } from "./reply.ts";

/** Cuts one piece of text into the contents of stream events; joined again they are the piece. */
export function splitText(piece: string, split: Split): readonly string[] {
  if (piece === "") return [];
  switch (split) {
    case "characters":
      return Array.from(piece);
    case "words":
    case "bytes":
      return piece.match(/\s*\S+|\s+$/g) ?? [piece];
    case "merged":
    case "pieces":
      return [piece];
    default:
      return split satisfies never;
  }
}

/** Four characters a token: the usual rule of thumb for English; never less than one token for some text. */
export function estimateTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
