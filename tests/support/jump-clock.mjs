// Preloaded into a service (`NODE_OPTIONS=--import …`): its clock jumps an hour ahead and back, for ever, or stands
// `CLOCK_OFFSET_MS` off.
import process from "node:process";

const HOUR_MS = 3_600_000;
const EVERY_MS = 400;
const fixed = process.env.CLOCK_OFFSET_MS;
const RealDate = Date;
const started = RealDate.now();

function offsetMs() {
  if (fixed !== undefined) return Number(fixed);
  return [0, HOUR_MS, -HOUR_MS][Math.floor((RealDate.now() - started) / EVERY_MS) % 3];
}

globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + offsetMs());
    else super(...args);
  }
  static now() {
    return RealDate.now() + offsetMs();
  }
};
