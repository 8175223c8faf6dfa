/** Calls on the real stores: several at once, crashes between two streams, and deadlines at times of our choosing. */

import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { acceptCall, endCall, placeCall, rejectCall } from '../../commands/calls/calls.ts';
import { callDeadline, SILENCE_MS } from '../../commands/calls/deadline.ts';
import { recordHeartbeat } from '../../commands/calls/heartbeats.ts';
import { callOnLine } from '../../commands/calls/lines.ts';
import { callPolicy } from '../../commands/calls/policy.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { ClaimedJob } from '../../commands/core/jobClaims.ts';
import { runJob } from '../../commands/core/jobRunner.ts';
import { block } from '../../commands/friends/friends.ts';
import { call, LONGEST_CALL_MS, RING_MS } from '../../domain/calls/call.ts';
import { line } from '../../domain/calls/line.ts';
import { instantOf } from '../../domain/core/instants.ts';
import { newPhone } from '../accounts/sms.ts';
import { contextOf } from '../kit/context.ts';
import { type Node, testDeps } from '../kit/deps.ts';
import { happened } from '../kit/projected.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

const START = Date.now();
const at = (ms: number) => instantOf(START + ms);

let stores: Stores;
let nodes: readonly Node[];
let people: string[];
beforeAll(async () => {
  stores = await freshStores();
  nodes = [testDeps(stores), testDeps(stores)];
});

const nodeOf = (n: number): Node => nodes[n % nodes.length] as Node;
const open = async () => {
  const input = { role: 'tourist', phone: newPhone() } as const;
  return (await openAccount(nodeOf(0), contextOf(randomUUID()), input)).accountId;
};
beforeEach(async () => {
  people = [await open(), await open(), await open()].sort();
});

/** A request of one person, made just now by a process. */
const by = (person: string, ms = 0): CommandContext => ({
  ...contextOf(person, 'tourist', at(ms)),
  isFirstAttempt: true,
});
const dial = (n: number, caller: string, callee: string, context = by(caller), sessionId = randomUUID()) =>
  placeCall(nodeOf(n), context, { callerId: caller, calleeId: callee, kind: 'audio', sessionId });
const lineOf = async (person = '') => (await nodeOf(1).aggregates.load(line, person)).state?.callId ?? null;
const callOf = async (callId: string) => (await nodeOf(1).aggregates.load(call, callId)).state;

/** Runs the deadline of a call as if it were so late. @returns when it runs again */
const deadline = async (callId: string, ms: number): Promise<string | undefined> => {
  const { rows } = await stores.pool.query<ClaimedJob>(
    `update ops.jobs set run_at = now() + interval '1 minute', claimed_until = now() + interval '1 minute',
       claim = gen_random_uuid(), due_at = $2 where kind = 'call_deadline' and id = $1
     returning kind, id, due_at, claim, data, correlation_id, attempts`,
    [callId, at(ms)],
  );
  const [job] = rows;
  if (!job) throw new Error('no deadline is set');
  const deps = { ...nodeOf(1), now: () => at(ms) };
  await runJob(deps, new Map([[callDeadline.kind, callDeadline as never]]), job);
  const left = await stores.pool.query<{ run_at: string; last_error: string | null }>(
    `select run_at, last_error from ops.jobs where kind = 'call_deadline' and id = $1`,
    [callId],
  );
  expect(left.rows[0]?.last_error ?? null).toBeNull();
  return left.rows[0]?.run_at;
};

describe('two who call each other at once', () => {
  it.each(['both before the other is known', 'a moment apart'])('get one call, which is answered: %s', async (how) => {
    for (let round = 0; round < 5; round += 1) {
      const [a = '', b = ''] = how === 'a moment apart' ? people.toReversed() : people;
      const first = dial(0, a, b);
      if (how === 'a moment apart') await first;
      const [one, other] = await Promise.all([first, dial(1, b, a)]);
      expect(other.callId).toBe(one.callId);
      expect([one.isNew, other.isNew].toSorted()).toEqual([false, true]);
      expect((await callOf(one.callId)).status).toBe('accepted');
      expect([await lineOf(a), await lineOf(b)]).toEqual([one.callId, one.callId]);
      await endCall(nodeOf(round), by(a), one.callId, { by: a, reason: 'hung_up' });
      expect([await lineOf(a), await lineOf(b)]).toEqual([null, null]);
    }
  });

  it('three who call each other in a circle leave nobody in two calls', async () => {
    const [a = '', b = '', c = ''] = people;
    const placed = await Promise.allSettled([dial(0, a, b), dial(1, b, c), dial(0, c, a)]);
    const on = new Map<string, number>();
    for (const one of placed) {
      if (one.status === 'rejected') {
        expect(one.reason).toMatchObject({ code: 'in_call' });
        continue;
      }
      const { state } = one.value;
      if (state.status !== 'ringing') continue;
      for (const person of [state.callerId, state.calleeId]) on.set(person, (on.get(person) ?? 0) + 1);
    }
    expect([...on.values()].every((count) => count === 1)).toBe(true);
  });
});

describe('a call', () => {
  it('rings, is answered by one device, and ends; then both are free', async () => {
    const [a = '', b = ''] = people;
    const { callId, state } = await dial(0, a, b);
    expect(state).toMatchObject({ status: 'ringing', callerId: a, calleeId: b });
    const [phone, laptop] = [randomUUID(), randomUUID()];
    const answers = await Promise.allSettled(
      [phone, laptop].map((sessionId, n) => acceptCall(nodeOf(n), by(b), callId, { by: b, sessionId })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(answers.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: { code: 'answered_elsewhere' },
    });
    await endCall(nodeOf(0), by(b), callId, { by: b, reason: 'failed' });
    expect((await callOf(callId)).status).toBe('failed');
    expect((await dial(1, b, a)).state.status).toBe('ringing');
  });

  it('of a person in a call is busy, and the person cannot call others', async () => {
    const [a = '', b = '', c = ''] = people;
    const { callId } = await dial(0, c, b);
    const refused = await dial(1, a, b);
    expect(refused.state.status).toBe('busy');
    expect(await lineOf(a)).toBeNull();
    await expect(dial(0, b, a)).rejects.toMatchObject({ code: 'in_call', facts: { call_id: callId } });
    await rejectCall(nodeOf(1), by(b), callId, b);
    expect((await dial(1, a, b)).state.status).toBe('ringing');
  });

  it('is the same when it is placed again, by the same command or another one', async () => {
    const [a = '', b = ''] = people;
    const context = by(a);
    const { callId } = await dial(0, a, b, context);
    expect(await dial(1, a, b, { ...context, isFirstAttempt: false })).toMatchObject({ callId });
    expect(await dial(1, a, b)).toMatchObject({ callId, isNew: false, state: { status: 'ringing' } });
    await endCall(nodeOf(0), by(a), callId, { by: a, reason: 'hung_up' });
    expect(await dial(1, a, b, { ...context, isFirstAttempt: false })).toMatchObject({
      callId,
      state: { status: 'missed' },
    });
    expect(await lineOf(a)).toBeNull();
  });

  it('between two of whom one has blocked the other seems busy, and takes no line', async () => {
    const [a = '', b = ''] = people;
    await block(nodeOf(0), by(b), { by: b, other: a });
    for (const [caller, callee] of [
      [a, b],
      [b, a],
    ] as const) {
      const { callId, state } = await dial(1, caller, callee);
      expect(state.status).toBe('busy');
      expect(await stores.store.read(`call-${callId}`)).toMatchObject([{ data: { isHidden: true } }]);
    }
    expect([await lineOf(a), await lineOf(b)]).toEqual([null, null]);
  });

  it('with somebody who has blocked the caller is refused like any other while the caller is in one', async () => {
    const [a = '', b = '', c = ''] = people;
    await block(nodeOf(0), by(b), { by: b, other: a });
    const { callId } = await dial(0, a, c);
    await expect(dial(1, a, b)).rejects.toMatchObject({ code: 'in_call' });
    await endCall(nodeOf(0), by(a), callId, { by: a, reason: 'hung_up' });
  });

  it('ends when one of the two blocks the other, and not with a block of somebody else', async () => {
    const [a = '', b = '', c = ''] = people;
    const { callId } = await dial(0, a, b);
    await acceptCall(nodeOf(1), by(b), callId, { by: b, sessionId: randomUUID() });
    const blockedBy = async (person: string, other: string, status: string) => {
      const event = happened(
        'friendship',
        randomUUID(),
        { type: 'PersonBlocked', data: { by: person, other } } as const,
        at(0),
      );
      await callPolicy.handlers.get('PersonBlocked')?.(event as never, { deps: nodeOf(1), context: by(person) });
      expect((await callOf(callId)).status).toBe(status);
    };
    await blockedBy(a, c, 'accepted');
    await blockedBy(c, b, 'accepted');
    await blockedBy(b, a, 'ended');
    expect(await lineOf(a)).toBeNull();
  });

  it.each(['caller', 'callee'] as const)('that began while it was blocked by the %s stops ringing', async (who) => {
    const [a = '', b = ''] = people;
    const { callId, state } = await dial(0, a, b);
    const started = happened(
      'call',
      callId,
      { type: 'CallStarted', data: { callerId: a, calleeId: b, kind: 'audio' } } as const,
      at(0),
    );
    const handle = async () =>
      callPolicy.handlers.get('CallStarted')?.(started as never, { deps: nodeOf(1), context: by(b) });
    await handle();
    expect([state.status, (await callOf(callId)).status]).toEqual(['ringing', 'ringing']);
    // Nothing follows the block: the lines were not taken yet when its turn came.
    await block(nodeOf(0), by(a), who === 'caller' ? { by: a, other: b } : { by: b, other: a });
    for (let n = 0; n < 2; n += 1) await handle();
    expect((await callOf(callId)).status).toBe('rejected');
    expect([await lineOf(a), await lineOf(b)]).toEqual([null, null]);
  });

  it('cannot be placed to oneself or to nobody', async () => {
    const [a = ''] = people;
    await expect(dial(0, a, a)).rejects.toMatchObject({ code: 'invalid' });
    await expect(dial(0, a, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the deadline', () => {
  it('ends a call that nobody answers, once it has rung for 45 s', async () => {
    const [a = '', b = ''] = people;
    const { callId } = await dial(0, a, b);
    const { rows } = await stores.pool.query('select due_at from ops.jobs where id = $1', [callId]);
    expect(rows).toEqual([{ due_at: at(RING_MS) }]);
    expect(await deadline(callId, RING_MS)).toBeUndefined();
    expect((await callOf(callId)).status).toBe('missed');
    expect([await lineOf(a), await lineOf(b)]).toEqual([null, null]);
  });

  it('frees lines that a process took before it ended', async () => {
    const [a = '', b = ''] = people;
    const failing = {
      ...nodeOf(0),
      aggregates: {
        ...nodeOf(0).aggregates,
        handle: ((decider: { category: string }, ...rest: [never, never, never]) => {
          if (decider.category === 'call') throw new Error('the process ends here');
          return nodeOf(0).aggregates.handle(decider as never, ...rest);
        }) as never,
      },
    };
    const context = by(a);
    const sessionId = randomUUID();
    const request = { callerId: a, calleeId: b, kind: 'audio', sessionId } as const;
    await expect(placeCall(failing, context, request)).rejects.toThrow('ends here');
    const left = await lineOf(b);
    expect(left).not.toBeNull();
    expect(await deadline(String(left), RING_MS)).toBeUndefined();
    expect([await lineOf(a), await lineOf(b)]).toEqual([null, null]);
  });

  it('a line whose call is over is free, although nobody has freed it', async () => {
    const [a = '', b = '', c = ''] = people;
    const { callId } = await dial(0, a, b);
    await nodeOf(0).aggregates.handle(call, callId, { type: 'MissCall' }, by(a));
    expect(await lineOf(b)).toBe(callId);
    expect(await callOnLine(nodeOf(1), b)).toBeNull();
    expect((await dial(1, c, b)).state.status).toBe('ringing');
  });

  const answered = async () => {
    const [a = '', b = ''] = people;
    const { callId } = await dial(0, a, b);
    await acceptCall(nodeOf(1), by(b), callId, { by: b, sessionId: randomUUID() });
    return { a, b, callId };
  };

  it('leaves a call alone that sends no heartbeats, for four hours', async () => {
    const { callId } = await answered();
    expect(await deadline(callId, SILENCE_MS)).toBe(at(2 * SILENCE_MS));
    expect(await deadline(callId, LONGEST_CALL_MS - 1_000)).toBe(at(LONGEST_CALL_MS));
    expect((await callOf(callId)).status).toBe('accepted');
    expect(await deadline(callId, LONGEST_CALL_MS)).toBeUndefined();
    expect((await callOf(callId)).status).toBe('ended');
  });

  it('ends a call two minutes after the last heartbeat of either', async () => {
    const { a, b, callId } = await answered();
    await recordHeartbeat(nodeOf(0), callId, { by: a, at: at(60_000) });
    await recordHeartbeat(nodeOf(1), callId, { by: b, at: at(90_000) });
    await recordHeartbeat(nodeOf(1), callId, { by: a, at: at(30_000) }); // late
    expect(await deadline(callId, SILENCE_MS)).toBe(at(90_000 + SILENCE_MS));
    expect(await deadline(callId, 90_000 + SILENCE_MS)).toBeUndefined();
    expect([(await callOf(callId)).status, await lineOf(a)]).toEqual(['ended', null]);
    await expect(recordHeartbeat(nodeOf(0), callId, { by: people[2] ?? '', at: at(0) })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('counts from now on when the process that recorded the answer ended before it said when', async () => {
    const [a = '', b = ''] = people;
    const { callId } = await dial(0, a, b);
    await nodeOf(0).aggregates.handle(call, callId, { type: 'AcceptCall', by: b, sessionId: randomUUID() }, by(b));
    await deadline(callId, RING_MS);
    expect(await deadline(callId, RING_MS + LONGEST_CALL_MS)).toBeUndefined();
    expect((await callOf(callId)).status).toBe('ended');
  });
});
