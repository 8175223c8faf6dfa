/**
 * Who read the event history and what they asked for, because reading it is itself audited; and whose personal data they
 * were shown, for which reason. There is one stream for each auditor and day.
 */
import { Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, snapshot } from '../core/decider.ts';
import { isPlaceholder, OneOf, Personal, Uuid } from '../core/schema.ts';
import { isStorable } from '../core/storable.ts';

/** The longest reason, in characters. */
export const MAX_REASON = 500;
/** Why somebody must see what is personal, in their words. */
const ReadReason = Type.String({ minLength: 1, maxLength: MAX_REASON });

/** The reason in `text`; undefined when it is too long, or the people concerned could read no word of it. */
export const reasonIn = (text: string): string | undefined => {
  const reason = text.trim();
  const hasWords = /[\p{L}\p{N}]/u.test(reason) && isStorable(reason) && !isPlaceholder(reason);
  return hasWords && reason.length <= MAX_REASON ? reason : undefined;
};

const auditLogEvents = {
  AuditRead: {
    data: Type.Object({
      /** `events`: a search over all · `stream`: one stream's events · `state`: one aggregate as it was. */
      what: OneOf(['events', 'stream', 'state']),
      /** What was asked, as it was asked. */
      query: Type.Record(Type.String(), Type.String()),
    }),
  },
  /** For each person: the reason may name them, so it is theirs, and goes with them. */
  ContentShown: {
    person: 'accountId',
    data: Type.Object({
      accountId: Uuid,
      /** As above · `export`: everything that is held about the person. */
      what: OneOf(['events', 'stream', 'state', 'export']),
      /** What was asked, as it was asked. */
      query: Type.Record(Type.String(), Type.String()),
      reason: Personal(ReadReason),
    }),
  },
} as const satisfies EventDeclarations;
export type AuditLogEvent = EventsOf<typeof auditLogEvents>;
type DataOf<T extends AuditLogEvent['type']> = Extract<AuditLogEvent, { type: T }>['data'];
export type AuditRead = DataOf<'AuditRead'>;
export type ContentShown = DataOf<'ContentShown'>;

export interface AuditLog {
  readonly reads: number;
}
export type AuditLogCommand =
  | ({ readonly type: 'RecordRead' } & AuditRead)
  | ({ readonly type: 'RecordShown'; readonly people: readonly string[] } & Omit<ContentShown, 'accountId'>);

/** Every reading is recorded, also a repeated one. */
export const auditLog: Decider<AuditLog, AuditLogCommand, AuditLogEvent> = {
  category: 'auditLog',
  events: auditLogEvents,
  initial: { reads: 0 },
  decide: (command) => {
    const { query } = command;
    if (command.type === 'RecordRead') return [{ type: 'AuditRead', data: { what: command.what, query } }];
    const { people, what, reason } = command;
    return people.map((accountId) => ({ type: 'ContentShown', data: { accountId, what, query, reason } }));
  },
  evolve: (state, { type }) => (type === 'AuditRead' ? { reads: state.reads + 1 } : state),
  snapshot: snapshot({
    version: 1,
    packed: Type.Object({ reads: Type.Integer() }),
    pack: ({ reads }: AuditLog) => ({ reads }),
    unpack: (state) => state,
  }),
};
