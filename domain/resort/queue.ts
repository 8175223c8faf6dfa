/** How many people wait at a lift: the latest report of each source, in the stream `liftQueue-<lift>`. */
import { isDeepStrictEqual } from 'node:util';
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, Rejected, snapshot } from '../core/decider.ts';
import { addMs, isAfter, isBefore, MINUTE_MS } from '../core/instants.ts';
import { Instant, Nullable, OneOf } from '../core/schema.ts';
import type { OperatingState } from './operation.ts';

/** The first one that is valid counts. */
const queueSources = ['manual', 'scans', 'skiers'] as const;
export type QueueSource = (typeof queueSources)[number];

/** A report is valid for this long, in milliseconds. */
export const QUEUE_VALID_MS: Readonly<Record<QueueSource, number>> = {
  manual: 30 * MINUTE_MS,
  scans: 10 * MINUTE_MS,
  skiers: 10 * MINUTE_MS,
};

export const MOST_WAITING = 10_000;
export const MOST_MINUTES = 300;
/** People that wait, or the minutes that somebody waits; not both. */
const Report = Type.Object({
  people: Nullable(Type.Integer({ minimum: 0, maximum: MOST_WAITING })),
  minutes: Nullable(Type.Integer({ minimum: 0, maximum: MOST_MINUTES })),
  measuredAt: Instant,
  validUntil: Instant,
  /** At least this many people wait: how many more is not known, and so is the wait. */
  isAtLeast: Type.Optional(Type.Literal(true)),
});
const Source = OneOf(queueSources);

const queueEvents = {
  LiftQueueReported: { data: Type.Object({ source: Source, ...Report.properties }) },
  LiftQueueReportWithdrawn: { data: Type.Object({ source: Source }) },
} as const satisfies EventDeclarations;
export type QueueEvent = EventsOf<typeof queueEvents>;

export type QueueCommand =
  | {
      readonly type: 'ReportQueue';
      readonly source: QueueSource;
      readonly people: number | null;
      readonly minutes: number | null;
      readonly measuredAt: string;
      readonly isAtLeast?: true | undefined;
    }
  | { readonly type: 'WithdrawQueueReport'; readonly source: QueueSource };

export const QueueReports = Type.Object({
  manual: Nullable(Report),
  scans: Nullable(Report),
  skiers: Nullable(Report),
});
export type QueueReports = Static<typeof QueueReports>;
export const NO_REPORTS: QueueReports = { manual: null, scans: null, skiers: null };

const decide = (command: QueueCommand, state: QueueReports): QueueEvent[] => {
  const { source } = command;
  const known = state[source];
  switch (command.type) {
    case 'ReportQueue': {
      const { people, minutes, measuredAt, isAtLeast } = command;
      if ((people === null) === (minutes === null))
        throw new Rejected('invalid', 'Say either how many people wait or how many minutes, not both.', {
          fields: ['queue'],
        });
      // A report that was delayed on its way does not replace a newer one.
      if (known && isBefore(measuredAt, known.measuredAt)) return [];
      const validUntil = addMs(measuredAt, QUEUE_VALID_MS[source]);
      const report = { people, minutes, measuredAt, validUntil, ...(isAtLeast && { isAtLeast }) };
      return isDeepStrictEqual(report, known) ? [] : [{ type: 'LiftQueueReported', data: { source, ...report } }];
    }
    case 'WithdrawQueueReport':
      return known === null ? [] : [{ type: 'LiftQueueReportWithdrawn', data: { source } }];
  }
};

/** The reports after an event. */
export const reportsAfter = (state: QueueReports, event: QueueEvent): QueueReports => {
  switch (event.type) {
    case 'LiftQueueReported': {
      const { source, ...report } = event.data;
      return { ...state, [source]: report };
    }
    case 'LiftQueueReportWithdrawn':
      return { ...state, [event.data.source]: null };
  }
};

export const liftQueue: Decider<QueueReports, QueueCommand, QueueEvent> = {
  category: 'liftQueue',
  events: queueEvents,
  initial: NO_REPORTS,
  decide,
  evolve: reportsAfter,
  snapshot: snapshot({ version: 1, packed: QueueReports, pack: (state) => state, unpack: (packed) => packed }),
};

export const Queue = Type.Object({
  queueMinutes: Nullable(
    Type.Integer({ minimum: 0, description: 'Expected wait in minutes; null: unknown, which is not 0.' }),
  ),
  queuePeople: Nullable(Type.Integer({ minimum: 0 })),
  queueSource: Nullable({
    ...Source,
    description:
      '`manual`: an operator. `scans`: passages at its gates. `skiers`: people who record their tracks, counted.',
  }),
  queueMeasuredAt: Nullable({ ...Instant, description: 'When it was so long.' }),
  queueIsAtLeast: Type.Optional(
    Type.Literal(true, {
      description:
        'At least so many people wait: nobody knows which share of them was counted. `queue_minutes` is null.',
    }),
  ),
});
export type Queue = Static<typeof Queue>;
const UNKNOWN_QUEUE: Queue = { queueMinutes: null, queuePeople: null, queueSource: null, queueMeasuredAt: null };

/** What is known of the queue of a lift at an instant: nothing while it is not open. */
export const queueAt = (
  reports: QueueReports,
  capacityPerHour: number | null,
  status: OperatingState['status'],
  at: string,
): Queue => {
  if (status !== 'open' && status !== 'hold') return UNKNOWN_QUEUE;
  const now = Date.parse(at);
  for (const source of queueSources) {
    const report = reports[source];
    if (report === null || Date.parse(report.validUntil) <= now) continue;
    const { people, minutes, measuredAt, isAtLeast } = report;
    const isKnown = people !== null && capacityPerHour !== null && !isAtLeast;
    const computed = isKnown ? Math.ceil((people / capacityPerHour) * 60) : null;
    return {
      queueMinutes: minutes ?? computed,
      queuePeople: people,
      queueSource: source,
      queueMeasuredAt: measuredAt,
      ...(isAtLeast && { queueIsAtLeast: isAtLeast }),
    };
  }
  return UNKNOWN_QUEUE;
};

/** When the next report ends after an instant; null: none is valid. */
export const nextQueueEnd = (reports: QueueReports, at: string): string | null =>
  queueSources
    .flatMap((source) => reports[source]?.validUntil ?? [])
    .filter((end) => isAfter(end, at))
    .toSorted()[0] ?? null;
