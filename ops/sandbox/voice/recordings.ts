/** The egresses of the voice server. What becomes of a recording can be set for a test. */
import { randomUUID } from 'node:crypto';
import type { Static } from '@sinclair/typebox';
import type { FileStore } from '../../../commands/files/fileStore.ts';
import { OneOf } from '../../../domain/core/schema.ts';
import type { Logger } from '../../../infra/log.ts';
import { storeSilence } from './silence.ts';
import { TwirpFault } from './twirp.ts';
import type { Webhooks } from './webhooks.ts';

/**
 * How recordings end: `empty`: without a file · `aborted`: before anything was recorded · `forgotten`: the server was lost ·
 * `stuck`: they never begin
 */
export const Outcome = OneOf(['complete', 'failed', 'aborted', 'empty', 'forgotten', 'stuck']);
export type Outcome = Static<typeof Outcome>;

const STATUS = {
  complete: 'EGRESS_COMPLETE',
  empty: 'EGRESS_COMPLETE',
  failed: 'EGRESS_FAILED',
  aborted: 'EGRESS_ABORTED',
} as const;

interface Egress {
  readonly egress_id: string;
  readonly room_name: string;
  status: string;
  /** When it was asked for. */
  readonly started_at: string;
  /** When the first sound was recorded; undefined: not yet. */
  recordedFrom?: bigint;
  readonly filepath: string;
  file_results: object[];
}

const nowNs = (): bigint => BigInt(Date.now()) * 1_000_000n;
const SECOND_NS = 1_000_000_000n;

const infoOf = ({ filepath, recordedFrom: _, ...info }: Egress) => ({
  ...info,
  room_composite: { room_name: info.room_name, audio_only: true, file_outputs: [{ file_type: 'OGG', filepath }] },
});

interface Recorder {
  /** Where the files are put; undefined: nowhere. */
  readonly storage: FileStore | undefined;
  /** How long it takes until something is recorded, in milliseconds. With LiveKit, some seconds. */
  readonly startingMs: number;
}

export const createRecordings = (webhooks: Webhooks, { storage, startingMs }: Recorder, log: Logger) => {
  const all = new Map<string, Egress>();
  let outcome: Outcome = 'complete';
  const outcomes = new Map<string, Outcome>();
  const tell = (event: string, one: Egress): void => webhooks.send(event, { egress_info: infoOf(one) });

  const fileOf = async (one: Egress): Promise<object[]> => {
    const from = one.recordedFrom ?? nowNs();
    const recorded = nowNs() - from;
    const duration = recorded < SECOND_NS ? SECOND_NS : recorded;
    const { filepath: filename } = one;
    const size = storage ? await storeSilence(storage, filename, Number(duration / SECOND_NS)) : 4_096;
    const times = { started_at: String(from), ended_at: String(from + duration), duration: String(duration) };
    return [{ filename, location: filename, ...times, size: String(size) }];
  };
  const finish = async (one: Egress, as: Exclude<Outcome, 'forgotten' | 'stuck'>): Promise<void> => {
    try {
      one.file_results = as === 'complete' ? await fileOf(one) : [];
      one.status = STATUS[as];
    } catch (error) {
      log.warn({ err: error }, 'the sandbox cannot store a recording');
      one.status = STATUS.failed;
    }
    tell('egress_ended', one);
  };
  const outcomeOf = ({ room_name }: Egress): Outcome => outcomes.get(room_name) ?? outcome;
  const end = (one: Egress): void => {
    const wanted = one.status === 'EGRESS_STARTING' ? 'aborted' : outcomeOf(one);
    const as = wanted === 'stuck' ? 'complete' : wanted; // this one has begun
    if (one.status !== 'EGRESS_ACTIVE' && one.status !== 'EGRESS_STARTING') return;
    if (as === 'forgotten') {
      all.delete(one.egress_id);
      return;
    }
    one.status = 'EGRESS_ENDING';
    tell('egress_updated', one);
    void finish(one, as);
  };
  const record = (one: Egress): void => {
    if (one.status !== 'EGRESS_STARTING' || outcomeOf(one) === 'stuck') return;
    one.status = 'EGRESS_ACTIVE';
    one.recordedFrom = nowNs();
    one.file_results = [{ filename: one.filepath, started_at: String(one.recordedFrom) }];
    tell('egress_updated', one);
  };
  return {
    /** @param room undefined: for all others */
    setOutcome: (next: Outcome, room: string | undefined): void => {
      if (room === undefined) outcome = next;
      else outcomes.set(room, next);
    },
    start: (room_name: string, filepath: string): object => {
      const egress_id = `EG_${randomUUID()}`;
      const started_at = String(nowNs());
      const one: Egress = { egress_id, room_name, status: 'EGRESS_STARTING', started_at, filepath, file_results: [] };
      all.set(egress_id, one);
      tell('egress_started', one);
      setTimeout(() => record(one), startingMs).unref();
      return infoOf(one);
    },
    stop: (id: string): object => {
      const one = all.get(id);
      if (!one) throw new TwirpFault(404, 'not_found');
      if (one.status !== 'EGRESS_ACTIVE' && one.status !== 'EGRESS_STARTING')
        throw new TwirpFault(412, 'failed_precondition', `egress with status ${one.status} cannot be stopped`);
      end(one);
      return infoOf(one);
    },
    endAllOf: (room: string): void => {
      for (const one of [...all.values()]) if (one.room_name === room) end(one);
    },
    listOf: (room: string): object[] =>
      [...all.values()].filter(({ room_name }) => room === '' || room_name === room).map(infoOf),
  };
};
export type Recordings = ReturnType<typeof createRecordings>;
