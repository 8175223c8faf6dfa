/** SOS requests on the real stores: a log that is away, escalation at times of our choosing, erasure. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openAccount } from '../../commands/accounts/accounts.ts';
import { adminPolicy, allAdmins } from '../../commands/accounts/admins.ts';
import { type CommandContext, createAggregates } from '../../commands/core/handle.ts';
import { type ClaimedJob, untilNext } from '../../commands/core/jobClaims.ts';
import { runJob } from '../../commands/core/jobRunner.ts';
import { failingJobs, type JobDefinition } from '../../commands/core/jobs.ts';
import { handleEvents, policyRetry } from '../../commands/core/policy.ts';
import { sosAgain } from '../../commands/sos/askedAgain.ts';
import { rescuersOnDuty, setDuty } from '../../commands/sos/duty.ts';
import { endErased } from '../../commands/sos/erasure.ts';
import { ANSWER_MS, sosEscalation, textOf } from '../../commands/sos/escalation.ts';
import { sosInbox } from '../../commands/sos/inbox.ts';
import { sosNotifications } from '../../commands/sos/notifications.ts';
import { sosPolicy } from '../../commands/sos/policy.ts';
import {
  giveAllClear,
  reportSos,
  requestSos,
  type ShownIncident,
  SOS_LIMITS,
  stepSos,
} from '../../commands/sos/sos.ts';
import { account } from '../../domain/accounts/account.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { type SosReport, sos } from '../../domain/sos/incident.ts';
import { connectEventStore, StoreUnavailable } from '../../eventstore/client/index.ts';
import type { Pool } from '../../infra/postgres.ts';
import { freePort } from '../../ops/ports.ts';
import { contextOf } from '../kit/context.ts';
import { changed, type Node, testDeps } from '../kit/deps.ts';
import { freshStores, type Stores } from '../kit/stores.ts';

const START = Date.now();
const at = (ms: number) => instantOf(START + ms);
const position = { lat: 43.6781, lon: 40.2594, accuracy: 8, at: at(0) };
const report: SosReport = { positions: [position], battery: 41, message: 'avalanche, two people' };

let stores: Stores;
let node: Node;
let sent: string[];
beforeAll(async () => {
  stores = await freshStores();
});
beforeEach(async () => {
  await stores.pool.query('truncate ops.admins, ops.jobs, ops.sos_inbox');
  sent = [];
  node = testDeps(stores, { sms: { send: async (phone: string) => void sent.push(phone) } });
});

let phones = 0;
const open = async (role: 'tourist' | 'admin' = 'tourist') => {
  phones += 1;
  const phone = `+7999${String(1_000_000 + phones)}`;
  const { accountId } = await openAccount(node, contextOf(randomUUID()), { role, phone });
  return { id: accountId, phone };
};
/** A machine under load is no store that is away. */
const PATIENT = { ...SOS_LIMITS, logMs: 60_000, keepMs: 60_000 };
/** Asks for help. @param shown what the database shows of the person */
const asks = (
  deps: Node,
  context: CommandContext,
  personId: string,
  {
    said = report,
    shown = null,
    limits = PATIENT,
  }: { said?: SosReport; shown?: ShownIncident; limits?: typeof PATIENT } = {},
) =>
  requestSos(deps, context, { personId, report: said, shownIncident: async () => shown, rescuePhone: '112' }, limits);
const always = (accountId: string) => ({ accountId, from: null, until: null });
/** Has the policies handle everything in these streams. */
const follow = async (...streams: readonly string[]) => {
  for (const stream of streams)
    for (const policy of [adminPolicy, sosPolicy]) {
      const stored = await stores.store.read(stream);
      const events = await node.codec.decode<Recorded>(stored, new Set(policy.handlers.keys()));
      await handleEvents(node, policy as never, policyRetry([]), { events, unreadable: [] });
    }
};
/** Runs a job as if it were so late. @returns when it runs again; undefined: it is done */
const run = async (...given: Parameters<typeof ran>) => {
  const { last_error, run_at } = await ran(...given);
  expect(last_error).toBeNull();
  return run_at;
};
/** The same for a job that fails. @returns with what */
const failingRun = async (...given: Parameters<typeof ran>) => (await ran(...given)).last_error;
const ran = async (job: JobDefinition<never, never>, id: string, ms: number, deps: Node = node) => {
  const { rows } = await stores.pool.query<ClaimedJob>(
    `update ops.jobs set run_at = now() + interval '1 minute', claimed_until = now() + interval '1 minute',
       claim = gen_random_uuid(), due_at = $3 where kind = $1 and id = $2
     returning kind, id, due_at, claim, data, correlation_id, attempts`,
    [job.kind, id, at(ms)],
  );
  const [claimed] = rows;
  if (!claimed) throw new Error('no such job is set');
  await runJob({ ...deps, now: () => at(ms) }, new Map([[job.kind, job as never]]), claimed);
  const left = await stores.pool.query<{ run_at: string; last_error: string | null }>(
    'select run_at, last_error from ops.jobs where kind = $1 and id = $2',
    [job.kind, id],
  );
  return { last_error: left.rows[0]?.last_error ?? null, run_at: left.rows[0]?.run_at };
};

it('false alarms of one person are limited, requests are not', async () => {
  const personId = randomUUID();
  const limited = { ...node, settings: { ...node.settings, rateLimits: 0.2 } };
  const alarm = () =>
    asks(limited, contextOf(personId), personId, { said: { positions: [], battery: null, message: null } });
  const allClear = (incidentId: string) => giveAllClear(limited, contextOf(personId), { personId, incidentId });
  for (let n = 0; n < 2; n += 1) {
    const { incident, isNew } = await alarm();
    expect(isNew).toBe(true);
    await allClear(incident.incidentId);
    await allClear(incident.incidentId); // repeated, it counts once
  }
  const { incident } = await alarm();
  await expect(allClear(incident.incidentId)).rejects.toThrow('too many false alarms');
  expect(await alarm()).toMatchObject({ isNew: false, incident: { incidentId: incident.incidentId, status: 'new' } });
});

it('a repeated request, also from two devices at once, is one incident', async () => {
  const { id } = await open();
  const other = testDeps(stores);
  const asked = await Promise.all([node, other].map((one) => asks(one, contextOf(id), id)));
  expect(asked[1]?.incident.incidentId).toBe(asked[0]?.incident.incidentId);
  expect(asked.map(({ isNew }) => isNew).toSorted()).toEqual([false, true]);
  const types = (await stores.store.read(`sos-${id}`)).map(({ type }) => type);
  expect(types).toEqual(['SosRequested']);
});

it('coordinates, battery and message are not readable in the log, and gone with the key', async () => {
  const { id } = await open();
  await asks(node, contextOf(id), id);
  const stored = await stores.store.read(`sos-${id}`);
  expect(JSON.stringify(stored.map(({ data }) => data))).not.toMatch(/43\.6781|avalanche|"battery":41/);
  expect(await node.codec.decode(stored)).toMatchObject([{ data: { position, battery: 41 } }]);
  await stores.vault.erase(id);
  expect(await node.codec.decode(stored)).toMatchObject([
    { data: { position: null, battery: null, message: '[erased]' } },
  ]);
});

describe('while the log is away', () => {
  it('a request is kept, encrypted, and recorded later with its own time, once', async () => {
    const { id } = await open();
    const nowhere = connectEventStore(`esdb://127.0.0.1:${await freePort('127.0.0.1')}?tls=false`);
    const away = changed(node, { store: nowhere, aggregates: createAggregates(nowhere, node.codec) });
    const context = contextOf(id, 'tourist', at(0));
    const refused = await asks(away, context, id, { limits: { ...PATIENT, logMs: 1_500 } }).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      code: 'sos_delayed',
      message: 'Your request is kept, but rescuers do not see it yet. Call the rescue service now: 112.',
      facts: { incident_id: expect.any(String) },
    });
    const { incident_id: incidentId } = (refused as { facts: { incident_id: string } }).facts;
    const { rows } = await stores.pool.query('select id, account_id, request from ops.sos_inbox');
    expect(rows).toEqual([{ id: expect.any(String), account_id: id, request: expect.stringMatching(/^enc:/) }]);

    const handle = (async () => Promise.reject(new StoreUnavailable('still away'))) as never;
    const still = { ...node, aggregates: { ...node.aggregates, handle } };
    await stores.pool.query(`update ops.jobs set attempts = 1000 where kind = 'sos_inbox'`);
    const [{ id: entry }] = rows;
    expect(await failingRun(sosInbox, entry, 5_000, still)).toBe('still away');
    expect(await failingJobs(stores.pool, [sosInbox.kind])).toEqual([
      { kind: 'sos_inbox', count: 1, last_error: 'still away' },
    ]);
    expect(await untilNext(stores.pool, [sosInbox.kind])).toBeLessThanOrEqual(5_000);
    await stores.pool.query('update ops.jobs set last_error = null');
    expect(await run(sosInbox, entry, 10_000)).toBeUndefined();
    const events = await node.codec.decode<Recorded>(await stores.store.read(`sos-${id}`));
    expect(events).toMatchObject([
      { type: 'SosRequested', at: at(0), data: { incidentId, position, message: report.message } },
    ]);
    expect((await stores.pool.query('select 1 from ops.sos_inbox')).rowCount).toBe(0);
    await nowhere.close();
  });

  it('all requests and positions of a person are one incident, with the id that was told first', async () => {
    const { id } = await open();
    const handle = (async () => Promise.reject(new StoreUnavailable('away'))) as never;
    const away = { ...node, aggregates: { ...node.aggregates, handle } };
    const told = async (deps: Node, n: number) => {
      const refused = await asks(deps, contextOf(id, 'tourist', at(n)), id, {
        said: { ...report, positions: [{ ...position, at: at(n) }], message: `call ${n}` },
      }).catch((error: unknown) => error);
      return (refused as { facts: { incident_id: string } }).facts.incident_id;
    };
    const incidentId = await told(away, 0);
    const [onPhone, onWatch] = await Promise.all([told(away, 1_000), told(changed(away, {}), 2_000)]);
    expect([onPhone, onWatch]).toEqual([incidentId, incidentId]);
    const moved = { positions: [{ ...position, at: at(3_000) }], battery: null, message: null };
    const adds = (deps: Node, n: number) =>
      reportSos(deps, contextOf(id, 'tourist', at(n)), { personId: id, incidentId, report: moved }, PATIENT);
    expect(await adds(away, 3_000)).toBeUndefined();
    // The log is back, but the request is not recorded yet.
    expect(await adds(node, 3_000)).toBeUndefined();
    const { rows } = await stores.pool.query<{ id: string }>('select id from ops.sos_inbox order by at, id');
    expect(rows).toHaveLength(5);
    for (const { id: entry } of rows.toReversed()) expect(await run(sosInbox, entry, 10_000)).toBeUndefined();
    const events = await node.codec.decode<Recorded>(await stores.store.read(`sos-${id}`));
    expect(new Set(events.map(({ data }) => (data as { incidentId: string }).incidentId))).toEqual(
      new Set([incidentId]),
    );
    expect(events.map(({ type, data }) => [type, (data as { message?: string | null }).message])).toEqual([
      ['SosRequested', 'call 0'],
      ['SosReported', 'call 1000'],
      ['SosReported', 'call 2000'],
      ['SosReported', null],
    ]);
    expect((await stores.pool.query('select 1 from ops.sos_inbox')).rowCount).toBe(0);
    expect(await adds(node, 4_000)).toMatchObject({ incidentId, status: 'new' });
  });

  it.each(['new', 'resolved'] as const)(
    'the incident that is told is the one that will be, after one that is %s',
    async (status) => {
      const { id } = await open();
      const { incident } = await asks(node, contextOf(id), id);
      if (status === 'resolved')
        await stepSos(node, contextOf(id), { personId: id, incidentId: incident.incidentId, step: 'ResolveSos' });
      const handle = (async () => Promise.reject(new StoreUnavailable('away'))) as never;
      const away = { ...node, aggregates: { ...node.aggregates, handle } };
      const shown = { id: incident.incidentId, status };
      const refused = await asks(away, contextOf(id), id, { shown }).catch((error: unknown) => error);
      const { incident_id: told } = (refused as { facts: { incident_id: string } }).facts;
      const { rows } = await stores.pool.query<{ id: string }>('select id from ops.sos_inbox');
      expect(await run(sosInbox, rows[0]?.id ?? '', 5_000)).toBeUndefined();
      expect((await node.aggregates.load(sos, id)).state).toMatchObject({ incidentId: told, status: 'new' });
      expect(told === incident.incidentId).toBe(status === 'new');
    },
  );

  it('an entry of a former release is recorded with its own id', async () => {
    const { id } = await open();
    const handle = (async () => Promise.reject(new StoreUnavailable('away'))) as never;
    const away = { ...node, aggregates: { ...node.aggregates, handle } };
    await asks(away, contextOf(id), id).catch(() => undefined);
    const { rows } = await stores.pool.query<{ id: string }>(
      'update ops.sos_inbox set incident_id = null returning id',
    );
    const [{ id: entry } = { id: '' }] = rows;
    expect(await run(sosInbox, entry, 5_000)).toBeUndefined();
    expect((await node.aggregates.load(sos, id)).state).toMatchObject({ incidentId: entry });
  });

  it('a request that was recorded after all is not recorded twice', async () => {
    const { id } = await open();
    const hanging = {
      ...node,
      aggregates: {
        ...node.aggregates,
        handle: (async (...args: Parameters<Node['aggregates']['handle']>) => {
          await node.aggregates.handle(...args);
          throw new Error('the answer was lost');
        }) as never,
      },
    };
    await expect(asks(hanging, contextOf(id), id)).rejects.toMatchObject({ code: 'sos_delayed' });
    const { rows } = await stores.pool.query<{ id: string }>('select id from ops.sos_inbox');
    expect(await run(sosInbox, rows[0]?.id ?? '', 5_000)).toBeUndefined();
    expect(await stores.store.read(`sos-${id}`)).toHaveLength(1);
  });

  it('and a connection to the database is lost, it is kept over another one', async () => {
    const { id } = await open();
    const pool = Object.create(stores.pool) as Pool;
    let asked = 0;
    Object.assign(pool, {
      query: stores.pool.query.bind(stores.pool),
      connect: () => {
        asked += 1;
        if (asked <= 3) return Promise.reject(new Error('Connection terminated unexpectedly'));
        return stores.pool.connect();
      },
    });
    const handle = (async () => Promise.reject(new StoreUnavailable('away'))) as never;
    const lossy = { ...node, pool, aggregates: { ...node.aggregates, handle } };
    await expect(asks(lossy, contextOf(id), id)).rejects.toMatchObject({ code: 'sos_delayed' });
    const { rowCount } = await stores.pool.query('select 1 from ops.sos_inbox where account_id = $1', [id]);
    expect([asked, rowCount]).toEqual([4, 1]);
  });

  it('that is slow is waited for where the database cannot keep the request', async () => {
    const { id } = await open();
    let answer = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const handle = (async (...given: Parameters<Node['aggregates']['handle']>) => {
      await late;
      return node.aggregates.handle(...given);
    }) as never;
    const broken = {
      query: node.pool.query.bind(node.pool),
      connect: async () => {
        answer(); // the log answers once its first time is over
        throw new Error('away');
      },
    } as never;
    const away = { ...node, pool: broken, aggregates: { ...node.aggregates, handle } };
    const { incident } = await asks(away, contextOf(id), id, { limits: { ...PATIENT, logMs: 0, leastLogMs: 50 } });
    expect(incident).toMatchObject({ status: 'new' });
  });

  it('and the database too, the person is told that nothing was kept, and whom to call', async () => {
    const { id } = await open();
    const broken = { query: async () => Promise.reject(new Error('away')) } as never;
    const handle = (async () => Promise.reject(new Error('away'))) as never;
    const away = { ...node, pool: broken, jobs: broken, aggregates: { ...node.aggregates, handle } };
    await expect(asks(away, contextOf(id), id)).rejects.toMatchObject({
      code: 'sos_failed',
      message: 'Your request could not be recorded. Call the rescue service now: 112.',
    });
  });
});

it.each([0, 1, 50, 'again'] as const)('the text of level %s is one SMS', (level) => {
  expect(textOf(level).length).toBeLessThanOrEqual(70);
});

describe('escalation', () => {
  const asked = async () => {
    const { id } = await open();
    const { incident } = await asks(node, contextOf(id, 'tourist', at(0)), id);
    await follow(`sos-${id}`);
    return { id, incidentId: incident.incidentId };
  };
  const levelOf = async (id: string) => (await node.aggregates.load(sos, id)).state?.level;

  it('tells those on duty in their order, then all admins, until somebody acknowledges', async () => {
    const [one, two, three, tourist] = [await open('admin'), await open('admin'), await open('admin'), await open()];
    await follow(...[one, two, three, tourist].map(({ id }) => `account-${id}`));
    expect(await allAdmins(stores.pool)).toEqual([one.id, two.id, three.id].toSorted());
    const context = contextOf(one.id, 'admin');
    await expect(setDuty(node, context, [always(tourist.id)])).rejects.toMatchObject({ code: 'invalid' });
    await setDuty(node, context, [always(two.id), always(one.id)]);

    const { id, incidentId } = await asked();
    expect(await run(sosEscalation, incidentId, 0)).toBe(at(ANSWER_MS));
    expect(sent).toEqual([two.phone]);
    expect(await run(sosEscalation, incidentId, ANSWER_MS)).toBe(at(2 * ANSWER_MS));
    expect(sent).toEqual([two.phone, one.phone]);
    expect(await run(sosEscalation, incidentId, 2 * ANSWER_MS)).toBe(at(2 * ANSWER_MS + 300_000));
    expect(sent.slice(2).toSorted()).toEqual([one.phone, two.phone, three.phone].toSorted());
    expect(await levelOf(id)).toBe(3);
    await stepSos(node, context, { personId: id, incidentId, step: 'AcknowledgeSos' });
    expect(await run(sosEscalation, incidentId, 3 * ANSWER_MS)).toBeUndefined();
    expect(sent).toHaveLength(5);
  });

  it('tells all admins at once when nobody is on duty, although a message to one of them fails, and never gives up', async () => {
    const [one, two] = [await open('admin'), await open('admin')];
    await setDuty(node, contextOf(one.id, 'admin'), []);
    await follow(`account-${one.id}`, `account-${two.id}`);
    const { id, incidentId } = await asked();
    const failing = changed(node, {
      sms: {
        send: async (phone: string) => {
          if (phone === one.phone) throw new Error('no such number');
          sent.push(phone);
        },
      },
    });
    const waits: number[] = [];
    for (let ms = 0; waits.length < 14; ) {
      const next: number = Date.parse((await run(sosEscalation, incidentId, ms, failing)) ?? '') - START;
      waits.push((next - ms) / MINUTE_MS);
      ms = next;
    }
    expect(waits).toEqual([...Array.from({ length: 12 }, () => 5), 30, 30]);
    expect(sent).toEqual(Array.from({ length: 14 }, () => two.phone));
    expect(await levelOf(id)).toBe(14);
  });

  it('tries again after a minute when no message reached anybody, and not for ever', async () => {
    const [one, two] = [await open('admin'), await open('admin')];
    await setDuty(node, contextOf(one.id, 'admin'), [always(one.id)]);
    await follow(`account-${one.id}`, `account-${two.id}`);
    const { incidentId } = await asked();
    const away = changed(node, { sms: { send: async () => Promise.reject(new Error('the gateway is away')) } });
    expect(await run(sosEscalation, incidentId, 0, away)).toBe(at(0));
    const waits: number[] = [];
    for (let ms = 0; waits.length < 23; ) {
      const next: number = Date.parse((await run(sosEscalation, incidentId, ms, away)) ?? '') - START;
      waits.push((next - ms) / MINUTE_MS);
      ms = next;
    }
    const times = (count: number, minutes: number) => Array.from({ length: count }, () => minutes);
    expect(waits).toEqual([...times(10, 1), ...times(12, 5), 30]);

    const { incidentId: other } = await asked();
    expect(await run(sosEscalation, other, 0, away)).toBe(at(0));
    expect(await run(sosEscalation, other, 0, away)).toBe(at(ANSWER_MS));
    expect(await run(sosEscalation, other, ANSWER_MS)).toBe(at(ANSWER_MS + 5 * MINUTE_MS));
    expect(sent.toSorted()).toEqual([one.phone, two.phone].toSorted());
  });

  it('passes over who is no admin any more, and goes on at once from who cannot be reached', async () => {
    const [former, unreachable, third] = [await open('admin'), await open('admin'), await open('admin')];
    const context = contextOf(third.id, 'admin');
    const duty = await setDuty(
      node,
      context,
      [former, unreachable, third].map(({ id }) => always(id)),
    );
    await node.aggregates.handle(account, former.id, { type: 'GrantRole', role: 'tourist' }, contextOf(ONLY_ONE));
    expect(await rescuersOnDuty(node, duty, at(0))).toEqual([unreachable.id, third.id]);

    const { id, incidentId } = await asked();
    const failing = changed(node, {
      sms: {
        send: async (phone: string) => {
          if (phone === unreachable.phone) throw new Error('no such number');
          sent.push(phone);
        },
      },
    });
    expect(await run(sosEscalation, incidentId, 0, failing)).toBe(at(0));
    expect(sent).toEqual([]);
    expect(await run(sosEscalation, incidentId, 0, failing)).toBe(at(ANSWER_MS));
    expect(sent).toEqual([third.phone]);
    expect(await levelOf(id)).toBe(2);
  });

  it('tells all admins at once when the person asks again while it waits long', async () => {
    const [one, two] = [await open('admin'), await open('admin')];
    await setDuty(node, contextOf(one.id, 'admin'), [always(one.id)]);
    await follow(`account-${one.id}`, `account-${two.id}`);
    const { id, incidentId } = await asked();
    const askAgain = async (ms: number) => {
      await asks(node, contextOf(id, 'tourist', at(ms)), id);
      const [last] = (await stores.store.read(`sos-${id}`)).slice(-1);
      const events = await node.codec.decode<Recorded>(last ? [last] : []);
      await handleEvents(node, sosPolicy as never, policyRetry([]), { events, unreadable: [] });
    };
    const dueAt = async () => {
      const { rows } = await stores.pool.query<{ run_at: string }>('select run_at from ops.jobs where id = $1', [
        incidentId,
      ]);
      return Date.parse(rows[0]?.run_at ?? '');
    };
    const later = START + 3_600_000;
    await stores.pool.query('update ops.jobs set run_at = $2 where id = $1', [incidentId, instantOf(later)]);
    await askAgain(MINUTE_MS); // before those on duty were told
    expect(await dueAt()).toBe(later);
    await run(sosEscalation, incidentId, 0);
    await run(sosEscalation, incidentId, ANSWER_MS);
    await stores.pool.query('update ops.jobs set run_at = $2 where id = $1', [incidentId, instantOf(later)]);
    await askAgain(6 * MINUTE_MS);
    expect(await dueAt()).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  it('begins once, however often the policy handles the request', async () => {
    const { id, incidentId } = await asked();
    await follow(`sos-${id}`);
    const { rows } = await stores.pool.query('select id from ops.jobs where kind = $1', [sosEscalation.kind]);
    expect(rows).toEqual([{ id: incidentId }]);
  });
});

it('those on duty are told when a person asks again long after an answer, or all admins when they cannot be reached', async () => {
  const [one, two] = [await open('admin'), await open('admin')];
  await setDuty(node, contextOf(one.id, 'admin'), [always(one.id)]);
  await follow(`account-${one.id}`, `account-${two.id}`);
  const { id } = await open();
  const askAt = async (ms: number) => {
    const { incident } = await asks(node, contextOf(id, 'tourist', at(ms)), id);
    await follow(`sos-${id}`);
    return incident.incidentId;
  };
  const jobs = async () =>
    (await stores.pool.query('select id from ops.jobs where kind = $1', [sosAgain.kind])).rows as unknown[];
  const incidentId = await askAt(0);
  const acknowledged = contextOf(one.id, 'admin', at(0));
  await stepSos(node, acknowledged, { personId: id, incidentId, step: 'AcknowledgeSos' });
  await askAt(9 * MINUTE_MS);
  expect(await jobs()).toEqual([]);

  expect(await askAt(10 * MINUTE_MS)).toBe(incidentId);
  expect(await run(sosAgain, incidentId, 10 * MINUTE_MS)).toBeUndefined();
  expect(sent).toEqual([one.phone]);
  const told = sosNotifications.find(({ name }) => name === 'sos_requested_again');
  const when = { at: at(10 * MINUTE_MS), eventAt: at(10 * MINUTE_MS), correlationId: incidentId };
  expect(await told?.find({ personId: id, incidentId }, { deps: node, ...when })).toMatchObject([
    { to: one.id, key: incidentId },
  ]);

  await askAt(15 * MINUTE_MS);
  const refusing = (refused: readonly string[]) =>
    changed(node, {
      sms: {
        send: async (phone: string) => {
          if (refused.includes(phone)) throw new Error('the gateway is away');
          sent.push(phone);
        },
      },
    });
  expect(await failingRun(sosAgain, incidentId, 15 * MINUTE_MS, refusing([one.phone, two.phone]))).toMatch('nobody');
  await stores.pool.query('update ops.jobs set last_error = null');
  expect(await run(sosAgain, incidentId, 16 * MINUTE_MS, refusing([one.phone]))).toBeUndefined();
  expect(sent).toEqual([one.phone, two.phone]);
  expect(await jobs()).toEqual([]);

  await askAt(20 * MINUTE_MS);
  await stepSos(node, contextOf(one.id, 'admin'), { personId: id, incidentId, step: 'ResolveSos' });
  expect(await run(sosAgain, incidentId, 20 * MINUTE_MS)).toBeUndefined();
  expect(sent).toHaveLength(2);
});

it('the incident of an erased person ends, and nobody is told of it any more', async () => {
  const { id } = await open();
  const { incident } = await asks(node, contextOf(id), id);
  await follow(`sos-${id}`);
  for (let repeated = 0; repeated < 2; repeated += 1) await endErased(node, contextOf('erasure', 'system'), id);
  await endErased(node, contextOf('erasure', 'system'), randomUUID());
  expect((await node.aggregates.load(sos, id)).state).toMatchObject({ status: 'resolved' });
  expect(await run(sosEscalation, incident.incidentId, 0)).toBeUndefined();
  expect(sent).toEqual([]);
});

it('an admin whose role was taken is told no more', async () => {
  const admin = await open('admin');
  await follow(`account-${admin.id}`);
  await node.aggregates.handle(account, admin.id, { type: 'GrantRole', role: 'tourist' }, contextOf(ONLY_ONE));
  await follow(`account-${admin.id}`);
  expect(await allAdmins(stores.pool)).toEqual([]);
});
