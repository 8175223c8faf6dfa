/**
 * What commands cost, and what workers do because of them, when the history has grown as in `growth.system.spec.ts`. It takes
 * some minutes, and is only run by hand: `GROWTH=60,300 npx vitest run --project system test/growth/commands`.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { output } from '../../infra/output.ts';
import { caller } from '../kit/http.ts';
import { createMarks } from '../privacy/marks.ts';
import { createWriter } from '../privacy/writer.ts';
import { type CommandCost, measuringWriter } from './commandCosts.ts';
import { carryOut, makeSubjects } from './commands.ts';
import { addCopies, keepOriginals } from './copies.ts';
import { boundedCommands, notYetCommands } from './grows.ts';
import { described, type Growing, IS_BY_HAND, isMore, LARGE, LONG, SMALL, startGrowth } from './startGrowth.ts';

let growing: Growing;
beforeAll(async () => {
  if (IS_BY_HAND) growing = await startGrowth();
}, LONG.timeout);
afterAll(() => growing?.stop());

/** What has grown: what it is → in words. */
const grown = (small: readonly CommandCost[], large: readonly CommandCost[]): Map<string, string> => {
  expect(large.map(({ what }) => what)).toEqual(small.map(({ what }) => what));
  const found = new Map<string, string>();
  for (const [nth, after] of large.entries()) {
    const before = small[nth] as CommandCost;
    for (const side of ['api', 'worker'] as const)
      if (isMore(before[side], after[side])) {
        const what = `${after.what} ${side}`;
        found.set(what, `${what}: ${described(before[side])}; then ${described(after[side])}`);
      }
    if (after.events > before.events * 1.34 + 10)
      found.set(`${after.what} events`, `${after.what}: read ${before.events} events, then ${after.events}`);
  }
  return found;
};

it.runIf(IS_BY_HAND)('no command costs more when there is more that it is not about', LONG, async () => {
  const { address, writer, cast, plans, events, pool } = growing;
  const call = caller(address);
  const subjects = await makeSubjects({ ...writer, call, write: createWriter(call, createMarks()).write }, cast);
  const { quiet } = await growing.followHere();
  const measuring = measuringWriter(address, writer, { plans, counted: events.counted, quiet });
  const commands = async () => {
    await carryOut(measuring.writer, cast, subjects);
    return measuring.costs();
  };
  // What they have written is the newest then, and is copied.
  await commands();
  const tables = await keepOriginals(pool);
  await addCopies(pool, tables, 1, SMALL);
  const small = await commands();
  await addCopies(pool, tables, SMALL + 1, LARGE);
  // The worker also does things by the clock: what has grown is looked at twice.
  const [once, twice] = [grown(small, await commands()), grown(small, await commands())];
  const inBoth = [...once].filter(([what]) => twice.has(what));
  output.write([...new Map(inBoth).values()].join('\n'));
  const isKnown = (what: string) => [...boundedCommands, ...notYetCommands].some((each) => each.what.test(what));
  expect(inBoth.filter(([what]) => !isKnown(what)).map(([, found]) => found)).toEqual([]);
});
