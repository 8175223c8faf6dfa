/** What operators read. Nothing about people, no secrets, no words of systems outside. */
import { beginningOf } from '../../domain/core/storable.ts';
import { derivedId } from '../../infra/ids.ts';
import { alertOf, sectionOf } from '../alerts/alerts.ts';
import { adviceOn, wrongWith } from '../alerts/texts.ts';
import type { Due, Known } from './decide.ts';

export interface OperatorMessage {
  /** The same for each attempt, so that a copy can be recognised. */
  readonly id: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  readonly sms: string;
}

/** More than these are only counted: after a storm of concerns the first ones say enough. */
const MOST_IN_FULL = 15;
/** Two parts of an SMS in Latin letters. */
const SMS_LENGTH = 306;

const nameOf = ({ alert, about }: Known): string => (about === '' ? alert : `${alert} (${about})`);
const timeOf = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
const wrongOf = ({ alert, about, value }: Known): string => wrongWith(alertOf(alert), { about, value: String(value) });
const lasted = (ms: number): string => {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
};
const listed = (concerns: readonly Known[], textOf: (one: Known) => string): string[] => {
  const more = concerns.length - MOST_IN_FULL;
  return [...concerns.slice(0, MOST_IN_FULL).map(textOf), ...(more > 0 ? [`And ${more} more.`] : [])];
};

const begunText = (one: Known): string => {
  const { mayHappen, toDo } = adviceOn(alertOf(one.alert), one.about);
  return [
    `${nameOf(one)}, since ${timeOf(one.since)}${one.toldAt === undefined ? '' : ', still or again'}`,
    `What is wrong: ${wrongOf(one)}`,
    `What may happen: ${mayHappen}.`,
    `What to do: ${toDo}.`,
    `Read: ${sectionOf(one.alert)}`,
  ].join('\n');
};
const overText = (one: Known): string =>
  `Over: ${nameOf(one)}, which began at ${timeOf(one.since)} and lasted ${lasted((one.goneSince ?? one.since) - one.since)}.`;

const summaryOf = ({ begun, over }: Due): string => {
  const [first, ...others] = begun.length > 0 ? begun : over;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${begun.length > 0 ? '' : 'over: '}${first === undefined ? '' : nameOf(first)}${more}`;
};

const smsOf = (due: Due): string => {
  const [first] = due.begun;
  if (first === undefined) return `Over: ${due.over.map(nameOf).join(', ')}.`;
  const { toDo } = adviceOn(alertOf(first.alert), first.about);
  const more = due.begun.length > 1 ? ` And ${due.begun.length - 1} more.` : '';
  return `${wrongOf(first)} ${toDo}. ${sectionOf(first.alert)}.${more}`;
};

/** @param from the public host of this installation: an operator may have several */
export const messageOf = (due: Due, from: string): OperatorMessage => {
  const parts = [...due.begun, ...due.over].flatMap((one) => [
    nameOf(one),
    one.since,
    one.toldAt ?? 0,
    one.goneSince ?? 0,
  ]);
  return {
    id: derivedId('operators', from, ...parts),
    subject: `${from}: ${summaryOf(due)}`,
    paragraphs: [
      ...listed(due.begun, begunText),
      ...listed(due.over, overText),
      '/health at METRICS_PORT and the log have the reasons. You are told again once a day while something lasts, and when it is over.',
    ],
    sms: beginningOf(`${from}: ${smsOf(due)}`, SMS_LENGTH),
  };
};

/** To find out whether operators can be reached. */
export const testMessage = (id: string, from: string): OperatorMessage => ({
  id,
  subject: `${from}: a test`,
  paragraphs: ['This is a test: operators of this installation are told here when something needs a person.'],
  sms: `${from}: a test. You are told here when something needs a person.`,
});
