// Services die before and after some of their publishes, acknowledgements and effects, another choice in each run,
// while plans of every kind run. All points: kill-points.full.test.ts.
import { SERVICE_NAMES, seededRandom } from "@planwright/testkit";
import { expect, it } from "vitest";
import { commonPoints } from "../support/fault-point-groups.ts";
import { faultyStage } from "../support/faulty-stage.ts";
import { letAllDie } from "../support/let-die.ts";

const stage = await faultyStage();

/** Of each service. */
const DEATHS = 2;

it("keeps every promise when each service dies before or after a publish, an acknowledgement or an effect", async () => {
  const random = seededRandom("kill points");
  const deaths = SERVICE_NAMES.flatMap((name) => {
    return random
      .shuffle(commonPoints(name))
      .slice(0, DEATHS)
      .map((point) => ({ name, point, passage: 1 }));
  });
  console.log(deaths.map(({ point }) => point).join(", "));
  const { faulty } = stage;
  const broken = await faulty.during((signal) => letAllDie(faulty.system, deaths, signal));
  expect(broken).toEqual([]);
});
