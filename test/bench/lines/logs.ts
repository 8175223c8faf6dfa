/** Lines that go through a whole log: projecting, rebuilding, copying, exporting, starting. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { loadAccount } from '../../../commands/accounts/accounts.ts';
import { openSession } from '../../../commands/accounts/tokens.ts';
import type { Position } from '../../../domain/core/decider.ts';
import { newId } from '../../../infra/ids.ts';
import type { Wiring } from '../../../ops/wiring.ts';
import { groupPositions } from '../../../projections/engine/checkpoint.ts';
import { OF_READ_MODELS } from '../../../projections/engine/groups.ts';
import { groups } from '../../../projections/modules.ts';
import { environmentOf, runCommand } from '../commandLine.ts';
import type { Processes } from '../cpu.ts';
import { startLog } from '../history.ts';
import { answerTo, bearer } from '../http.ts';
import { type Bench, type Line, type Row, rateGoal } from '../line.ts';
import { startProgram } from '../program.ts';
import { untilQuiet, wireTo } from '../resort.ts';
import { once as measured, type Result, spreadOf, type Work } from '../rounds.ts';
import { type BenchStores, startStores } from '../stores.ts';
import { rootOfProduct, startSystem } from '../system.ts';

/** Its rate does not depend on how many there are, and it takes long. */
const MOST_OF_EMMETT = 20_000;

const CAUGHT_UP_WITHIN_MS = 3_600_000;

/** Runs `work` on the stores with the generated log, and stops them. */
export const onLog = async <T>(
  { size, stopResort }: Bench,
  work: (stores: BenchStores) => Promise<T>,
  events = size.events,
): Promise<T> => {
  await stopResort();
  const stores = await startLog(events);
  try {
    return await work(stores);
  } finally {
    await stores.stop();
  }
};

const processesOf = ({ node, postgres }: BenchStores) => ({ eventstore: node.pid, postgres: postgres.pid });

/** Projects the whole log into empty read models with one process, as after `drop schema read`. */
export const project = async (stores: BenchStores, operations: number): Promise<Work> => {
  const wiring = wireTo(stores);
  try {
    await wiring.pool.query('drop schema if exists read cascade');
    await wiring.pool.query(`delete from ops.checkpoints where ${OF_READ_MODELS}`);
    const head = await wiring.store.head();
    const child = spawn(process.execPath, [path.join(rootOfProduct, 'dist/bundle/main.mjs')], {
      env: { ...environmentOf(stores), ROLE: 'projector', LOG_LEVEL: 'info' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      for await (const line of createInterface({ input: child.stdout })) if (line.includes('"started"')) break;
      const begun = performance.now();
      for (;;) {
        const positions = await groupPositions(wiring.pool).catch(() => new Map<string, Position>());
        if (head && groups.every(({ name }) => (positions.get(name)?.commit ?? 0n) >= head.commit)) break;
        if (performance.now() - begun > CAUGHT_UP_WITHIN_MS) throw new Error('the projector did not catch up');
        if (child.exitCode !== null) throw new Error(`the projector ended with ${child.exitCode}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      return { operations, seconds: (performance.now() - begun) / 1_000 };
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      if (child.exitCode === null) await ended;
    }
  } finally {
    await wiring.close();
  }
};

/** Reading the same log with a handler that does nothing. */
export const readAll = async ({ node }: BenchStores): Promise<Work> => {
  const reader = await startProgram('readLog', { eventStore: node.connectionString });
  try {
    await reader.ask<Work>({});
    return await reader.ask<Work>({});
  } finally {
    await reader.stop();
  }
};

const projector: Line = {
  name: 'projector',
  work: 'catching up with the whole log, all models, one process',
  peer: null,
  goal: '≥ 10,000 events/s',
  run: (bench) =>
    onLog(bench, async (stores) => {
      const { operations } = await readAll(stores);
      const ours = await measured('ours', processesOf(stores), () => project(stores, operations));
      const goal = { what: 'events/s', value: ours.rate.median, limit: 10_000, is: 'at least' } as const;
      return [{ name: 'projector', results: [ours], goals: [goal] }];
    }),
};

/** Emmett's rebuild, of fewer events: its rate does not depend on how many there are. */
const emmettRebuild = async (stores: BenchStores, events: number): Promise<Result> => {
  const databaseUrl = await stores.emptyDatabase('bench_emmett_rebuild');
  const emmett = await startProgram('peers/emmettRebuild', { databaseUrl, events });
  try {
    const processes = { program: emmett.pid, postgres: stores.postgres.pid };
    return await measured('Emmett, two models', processes, () => emmett.ask<Work>({}));
  } finally {
    await emmett.stop();
  }
};

const rebuild: Line = {
  name: 'rebuild',
  work: 'all models from mixed events, in one pass over the log',
  peer: "`readAll` of the same log with an empty handler; Emmett's rebuild of two comparable models",
  goal: '≥ 0.2 × readAll, ≥ 5 × Emmett',
  run: (bench) =>
    onLog(bench, async (stores): Promise<Row[]> => {
      const { operations } = await readAll(stores);
      const read = await measured('readAll', processesOf(stores), () => readAll(stores));
      await project(stores, operations);
      const ours = await measured('ours, all models', processesOf(stores), async () => {
        const { seconds } = await runCommand(stores, 'projections', 'rebuild', 'all', '--json');
        return { operations, seconds };
      });
      const emmett = await emmettRebuild(stores, Math.min(MOST_OF_EMMETT, Math.ceil(bench.size.events / 10)));
      const goals = [rateGoal(ours, read, 0.2), rateGoal(ours, emmett, 5)];
      return [{ name: 'rebuild', results: [ours, read, emmett], goals }];
    }),
};

/** What the log is copied to: a server that was given, or an embedded node for this time. */
const copyTarget = async (connectionString: string | undefined) => {
  const others: Processes = {};
  if (connectionString !== undefined) return { connectionString, processes: others, stop: async () => undefined };
  const { node, stop } = await startStores('copy', { temporary: true });
  return { connectionString: node.connectionString, processes: { target: node.pid } as Processes, stop };
};

const copy: Line = {
  name: 'copy',
  work: '`events copy` to another embedded node, or to the server of `--copy-to`; order kept, every event compared',
  peer: null,
  goal: '≥ 2,000 events/s',
  run: (bench) =>
    onLog(
      bench,
      async (stores) => {
        const target = await copyTarget(bench.copyTo);
        try {
          const ours = await measured('ours', { ...processesOf(stores), ...target.processes }, async () => {
            const to = target.connectionString;
            const { seconds, output } = await runCommand(stores, 'events', 'copy', '--to', to, '--json');
            const { copied, events } = JSON.parse(output) as { copied: number; events: number };
            if (copied !== events)
              throw new Error(`${copied} of ${events} events were copied: the target was not empty`);
            return { operations: copied, seconds };
          });
          const goal = { what: 'events/s', value: ours.rate.median, limit: 2_000, is: 'at least' } as const;
          const note = 'the time includes the comparison of both logs';
          return [{ name: 'copy', results: [ours], goals: [goal], note }];
        } finally {
          await target.stop();
        }
      },
      bench.size.copied,
    ),
};

const start: Line = {
  name: 'start',
  work: 'the second start of the whole system on this log, until it is ready',
  peer: null,
  goal: '≤ 5 s',
  run: (bench) =>
    onLog(bench, async (stores) => {
      const first = await startSystem(stores);
      const wiring = wireTo(stores);
      await untilQuiet(wiring).finally(wiring.close);
      await first.stop();
      const begun = performance.now();
      const second = await startSystem(stores);
      const seconds = (performance.now() - begun) / 1_000;
      await second.stop();
      const note = 'both stores run already: they start with the benchmark, and take about a second more';
      return [{ name: 'start', results: [], goals: [{ what: 's', value: seconds, limit: 5, is: 'at most' }], note }];
    }),
};

const audit: Line = {
  name: 'audit',
  work: 'NDJSON export of the log',
  peer: '`readAll` of the same log',
  goal: '≥ 0.5 × readAll',
  run: (bench) =>
    onLog(bench, async (stores) => {
      const { operations } = await readAll(stores);
      const read = await measured('readAll', processesOf(stores), () => readAll(stores));
      const file = path.join(stores.directory, 'export.ndjson');
      const ours = await measured('ours', processesOf(stores), async () => {
        const { seconds } = await runCommand(stores, 'events', 'export', '--file', file, '--json');
        return { operations, seconds };
      });
      await rm(file);
      return [{ name: 'audit: export', results: [ours, read], goals: [rateGoal(ours, read, 0.5)] }];
    }),
};

const STREAM_EVENTS = 1_000;
const STATES = 20;

/** A stream of a thousand events. */
const longStream = async ({ store, codec }: Wiring): Promise<string> => {
  const [stream, id] = [`inventory-${newId()}`, newId()];
  const events = Array.from({ length: STREAM_EVENTS }, (_, n) => ({ type: 'CapacitySet', data: { capacity: n } }));
  const actor = { kind: 'seed', id: 'seed', role: 'admin' } as const;
  const meta = { correlationId: id, causationId: id, commandId: id, actor, ip: null, at: new Date().toISOString() };
  await store.append(stream, await codec.encode(stream, events, meta), 'no_stream');
  return stream;
};

const state: Line = {
  name: 'state',
  work: 'the state of a stream of 1,000 events at a time, over REST',
  peer: null,
  goal: '≤ 50 ms',
  run: async ({ resort }) => {
    const { system, wiring, stores } = await resort();
    const { accounts } = JSON.parse(await readFile(path.join(stores.directory, 'system/demo.json'), 'utf8'));
    const holder = await loadAccount(wiring, accounts.admin.id);
    const { accessToken } = await openSession(wiring, accounts.admin.id, holder, new Date().toISOString());
    const line = `GET /api/v1/audit/streams/${await longStream(wiring)}/state?at=${new Date(Date.now() + 60_000).toISOString()}`;
    const times: number[] = [];
    for (let n = 0; n < STATES; n += 1) {
      const begun = performance.now();
      const answer = await answerTo(system.api, { line, headers: bearer(accessToken) });
      times.push(performance.now() - begun);
      if (!answer.includes(`"capacity":${STREAM_EVENTS - 1}`)) throw new Error(`this is not the state: ${answer}`);
    }
    const goal = { what: 'ms', value: spreadOf(times).median, limit: 50, is: 'at most' } as const;
    return [{ name: 'state', results: [], goals: [goal] }];
  },
};

export const logLines: readonly Line[] = [rebuild, projector, copy, start, audit, state];
