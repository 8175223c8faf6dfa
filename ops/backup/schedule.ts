/**
 * The daily backup. Of all processes with the policies role one takes it, under a lease, in a child process of its own, so
 * that it does not delay anything. The folder itself says when the last one was taken.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nextDaily } from '../../domain/core/dates.ts';
import { HOUR_MS, MINUTE_MS } from '../../domain/core/instants.ts';
import { shareLeases } from '../../infra/leases.ts';
import type { Logger } from '../../infra/log.ts';
import { metrics } from '../../infra/metrics.ts';
import type { Pool } from '../../infra/postgres.ts';
import { sleep } from '../../infra/retry.ts';
import type { Config } from '../config.ts';
import { filesLeftOut, isOfFuture, setsIn, timeOf } from './set.ts';

export interface Schedule {
  readonly folder: string;
  /** UTC. */
  readonly hour: number;
  /** Where the files are, if not in a folder: no set has them. */
  readonly bucket?: string | undefined;
  /** Takes a set, and deletes old ones. */
  readonly take: (signal: AbortSignal) => Promise<void>;
}

/** After a failure. */
const RETRY_MS = 15 * MINUTE_MS;
/** `setTimeout` takes no more; waking up for nothing does no harm. */
const LONGEST_WAIT_MS = HOUR_MS;
const TIMEOUT_MS = 12 * HOUR_MS;
/** It says every two seconds how far it is: more than a megabyte in as many hours. */
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

const CLI = fileURLToPath(new URL('../cli/main.js', import.meta.url));

/** The schedule of the settings, with the command line as the child process; undefined when there is none. */
export const scheduleOf = (config: Config): Schedule | undefined => {
  const { BACKUP_DIR: folder, BACKUP_HOUR: hour, BACKUP_KEEP: keep } = config;
  const { DATABASE_URL = '', ESDB_CONNECTION_STRING = '' } = config;
  if (!folder) return undefined;
  const run = promisify(execFile);
  const env = { ...process.env, DATABASE_URL, ESDB_CONNECTION_STRING };
  const take = async (signal: AbortSignal) => {
    const options = { env, signal, timeout: TIMEOUT_MS, maxBuffer: MAX_OUTPUT_BYTES };
    await run(process.execPath, [CLI, 'backup', folder, '--keep', `${keep}`], options);
  };
  return { folder, hour, bucket: config.S3_BUCKET, take };
};

/**
 * When the next backup is due: at once when there is none, or when one was missed. A set that was taken with a clock that was
 * ahead does not count.
 * @param warned the sets of the future that were named already
 */
export const dueMs = async ({ folder, hour }: Schedule, warned: Set<string>, log: Logger): Promise<number> => {
  const now = Date.now();
  const names = (await setsIn(folder, now)).toSorted();
  for (const name of names.filter((each) => isOfFuture(each, now) && !warned.has(each))) {
    warned.add(name);
    log.warn({ folder, set: name }, 'a backup was taken with a clock that was ahead: it does not delay the next one');
  }
  const newest = names.findLast((name) => !isOfFuture(name, now));
  if (newest === undefined) return 0;
  const takenAt = timeOf(newest);
  metrics.backupTaken.set(Date.parse(takenAt) / 1_000);
  return Date.parse(nextDaily(takenAt, hour));
};

const follow = async (schedule: Schedule, log: Logger, signal: AbortSignal): Promise<void> => {
  const warned = new Set<string>();
  while (!signal.aborted) {
    try {
      const wait = (await dueMs(schedule, warned, log)) - Date.now();
      if (wait > 0) await sleep(Math.min(wait, LONGEST_WAIT_MS), signal);
      else {
        await schedule.take(signal);
        metrics.backupFailures.set(0);
        log.info(
          {
            folder: schedule.folder,
            ...(schedule.bucket !== undefined && { left_out: filesLeftOut(schedule.bucket) }),
          },
          'a backup was taken',
        );
      }
    } catch (err) {
      if (signal.aborted) return;
      metrics.backupFailures.inc();
      log.error({ err, folder: schedule.folder }, 'the scheduled backup failed and is repeated');
      await sleep(RETRY_MS, signal);
    }
  }
};

/** Takes a backup every day until `signal` fires. */
export const backUpDaily = async (pool: Pool, schedule: Schedule, log: Logger, signal: AbortSignal): Promise<void> => {
  await shareLeases(pool, { group: 'backup', names: ['backup'], signal, log }, async (_, untilLost) => {
    await follow(schedule, log, untilLost);
    // Who takes the backups from here on measures them.
    metrics.backupTaken.set(0);
    metrics.backupFailures.set(0);
  });
};
