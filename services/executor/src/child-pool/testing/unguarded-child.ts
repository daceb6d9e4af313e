/** A child for tests that has dropped no rights and has no Node permissions: only its surroundings restrict it. */
import { answerCalls } from "../serve-calls.ts";
import { ATTACKS, type AttackName, Target } from "./attacks.ts";
import { NATIVE_ATTACKS, type NativeAttackName, NativeTarget } from "./native-attacks.ts";

answerCalls(async (request) => {
  const native = NativeTarget.safeParse(request);
  if (native.success)
    return show(await NATIVE_ATTACKS[native.data.native satisfies NativeAttackName](native.data));
  const { attack, ...target } = Target.parse(request);
  return show(await ATTACKS[attack satisfies AttackName](target));
});

function show(got: unknown): { readonly got: string } {
  return { got: String(got).slice(0, 500) };
}
