/**
 * Who read the event history and what they asked for, because reading it is itself audited. There is one stream for
 * each auditor and day.
 */
import { Type } from '@sinclair/typebox';
import type { Decider, EventDeclarations, EventsOf } from '../core/decider.ts';
import { OneOf } from '../core/schema.ts';

const auditLogEvents = {
  AuditRead: {
    data: Type.Object({
      /** `events`: a search over all · `stream`: one stream's events · `state`: one aggregate as it was. */
      what: OneOf(['events', 'stream', 'state']),
      /** What was asked, as it was asked. */
      query: Type.Record(Type.String(), Type.String()),
    }),
  },
} as const satisfies EventDeclarations;
export type AuditLogEvent = EventsOf<typeof auditLogEvents>;
export type AuditRead = AuditLogEvent['data'];

export interface AuditLog {
  readonly reads: number;
}
export type AuditLogCommand = { readonly type: 'RecordRead' } & AuditRead;

/** Every reading is recorded, also a repeated one. */
export const auditLog: Decider<AuditLog, AuditLogCommand, AuditLogEvent> = {
  category: 'auditLog',
  events: auditLogEvents,
  initial: { reads: 0 },
  decide: ({ what, query }) => [{ type: 'AuditRead', data: { what, query } }],
  evolve: ({ reads }) => ({ reads: reads + 1 }),
};
