/** Policies and jobs themselves: failures out of the way, several workers, what is given up and taken up again. */

import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runJobs } from '../../commands/core/jobRunner.ts';
import { defineJob, type JobDefinition, parkedJobs, retryParkedJobs } from '../../commands/core/jobs.ts';
import { policy, policyRetry } from '../../commands/core/policy.ts';
import { runPolicies } from '../../commands/core/policyRunner.ts';
import { inventory } from '../../domain/catalog/inventory.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { loadCheckpoint } from '../../eventstore/checkpoints.ts';
import { contextOf } from '../kit/context.ts';
import { freshStores } from '../kit/stores.ts';
import { until } from '../kit/until.ts';
import { createStage, type Stage } from './stage.ts';

let stage: Stage;
let stopping: AbortController;
let running: Promise<void>[];
beforeEach(async () => {
  stage = await createStage(await freshStores({ amongOthers: true }));
  stopping = new AbortController();
  running = [];
});
afterEach(async () => {
  stopping.abort();
  await Promise.all(running);
});

const cause = { correlationId: 'test' };
const now = () => new Date().toISOString();
const runs = (...jobs: JobDefinition<never>[]) => running.push(runJobs(stage.newNode(), jobs, stopping.signal));
const change = (item: string, capacity: number) =>
  stage.node.aggregates.handle(inventory, item, { type: 'SetCapacity', capacity }, contextOf('system'));

it('an event whose handler fails is retried by a job and does not block others', async () => {
  const [bad, good] = [randomUUID(), randomUUID()];
  const seen: string[] = [];
  let failures = 0;
  const watching = policy('watching', {
    CapacitySet: async ({ streamId, data }) => {
      if (streamId === bad && failures < 2) {
        failures += 1;
        throw new Error('not yet');
      }
      seen.push(`${streamId} ${data.capacity}`);
    },
  });
  const retry = policyRetry([watching]);
  await change(bad, 1);
  await change(good, 2);
  running.push(runPolicies(stage.newNode(), [watching], retry, stopping.signal));
  await until(() => seen.includes(`${good} 2`));
  expect(seen).not.toContain(`${bad} 1`);
  runs(retry);
  await until(() => seen.includes(`${bad} 1`));
  expect(failures).toBe(2);
  // It is saved after the handlers have ended.
  await until(() => loadCheckpoint(stage.node.pool, 'policy:watching'));
});

it('an event that cannot be read is left to a job, and does not block others', async () => {
  const [bad, good] = [randomUUID(), randomUUID()];
  const seen: string[] = [];
  const watching = policy('watching', { CapacitySet: async ({ streamId }) => void seen.push(streamId) });
  await change(bad, 1);
  const [event] = await stage.node.store.read(`inventory-${bad}`);
  if (!event) throw new Error('an event');
  const { type, data, metadata } = event;
  const newer = { id: randomUUID(), type, data, metadata: { ...metadata, schema: 99 } };
  await stage.node.store.append(`inventory-${bad}`, [newer], 0n);
  await change(good, 2);
  const retry = policyRetry([watching]);
  running.push(runPolicies(stage.newNode(), [watching], retry, stopping.signal));
  await until(() => seen.includes(good));
  expect(seen.filter((id) => id === bad)).toHaveLength(1); // the readable event of the same stream
  const deferred = async () =>
    (await stage.node.pool.query('select last_error from ops.jobs where id = $1', [`watching:${newer.id}`])).rows;
  // Streams do not wait for each other: the job may be stored after the other event was handled.
  await until(async () => (await deferred()).length === 1);
  expect(await deferred()).toEqual([{ last_error: null }]);
  runs(retry);
  await until(async () => String((await deferred())[0]?.last_error).includes('newer than this program'));
});

it('one process runs a policy; another takes over where it stopped', async () => {
  const item = randomUUID();
  const seen: string[] = [];
  const watching = (who: string) =>
    policy('watching', {
      CapacitySet: async ({ streamId, data }) => {
        if (streamId === item) seen.push(`${who} ${data.capacity}`);
      },
    });
  const first = new AbortController();
  const retry = policyRetry([]);
  const one = runPolicies(stage.newNode(), [watching('one')], retry, first.signal);
  await change(item, 1);
  await until(() => seen.length === 1);
  running.push(runPolicies(stage.newNode(), [watching('two')], retry, stopping.signal));
  await change(item, 2);
  await until(() => seen.length === 2);
  first.abort();
  await one;
  await change(item, 3);
  await until(() => seen.length === 3);
  expect(seen).toEqual(['one 1', 'one 2', 'two 3']);
});

it('every job runs once, in any worker, when it is due and not before', async () => {
  const ran: string[] = [];
  let later = '';
  let wasDue: boolean | undefined;
  const noting = defineJob('noting', async ({ id }) => {
    if (id === 'later') wasDue = now() >= later;
    ran.push(id);
    return undefined;
  });
  runs(noting);
  runs(noting);
  const ids = Array.from({ length: 200 }, (_, n) => String(n));
  await Promise.all(ids.map((id) => noting.schedule(stage.node.pool, cause, { id, dueAt: now(), data: {} })));
  later = instantOf(Date.now() + 700);
  await noting.schedule(stage.node.pool, cause, { id: 'later', dueAt: later, data: {} });
  await until(() => ran.length >= 201);
  expect(ran.toSorted()).toEqual([...ids, 'later'].toSorted());
  expect(wasDue).toBe(true);
  await until(async () => (await stage.jobs()).length === 0);
  expect(ran).toHaveLength(201);
});

it('a job can be moved, cancelled, and ask to run again', async () => {
  const ran: number[] = [];
  const counting = defineJob<{ n: number }>('counting', async ({ data: { n } }) => {
    ran.push(n);
    return n < 0 && ran.length < 3 ? { againAt: now() } : undefined;
  });
  const set = (id: string, n: number, inMs: number) =>
    counting.schedule(stage.node.pool, cause, { id, dueAt: instantOf(Date.now() + inMs), data: { n } });
  await set('moved', 1, 60_000);
  await set('moved', -1, 0);
  await set('cancelled', 3, 0);
  await counting.cancel(stage.node.pool, 'cancelled');
  runs(counting);
  await until(async () => (await stage.jobs()).length === 0);
  expect(ran).toEqual([-1, -1, -1]);
});

it('a job that keeps failing is parked, listed, and retried on request', async () => {
  let works = false;
  const failing = defineJob('failing', async () => {
    if (!works) throw new Error('no luck');
    return undefined;
  });
  await failing.schedule(stage.node.pool, cause, { id: 'a', dueAt: now(), data: {} });
  await stage.node.pool.query('update ops.jobs set attempts = 34');
  runs(failing);
  await until(async () => (await parkedJobs(stage.node.pool)).length === 1);
  expect(await parkedJobs(stage.node.pool)).toMatchObject([
    { kind: 'failing', id: 'a', attempts: 35, last_error: 'no luck' },
  ]);
  works = true;
  expect(await retryParkedJobs(stage.node.pool)).toBe(1);
  await until(async () => (await stage.jobs()).length === 0);
});
