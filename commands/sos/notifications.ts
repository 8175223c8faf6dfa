/** What rescuers and people in need are told. The SMS to the rescuers is sent beside it: `escalation.ts`. */
import { Type } from '@sinclair/typebox';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { OneOf, Uuid } from '../../domain/core/schema.ts';
import { sos } from '../../domain/sos/incident.ts';
import { notification } from '../core/notification.ts';
import { rescuersToRemind } from './askedAgain.ts';

/** For rescuers. Nothing about who needs help, and where: the board shows it to those who may know. */
const alarm = {
  kind: 'system',
  urgency: 'critical',
  worthMs: HOUR_MS,
  params: Type.Object({ incident_id: Uuid }),
  link: ({ incident_id }: { readonly incident_id: string }) => `/sos/${incident_id}`,
} as const;

const sosEscalated = notification('sos_escalated', {
  ...alarm,
  on: {
    SosEscalated: ({ streamId: personId, data: { incidentId, level, notified } }) => ({
      about: { personId, incidentId, level: String(level), notified: notified.join(' ') },
    }),
  },
  find: async ({ personId = '', incidentId = '', level, notified = '' }, { deps }) => {
    const { state } = await deps.aggregates.load(sos, personId);
    if (state?.incidentId !== incidentId || state.status !== 'new') return [];
    return notified
      .split(' ')
      .filter(Boolean)
      .map((to) => ({ to, key: incidentId, version: Number(level), params: { incident_id: incidentId } }));
  },
  text: {
    ru: () => ({ title: 'SOS: нужна помощь', body: 'Откройте доску SOS и примите вызов.' }),
    en: () => ({ title: 'SOS: somebody needs help', body: 'Open the SOS board and acknowledge the request.' }),
  },
});

const answers = ['acknowledged', 'dispatched'] as const;

const sosAnswered = notification('sos_answered', {
  kind: 'system',
  urgency: 'critical',
  worthMs: HOUR_MS,
  params: Type.Object({ answer: OneOf(answers) }),
  on: {
    SosAcknowledged: ({ streamId: personId, data: { incidentId } }) => ({
      about: { personId, incidentId, answer: 'acknowledged' },
    }),
    SosDispatched: ({ streamId: personId, data: { incidentId } }) => ({
      about: { personId, incidentId, answer: 'dispatched' },
    }),
  },
  find: async ({ personId = '', incidentId = '', answer: given }) => {
    const answer: (typeof answers)[number] = given === 'dispatched' ? 'dispatched' : 'acknowledged';
    return [{ to: personId, key: incidentId, version: answers.indexOf(answer) + 1, params: { answer } }];
  },
  text: {
    ru: ({ answer }) => ({
      title: answer === 'dispatched' ? 'Спасатели в пути' : 'Ваш вызов принят',
      body: 'Оставайтесь на месте и держите телефон включённым.',
    }),
    en: ({ answer }) => ({
      title: answer === 'dispatched' ? 'Rescuers are on their way' : 'Your request for help was received',
      body: 'Stay where you are and keep your phone on.',
    }),
  },
  link: () => '/sos',
});

const sosRequestedAgain = notification('sos_requested_again', {
  ...alarm,
  on: {
    SosRequestedAgain: ({ streamId: personId, data: { incidentId } }) => ({ about: { personId, incidentId } }),
  },
  find: async ({ personId = '', incidentId = '' }, { deps, at, eventAt }) => {
    const rescuers = await rescuersToRemind(deps, { personId, incidentId, at });
    const version = Date.parse(eventAt);
    return rescuers.map((to) => ({ to, key: incidentId, version, params: { incident_id: incidentId } }));
  },
  text: {
    ru: () => ({ title: 'SOS: помощи просят снова', body: 'Откройте доску SOS.' }),
    en: () => ({ title: 'SOS: somebody asks for help again', body: 'Open the SOS board.' }),
  },
});

export const sosNotifications = [sosEscalated, sosAnswered, sosRequestedAgain];
