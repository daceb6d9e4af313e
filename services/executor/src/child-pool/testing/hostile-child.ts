/** A child for tests whose process runs an attacker's code, outside every sandbox inside it. */
import { serveCalls } from "../serve-calls.ts";
import { type AttackName, ATTACKS, Target } from "./attacks.ts";

serveCalls(async (request) => {
  const { attack, ...target } = Target.parse(request);
  return { got: String(await ATTACKS[attack satisfies AttackName](target)).slice(0, 200) };
});
