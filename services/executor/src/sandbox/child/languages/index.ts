import type { GuestRequest } from "../../program.ts";
import type { GuestLanguage } from "./guest-language.ts";
import { JAVASCRIPT } from "./javascript.ts";

export const LANGUAGES: Readonly<Record<GuestRequest["language"], GuestLanguage>> = {
  javascript: JAVASCRIPT,
};
