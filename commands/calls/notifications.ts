/** What people are told about calls: that one rings, and that they missed one. */
import { Type } from '@sinclair/typebox';
import { CallKind, call, isOver, type Parties, RING_MS } from '../../domain/calls/call.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { type Cue, notification } from '../core/notification.ts';

/** A call that was missed replaces one that rings. */
const statuses = ['ringing', 'missed'] as const;
type Status = (typeof statuses)[number];
const versionOf = (status: Status): number => statuses.indexOf(status) + 1;

const cueOf =
  (status: Status) =>
  ({ streamId: callId, data: { callerId, calleeId, kind } }: Recorded & { readonly data: Parties }): Cue => ({
    about: { callId, callerId, calleeId, kind, status },
  });
const answered = ({ streamId: key, data: { calleeId: to } }: Recorded & { readonly data: Parties }) => ({
  to,
  key,
  version: versionOf('ringing'),
});

const incomingCall = notification('call', {
  kind: 'chat',
  urgency: 'high',
  params: Type.Object({ call_id: Uuid, kind: CallKind, status: OneOf(statuses) }),
  worthMs: ({ status }) => (status === 'ringing' ? RING_MS : DAY_MS),
  on: {
    CallStarted: cueOf('ringing'),
    CallMissed: cueOf('missed'),
    // Of a blocked caller the callee learns nothing.
    CallFoundBusy: (event) => (event.data.isHidden ? undefined : cueOf('missed')(event)),
  },
  settledBy: { CallAccepted: answered, CallRejected: answered },
  find: async ({ callId = '', callerId = '', calleeId = '', kind, status: told }, { deps }) => {
    const status: Status = told === 'ringing' ? 'ringing' : 'missed';
    const { state } = await deps.aggregates.load(call, callId);
    if (status === 'ringing' && (isOver(state) || state.status === 'accepted')) return [];
    const params = { call_id: callId, kind: kind === 'video' ? ('video' as const) : ('audio' as const), status };
    return [{ to: calleeId, of: callerId, key: callId, version: versionOf(status), params }];
  },
  text: {
    ru: ({ status, kind }, { name }) => ({
      title: name,
      body: status === 'missed' ? 'Пропущенный звонок' : kind === 'video' ? 'Входящий видеозвонок' : 'Входящий звонок',
    }),
    en: ({ status, kind }, { name }) => ({
      title: name,
      body: status === 'missed' ? 'Missed call' : kind === 'video' ? 'Incoming video call' : 'Incoming call',
    }),
  },
  link: ({ call_id }) => `/calls/${call_id}`,
});

export const callNotifications = [incomingCall];
