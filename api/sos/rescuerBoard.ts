/** What rescuers see and do. */
import { Type } from '@sinclair/typebox';
import type { CommandContext } from '../../commands/core/handle.ts';
import { loadDuty, rescuersOnDuty, setDuty } from '../../commands/sos/duty.ts';
import { FALSE_ALARMS, giveAllClear, stepSos } from '../../commands/sos/sos.ts';
import { notFound } from '../../domain/core/decider.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { type Duty, MOST_SHIFTS } from '../../domain/sos/duty.ts';
import { type SosStep, sosStatuses } from '../../domain/sos/incident.ts';
import { sosBoardChannel } from '../../projections/sos/channels.ts';
import {
  incidentById,
  listIncidents,
  SosIncident,
  type SosIncidentRow,
  showIncidents,
  sosIncidents,
  stepped,
} from '../../projections/sos/sosIncidents.ts';
import { callersChannel } from '../accounts/channels.ts';
import type { App } from '../http/app.ts';
import type { User } from '../http/caller.ts';
import { ListOf, pagingOf, pagingQuery, textListOf } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';

const RESCUE = { none: 'rescuers at work must not be held up' };

const filters = {
  ...pagingQuery,
  status: Type.Optional(OneOf(sosStatuses)),
  active: Type.Optional(Type.Boolean({ description: 'Whether they have not ended.' })),
};

const audienceOf = ({ role }: Pick<User, 'role'>) => (role === 'admin' ? 'admin' : 'guest');
const shown = async (app: App, row: SosIncidentRow, caller: User) => {
  const [incident] = await showIncidents(app.db, [row], audienceOf(caller));
  return incident as NonNullable<typeof incident>;
};

/** @throws Rejected `not_found`, also for incidents of others */
const visible = async (app: App, id: string, caller: User): Promise<SosIncidentRow> => {
  const row = await incidentById(app.db, id);
  if (!row || (caller.role !== 'admin' && row.account_id !== caller.id)) throw notFound('SOS request');
  return row;
};

const all = route('GET /api/v1/sos', {
  id: 'listSosIncidents',
  access: 'admin',
  harm: RESCUE,
  summary: 'List SOS incidents',
  description: 'Newest first. The channel `sos_board` has every change.',
  query: Type.Object(filters),
  reply: ListOf(SosIncident),
  reads: [sosIncidents],
  channel: { of: sosBoardChannel, id: () => '' },
  handle: async ({ query: { status, active, ...query } }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = await listIncidents(app.db, { status, active, ...paging });
    return textListOf({ rows: await showIncidents(app.db, rows, 'admin'), total }, paging);
  },
});

const own = route('GET /api/v1/sos/me', {
  id: 'listOwnSosIncidents',
  access: 'user',
  summary: 'List own SOS incidents',
  query: Type.Object(filters),
  reply: ListOf(SosIncident),
  reads: [sosIncidents],
  channel: callersChannel,
  handle: async ({ query: { status, active, ...query }, caller }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = await listIncidents(app.db, { accountId: caller.id, status, active, ...paging });
    return textListOf({ rows: await showIncidents(app.db, rows, 'guest'), total }, paging);
  },
});

const one = route('GET /api/v1/sos/:id', {
  id: 'getSosIncident',
  access: 'user',
  summary: 'Get an SOS incident',
  description: 'One of yours; admins see all.',
  params: ById,
  reply: SosIncident,
  errors: ['not_found'],
  reads: [sosIncidents],
  handle: async ({ params: { id }, caller }, app) => shown(app, await visible(app, id, caller), caller),
});

/** Takes a step and shows the incident after it. */
const take = async (app: App, context: CommandContext, caller: User, id: string, step: SosStep) => {
  const row = await visible(app, id, caller);
  const { status } = await stepSos(app, context, { personId: row.account_id, incidentId: id, step });
  return shown(app, status === row.status ? row : stepped(row, status, { by: caller.id, at: context.at }), caller);
};

const acknowledge = route('POST /api/v1/sos/:id/acknowledge', {
  id: 'acknowledgeSos',
  access: 'admin',
  harm: RESCUE,
  summary: 'Acknowledge an SOS request',
  description: 'Nobody else is told of it any more.',
  params: ById,
  reply: SosIncident,
  errors: ['not_found', 'invalid_transition'],
  projections: [sosIncidents],
  handle: ({ params: { id }, caller, context }, app) => take(app, context, caller, id, 'AcknowledgeSos'),
});

const dispatch = route('POST /api/v1/sos/:id/dispatch', {
  id: 'dispatchSos',
  access: 'admin',
  harm: RESCUE,
  summary: 'Record that rescuers are on their way',
  params: ById,
  reply: SosIncident,
  errors: ['not_found', 'invalid_transition'],
  projections: [sosIncidents],
  handle: ({ params: { id }, caller, context }, app) => take(app, context, caller, id, 'DispatchSos'),
});

const resolve = route('POST /api/v1/sos/:id/resolve', {
  id: 'resolveSos',
  access: 'admin',
  harm: RESCUE,
  summary: 'End an SOS incident',
  description: 'Its person was helped. The device is told to send no more positions.',
  params: ById,
  reply: SosIncident,
  errors: ['not_found', 'invalid_transition'],
  projections: [sosIncidents],
  handle: ({ params: { id }, caller, context }, app) => take(app, context, caller, id, 'ResolveSos'),
});

const falseAlarm = route('POST /api/v1/sos/:id/false-alarm', {
  id: 'markSosFalseAlarm',
  access: 'user',
  summary: 'End an SOS incident as a false alarm',
  description: `By an admin, or by the person who asked for help, who can do this ${FALSE_ALARMS} times a day.`,
  params: ById,
  reply: SosIncident,
  errors: ['not_found', 'invalid_transition', 'too_many_attempts'],
  projections: [sosIncidents],
  handle: async ({ params: { id }, caller, context }, app) => {
    if (caller.role === 'admin') return take(app, context, caller, id, 'FindFalseAlarm');
    const row = await visible(app, id, caller);
    const { status } = await giveAllClear(app, context, { personId: caller.id, incidentId: id });
    return shown(app, status === row.status ? row : stepped(row, status, { by: caller.id, at: context.at }), caller);
  },
});

const Shift = Type.Object({
  account_id: Uuid,
  from: Type.Optional(Nullable(Instant)),
  until: Type.Optional(Nullable(Instant)),
});
const DutyList = Type.Object(
  {
    /** In the order in which they are told of a request. */
    shifts: Type.Array(Type.Required(Shift)),
    /** Who is on duty now and still an admin, in this order. Empty: all admins are told. */
    on_duty: Type.Array(Uuid),
  },
  { $id: 'SosDuty' },
);
const dutyOf = async (app: App, duty: Duty, at: string) => ({
  shifts: duty.map(({ accountId: account_id, from, until }) => ({ account_id, from, until })),
  on_duty: await rescuersOnDuty(app, duty, at),
});

const showDuty = route('GET /api/v1/sos/duty', {
  id: 'getSosDuty',
  access: 'admin',
  harm: { none: 'shows ids of accounts' },
  summary: 'Get who is on duty for SOS requests',
  reply: DutyList,
  handle: async ({ context }, app) => dutyOf(app, await loadDuty(app), context.at),
});

const replaceDuty = route('PUT /api/v1/sos/duty', {
  id: 'setSosDuty',
  access: 'admin',
  harm: 'safety',
  summary: 'Set who is on duty for SOS requests',
  description:
    'Replaces the list. The first on duty is told at once, the next one a minute later unless somebody has acknowledged the request, and in the end all admins. People who have no phone, or are no admins any more, are passed over at once. Without `from` or `until` a shift has no beginning or end.',
  body: Type.Object({ shifts: Type.Array(Shift, { maxItems: MOST_SHIFTS }) }, { $id: 'NewSosDuty' }),
  reply: DutyList,
  errors: ['invalid'],
  handle: async ({ body, context }, app) => {
    const shifts = body.shifts.map(({ account_id: accountId, from = null, until = null }) => ({
      accountId,
      from,
      until,
    }));
    return dutyOf(app, await setDuty(app, context, shifts), context.at);
  },
});

export const boardRoutes = [all, own, one, acknowledge, dispatch, resolve, falseAlarm, showDuty, replaceDuty];
