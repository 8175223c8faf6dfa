/** Whether messages are sent, limits hold, and operators are told. */
import type { Finding } from './check.ts';
import { unlessWithout, unset } from './dispensable.ts';
import { type Given, listOf, type SettingsCheck, settingOf } from './settingsCheck.ts';

/** One that stands for "none". */
const UNLIMITED_FROM = 100;
const limitsOff = (given: Given): Finding[] => {
  const factor = Number(settingOf(given, 'RATE_LIMITS'));
  const off = ['SMS_PER_ADDRESS', 'SMS_PER_NUMBER', 'SMS_PER_DAY'].filter((name) => settingOf(given, name) === 0);
  return [
    ...(factor === 0 || factor > UNLIMITED_FROM
      ? [{ wrong: `RATE_LIMITS is ${factor}, which is no limit`, toDo: 'Set RATE_LIMITS to about 1' }]
      : []),
    ...off.map((name) => ({ wrong: `${name} is 0, which is no limit`, toDo: `Set ${name} to a number` })),
  ];
};

export const serviceChecks: readonly SettingsCheck[] = [
  {
    name: 'sms',
    asks: 'Are text messages sent?',
    mayHappen: 'nobody can sign in by phone, rescuers are not alarmed, and owners of accounts are not warned',
    find: unlessWithout('sms', unset('SMS_GATEWAY_URL', 'no text messages are sent')),
  },
  {
    name: 'mail',
    asks: 'Are e-mails sent?',
    mayHappen: 'people get no confirmations and warnings, and cannot prove their address',
    find: unlessWithout('mail', unset('SMTP_URL', 'no e-mails are sent')),
  },
  {
    name: 'limits',
    asks: 'Are there limits?',
    mayHappen: 'codes and passwords can be tried without end, and text messages cost without end',
    find: unlessWithout('limits', limitsOff),
  },
];

/** Nobody is told, or nothing could reach whoever is named. */
const operators = (given: Given): Finding[] => {
  if (settingOf(given, 'NODE_ENV') !== 'production') return [];
  const named = listOf(given, 'OPERATORS');
  const toDo = 'Set OPERATORS to e-mail addresses and phone numbers, and try it by resort operators --test';
  if (named.length === 0) return [{ wrong: 'OPERATORS is not set: nobody is told', toDo }];
  const isReached = (phone: boolean, by: string) =>
    named.some((one) => one.startsWith('+') === phone) && settingOf(given, by) !== undefined;
  return isReached(true, 'SMS_GATEWAY_URL') || isReached(false, 'SMTP_URL')
    ? []
    : [{ wrong: 'OPERATORS names nobody whom SMTP_URL or SMS_GATEWAY_URL can reach', toDo }];
};

export const operatorChecks: readonly SettingsCheck[] = [
  {
    name: 'operators',
    asks: 'Is somebody told when something needs a person?',
    mayHappen: 'an outage, a backup that fails or a call for help that reached nobody is noticed when it is too late',
    find: operators,
  },
];
