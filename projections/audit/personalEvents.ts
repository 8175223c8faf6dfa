/**
 * What the log says of a person, for their export: each event with personal data of theirs, with that data. So the export
 * has whatever an event declares as personal, also former values and what no read model shows. Other data of these events
 * may be about somebody else, and is left out, except in the stream of the account, which is about nobody else: it says
 * which identity providers were linked.
 */
import { type Static, Type } from '@sinclair/typebox';
import { PERSON_ERASED, type Recorded, streamName } from '../../domain/core/decider.ts';
import { Instant } from '../../domain/core/schema.ts';
import { aggregates, allEvents } from '../../domain/modules.ts';
import { type LogReader, type Place, readAt, shown } from '../../eventstore/history.ts';
import { onlyAt, type Path, personalFields } from '../../eventstore/personalPaths.ts';
import type { ExportSection } from '../../infra/exportSections.ts';
import { tableName } from '../engine/readDb.ts';
import { auditEvents } from './auditEvents.ts';

/** Type of event → where its personal data is; only types that have some. */
const personalPaths: ReadonlyMap<string, readonly Path[]> = new Map(
  Object.entries(allEvents)
    .map(([type, declared]) => [type, personalFields(type, declared).map(({ path }) => path)] as const)
    .filter(([, paths]) => paths.length > 0),
);

/** Category of the streams whose ids are those of people, and which are about nobody else. */
const accounts = aggregates.find(({ events }) => PERSON_ERASED in events)?.category ?? '';

/** What the person sees of the data of an event of theirs: no secrets. */
export const ownDataOf = ({ type, stream, data }: Recorded, person: string): unknown =>
  shown(stream === streamName(accounts, person) ? data : onlyAt(data, personalPaths.get(type) ?? []));

const Row = Type.Object({
  at: Instant,
  type: Type.String({ description: 'The type of the event, such as `BookingCreated`.' }),
  stream: Type.String({ description: 'What it happened to, as `<kind>-<id>`.' }),
  data: Type.Unknown({
    description:
      'What it says of the person: the personal fields, of the account all fields. Secrets read `[hidden]`. Null: the event cannot be read.',
  }),
});
type Row = Static<typeof Row>;
type Found = Pick<Row, 'at' | 'type' | 'stream'> & Place;

const types = [...personalPaths.keys()].map((type) => `'${type}'`).join(', ');

export const personalEvents: ExportSection<LogReader> = {
  name: 'personal_events',
  text: `select at, type, stream, revision from ${tableName(auditEvents.name)}
    where about = $1::text and type in (${types}) or stream = '${streamName(accounts, '')}' || $1::text
    order by commit, prepare`,
  fromLog: async (rows, person, log) => {
    const found = rows as readonly Found[];
    const events = await readAt(log, found);
    return found.map(({ at, type, stream }, n): Row => {
      const event = events[n];
      return { at, type, stream, data: event ? ownDataOf(event, person) : null };
    });
  },
  show: (row) => row,
  schema: Row,
};
