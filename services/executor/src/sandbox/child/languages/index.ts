import type { GuestRequest } from "../../program.ts";
import type { GuestLanguage } from "./guest-language.ts";
import { JAVASCRIPT } from "./javascript.ts";
import { python } from "./python.ts";

/** The language of this program. */
export function languageOf({ language, image = "" }: GuestRequest): GuestLanguage {
  switch (language) {
    case "javascript":
      return JAVASCRIPT;
    case "python":
      return python(image);
    default:
      return language satisfies never;
  }
}
