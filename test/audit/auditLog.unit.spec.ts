import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { auditLog } from '../../domain/audit/auditLog.ts';
import type { AnyEvent, Recorded } from '../../domain/core/decider.ts';
import { allEvents } from '../../domain/modules.ts';
import { shown } from '../../eventstore/history.ts';
import { auditEvents } from '../../projections/audit/auditEvents.ts';
import { specification } from '../kit/given.ts';
import { happened, projection } from '../kit/projected.ts';

const given = specification(auditLog);
const AT = '2027-01-01T00:00:00.000Z';
const STREAM = '018f0000-0000-7000-8000-00000000000a';
const read = { type: 'AuditRead', data: { what: 'stream', query: { stream: 'booking-1' } } } as const;
const rowsAfter = projection(auditEvents);

it('every reading is recorded, also of what was read before', () => {
  const command = { type: 'RecordRead', ...read.data } as const;
  given([]).when(command).then([read]);
  given([read]).when(command).then([read]);
  expect(given([read, read]).state).toEqual({ reads: 2 });
});

const [PAYER, OTHER] = [randomUUID(), randomUUID()];
const dataOf = (type: string) =>
  type === 'AuditRead'
    ? { what: 'stream', query: { stream: `account-${OTHER}` } }
    : { secret: 'not here', ...(type === 'PaymentCreated' && { userId: PAYER }) };

it('the table of contents has a row for every event, of whatever type, without its data', () => {
  const events = Object.keys(allEvents).map(
    (type, n): Recorded => ({
      ...happened('some', STREAM, { type, data: dataOf(type) } as AnyEvent, AT),
      revision: BigInt(n),
      position: { commit: BigInt(100 + n), prepare: BigInt(100 + n) },
    }),
  );
  const rows = rowsAfter(events);
  expect(rows.map(({ type }) => type)).toEqual(Object.keys(allEvents));
  expect(rows[3]).toEqual({
    commit: 103,
    prepare: 103,
    event_id: events[3]?.id,
    stream: `some-${STREAM}`,
    revision: 3,
    type: events[3]?.type,
    at: AT,
    actor_kind: 'system',
    actor_id: 'test',
    actor_role: 'system',
    correlation_id: events[3]?.meta.correlationId,
    causation_id: events[3]?.meta.causationId,
    command_id: events[3]?.meta.commandId,
    ip: null,
    about: null,
  });
  const aboutOf = (wanted: string) => rows.find(({ type }) => type === wanted)?.about;
  expect([aboutOf('ProfileChanged'), aboutOf('PaymentCreated'), aboutOf('AuditRead')]).toEqual([STREAM, PAYER, OTHER]);
  expect(aboutOf('PaymentFailed')).toBeNull();
});

it('what is shown has no secrets at any depth', () => {
  const state = {
    passwordHash: '$argon2id$…',
    secretHashes: ['aa', 'bb'],
    keys: [{ secretHash: 'cc', name: 'x' }],
    nights: new Map([['2027-01-01', { price: 1n }]]),
    hashtag: 'kept',
    tokenVersion: 3,
  };
  expect(shown(state)).toEqual({
    passwordHash: '[hidden]',
    secretHashes: '[hidden]',
    keys: [{ secretHash: '[hidden]', name: 'x' }],
    nights: { '2027-01-01': { price: '1' } },
    hashtag: 'kept',
    tokenVersion: 3,
  });
  expect(shown({ passwordHash: null })).toEqual({ passwordHash: null });
});
