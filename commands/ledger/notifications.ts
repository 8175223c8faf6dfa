/** The monthly statement of sellers: on the first of the month, by e-mail, unless they have switched it off. */
import { Type } from '@sinclair/typebox';
import { instantIn, nextMonth } from '../../domain/core/dates.ts';
import { addMs, DAY_MS, HOUR_MS, isBefore } from '../../domain/core/instants.ts';
import type { NotificationLanguage } from '../../domain/core/notification.ts';
import { Currency, Instant, Minor, Uuid } from '../../domain/core/schema.ts';
import { amountText, dayAndTime, monthText } from '../../domain/core/wording.ts';
import type { MonthlyStatement, StatementLine } from '../../domain/ledger/monthlyStatement.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type Cue, notification } from '../core/notification.ts';
import { timezoneNow } from '../platform/timezone.ts';
import { AHEAD_MS, earliestStart, monthAt, statementOf } from './statements.ts';

/** On the first of the month, at the resort. */
const SENT_AT = '08:00';
/** How far clocks can be behind UTC, in milliseconds. */
const BEHIND_MS = 12 * HOUR_MS;

const monthOf = (at: string): string => at.slice(0, 'YYYY-MM'.length);

interface Moved {
  readonly at: string;
  readonly data: { readonly ownerId: string; readonly currency: string; readonly causedAt?: string };
}
/** Of the months that it can be at the resort, whose time zone is looked up when the cue is due. */
const cuesOf = ({ at, data: { ownerId, currency, causedAt = at } }: Moved): Cue[] =>
  [...new Set([addMs(causedAt, -BEHIND_MS), addMs(causedAt, AHEAD_MS)].map(monthOf))].map((month) => ({
    about: { ownerId, currency, month },
    key: `${ownerId} ${currency} ${month}`,
    dueAt: earliestStart(nextMonth(month)),
  }));

const sumOf = ({ lines }: MonthlyStatement, ...types: readonly StatementLine['type'][]): number =>
  lines.reduce((sum, { type, amountMinor }) => sum + (types.includes(type) ? amountMinor : 0), 0);

const params = Type.Object({
  owner_id: Uuid,
  currency: Currency,
  /** When the month began. */
  from: Instant,
  to: Instant,
  timezone: Type.String(),
  opening_minor: Minor,
  credited_minor: Minor,
  debited_minor: Minor,
  payouts_minor: Minor,
  closing_minor: Minor,
});
type Params = (typeof params)['static'];

const LINES: Readonly<Record<NotificationLanguage, Readonly<Record<StatementLine['type'], string>>>> = {
  ru: { credited: 'Поступление', debited: 'Возврат', payout: 'Выплата', payout_failed: 'Выплата не прошла' },
  en: { credited: 'Earned', debited: 'Taken back', payout: 'Payout', payout_failed: 'Payout failed' },
};
/** Beyond it, an e-mail is no place for them. */
const MOST_LINES = 200;

const bodyRu = (p: Params): string => {
  const of = (minor: number) => amountText('ru', minor, p.currency);
  return `На начало месяца: ${of(p.opening_minor)}. Поступило ${of(p.credited_minor)}, возвращено ${of(0 - p.debited_minor)}, выплачено ${of(0 - p.payouts_minor)}. К выплате на конец месяца: ${of(p.closing_minor)}.`;
};
const bodyEn = (p: Params): string => {
  const of = (minor: number) => amountText('en', minor, p.currency);
  return `Available at the beginning of the month: ${of(p.opening_minor)}. Earned ${of(p.credited_minor)}, taken back ${of(0 - p.debited_minor)}, paid out ${of(0 - p.payouts_minor)}. Available at its end: ${of(p.closing_minor)}.`;
};

const linesOf = async (p: Params, language: NotificationLanguage, deps: CoreDeps): Promise<string[]> => {
  const { lines } = await statementOf(deps, { ownerId: p.owner_id, currency: p.currency }, p);
  const shown = lines.slice(0, MOST_LINES).map(({ at, type, amountMinor, balanceMinor }) => {
    const [amount, balance] = [amountMinor, balanceMinor].map((minor) => amountText(language, minor, p.currency));
    return `${dayAndTime(language, p.timezone, at)}: ${LINES[language][type]} ${amount} → ${balance}`;
  });
  const more = lines.length - shown.length;
  if (more === 0) return shown;
  return [...shown, language === 'ru' ? `И ещё строк: ${more}.` : `And ${more} more lines.`];
};

const ownerStatement = notification<typeof params, CoreDeps>('owner_statement', {
  kind: 'statement',
  urgency: 'normal',
  worthMs: 5 * DAY_MS,
  params,
  on: { OwnerCredited: cuesOf, OwnerDebited: cuesOf, PayoutRequested: cuesOf, PayoutFailed: cuesOf },
  find: async ({ ownerId = '', currency = '', month = '' }, { deps, at }) => {
    const sendAt = instantIn(await timezoneNow(deps), `${nextMonth(month)}-01`, SENT_AT);
    if (isBefore(at, sendAt)) return { againAt: sendAt };
    const { period, timezone } = await monthAt(deps, month);
    const statement = await statementOf(deps, { ownerId, currency }, period);
    if (statement.lines.length === 0) return [];
    return [
      {
        to: ownerId,
        params: {
          owner_id: ownerId,
          currency,
          ...period,
          timezone,
          opening_minor: statement.openingMinor,
          credited_minor: sumOf(statement, 'credited'),
          debited_minor: sumOf(statement, 'debited'),
          payouts_minor: sumOf(statement, 'payout', 'payout_failed'),
          closing_minor: statement.closingMinor,
        },
      },
    ];
  },
  text: {
    ru: (p) => ({ title: `Выписка: ${monthText('ru', p.timezone, p.from)}`, body: bodyRu(p) }),
    en: (p) => ({ title: `Statement: ${monthText('en', p.timezone, p.from)}`, body: bodyEn(p) }),
  },
  link: ({ currency, from, to }) => `/provider/statement?${new URLSearchParams({ currency, from, to })}`,
  mail: async (p, language, deps) => ({ paragraphs: await linesOf(p, language, deps), attachments: [] }),
});

export const ledgerNotifications = [ownerStatement];
