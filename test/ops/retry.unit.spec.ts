import { getEventListeners } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { linkSignals, sleep } from '../../infra/retry.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a wait ends with the first of its signals', async () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const waiting = sleep(60_000, one.signal, two.signal);
  two.abort();
  await waiting;
  await sleep(60_000, one.signal, AbortSignal.abort());
});

it('waits leave nothing behind in a signal that lives as long as the process', async () => {
  const stopping = new AbortController();
  const wakes = async (count: number) => {
    for (let wake = 0; wake < count; wake += 1) await sleep(60_000, stopping.signal, AbortSignal.abort());
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = await wakes(2_000);
  expect((await wakes(20_000)) - before).toBeLessThan(20_000 * 500);
  expect(getEventListeners(stopping.signal, 'abort')).toEqual([]);
});

it('linked signals fire together, also when one has fired before', () => {
  const [one, two] = [new AbortController(), new AbortController()];
  const { signal, end } = linkSignals(one.signal, two.signal);
  expect(signal.aborted).toBe(false);
  one.abort();
  expect(signal.aborted).toBe(true);
  expect(linkSignals(one.signal).signal.aborted).toBe(true);
  end();
  expect(getEventListeners(two.signal, 'abort')).toEqual([]);
});
