/** Days whose truth is known: skied ones, and what is no skiing. */
import { type Device, type Person, person } from './synthetic.ts';

const repeat = (times: number, of: (n: number) => unknown): void => {
  for (let n = 0; n < times; n += 1) of(n);
};
const day = (seed: number, of: (p: Person) => unknown) => (): Person => {
  const one = person({ seed });
  of(one);
  return one;
};

/** By their names. People go up and down with pauses as people make them, unless said otherwise. */
export const skiedDays = {
  'three rises of 360 m, without a pause': day(1, (p) => {
    p.stand(60);
    repeat(3, () => p.lift(360, { perS: 1, gradient: 0.25 }).run(360, 6, { turns: 0 }));
    p.stand(60);
  }),
  'eight runs on chairlifts, with stops': day(2, (p) => {
    p.stand(60);
    repeat(8, (n) => {
      const drop = 250 + 20 * n;
      p.lift(drop, { perS: 1.2 + 0.1 * n }).stand(30 + 5 * n);
      p.run(drop, 8 + 0.6 * n, { gradient: 0.18 + 0.02 * n, unsteady: true, stops: true }).stand(60 + 20 * n);
    });
  }),
  'fast runs and fast lifts': day(3, (p) =>
    repeat(6, () => p.stand(40).lift(300, { perS: 2 }).stand(25).run(300, 12, { unsteady: true })),
  ),
  'lunch on the way down': day(6, (p) => {
    p.stand(300).lift(500, { perS: 2 }).run(500, 13, { unsteady: true }).stand(120).lift(500).run(250, 10).stand(3_600);
    p.run(250, 10, { goesOn: true }).stand(60).lift(300).stand(10).run(300, 9, { stops: true }).stand(7_200);
  }),
  'two lifts to the top': day(7, (p) =>
    repeat(3, () => {
      p.stand(120).lift(400, { perS: 2 }).walk(60, { mPerS: 1 }).stand(150).lift(300, { heading: 1 }).stand(40);
      p.run(700, 12, { unsteady: true, stops: true });
    }),
  ),
  'up on foot, down on skis': day(8, (p) => p.climb(600).stand(600).run(600, 9, { unsteady: true, stops: true })),
  'by car to the lift, home, and dinner': day(15, (p) => {
    p.drive(20_000, { mPerS: 16, pass: 300 }).stand(400).walk(500).stand(200);
    repeat(2, () => p.lift(600, { perS: 2 }).stand(40).run(600, 11, { unsteady: true, stops: true }).stand(200));
    p.stand(200).walk(500).stand(600).drive(20_000, { mPerS: 16, pass: 200, down: 300 }).stand(5_400);
  }),
} as const;

/** Short ones, which a device that records once a minute misses. */
export const shortRuns = {
  'beginners on a drag lift': day(4, (p) => {
    p.stand(60);
    repeat(12, () =>
      p.lift(45, { perS: 0.35, gradient: 0.14 }).stand(30).run(45, 3.5, { gradient: 0.13, stops: true }).stand(40),
    );
  }),
  'a climb of 40 m within each run': day(5, (p) => {
    p.stand(60);
    repeat(4, () => p.lift(400).stand(20).run(400, 11, { bump: 40 }).stand(200));
  }),
} as const;

export const noSkiing = {
  'an hour at a table': day(9, (p) => p.stand(3_600)),
  'a flat walk of 5 km': day(10, (p) => p.walk(5_000)),
  'a jog of 10 km in flat country': day(11, (p) => p.walk(10_000, { mPerS: 3, hills: 12 })),
  'a jog over hills of 40 m': day(12, (p) => p.walk(10_000, { mPerS: 3, hills: 40 })),
  'a car over a pass of 800 m': day(13, (p) => p.drive(24_000, { pass: 800 })),
  'a car home, downhill': day(16, (p) => p.drive(20_000, { mPerS: 14, down: 900 }).stand(600)),
  'up by the gondola and down on foot': day(14, (p) => p.stand(60).lift(500).stand(300).walk(4_000, { down: 500 })),
} as const;

/** A usual phone or watch. */
export const USUAL: Device = { altitude: 2.5, altitudeDrift: 3, position: 3.5 };
/** One with a weak signal: every 250th altitude is wrong by up to 250 m, and once an hour all of some seconds are. */
export const WEAK: Device = { altitude: 5, altitudeDrift: 5, position: 6, outliers: 0.004, burstsAnHour: 1 };
