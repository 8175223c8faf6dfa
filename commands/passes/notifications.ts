/** What buyers are told about their ski passes. */
import { Type } from '@sinclair/typebox';
import { addDays, instantIn, todayIn } from '../../domain/core/dates.ts';
import { Currency, DateOnly, Minor, ONLY_ONE, Uuid } from '../../domain/core/schema.ts';
import { amountText, countedRu, dayText } from '../../domain/core/wording.ts';
import { unitsLeft, validUntil } from '../../domain/passes/admission.ts';
import { type ClosedDate, passClosures } from '../../domain/passes/closures.ts';
import { type OpenPass, pass } from '../../domain/passes/pass.ts';
import type { CoreDeps } from '../core/deps.ts';
import { notification } from '../core/notification.ts';
import { loadPurchase } from '../purchases/purchases.ts';
import { closedDates } from './closures.ts';
import { DAYS_GIVEN_BACK } from './closureTelling.ts';
import { passesOf } from './divide.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const traits = { kind: 'booking', urgency: 'normal', worthMs: DAY, link: () => '/passes' } as const;
const daysRu = (days: number): string => countedRu(days, 'день', 'дня', 'дней');
const daysEn = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

const loaded = async ({ aggregates }: Deps, passId: string): Promise<OpenPass | undefined> => {
  const { state } = await aggregates.load(pass, passId);
  return state.status === 'open' ? state : undefined;
};

const passesReady = notification('passes_ready', {
  ...traits,
  params: Type.Object({ purchase_id: Uuid, tariff: Type.String(), passes: Type.Integer(), valid_from: DateOnly }),
  on: { PurchasePaid: ({ streamId: purchaseId }) => ({ about: { purchaseId } }) },
  find: async ({ purchaseId = '' }, { deps }) => {
    const purchase = await loadPurchase(deps, purchaseId);
    if (purchase.serviceType !== 'ski_pass' || purchase.status !== 'paid') return [];
    const { userId: to, productName: tariff, quantity: passes, validFrom: valid_from } = purchase;
    return [{ to, params: { purchase_id: purchaseId, tariff, passes, valid_from } }];
  },
  text: {
    ru: ({ tariff, passes, valid_from }) => ({
      title: passes === 1 ? 'Ски-пасс готов' : 'Ски-пассы готовы',
      body: `${tariff}, ${countedRu(passes, 'ски-пасс', 'ски-пасса', 'ски-пассов')}, с ${dayText('ru', valid_from)}. Откройте их в приложении перед выездом: код работает и без связи.`,
    }),
    en: ({ tariff, passes, valid_from }) => ({
      title: passes === 1 ? 'Your ski pass is ready' : 'Your ski passes are ready',
      body: `${tariff}, ${passes === 1 ? '1 pass' : `${passes} passes`}, from ${dayText('en', valid_from)}. Open them in the app before you leave: the code works without a connection, too.`,
    }),
  },
});

/** Its buyer learns that it is used, perhaps by somebody who has found it. */
const passStarted = notification('pass_started', {
  ...traits,
  worthMs: HOUR,
  params: Type.Object({ pass_id: Uuid, tariff: Type.String(), number: Type.Integer(), day: DateOnly }),
  on: {
    PassScanned: ({ streamId: passId, data: { startsDay, day } }) =>
      startsDay ? { about: { passId, day }, key: passId } : undefined,
  },
  find: async ({ passId = '', day = '' }, { deps }) => {
    const of = await loaded(deps, passId);
    if (!of || of.days[0] !== day) return [];
    return [{ to: of.userId, params: { pass_id: passId, tariff: of.tariffName, number: of.number, day } }];
  },
  text: {
    ru: ({ tariff, number, day }) => ({
      title: 'Ски-пасс начал действовать',
      body: `${tariff}, № ${number}: первый проход ${dayText('ru', day)}. Если это были не вы, обратитесь в кассу: там его заблокируют.`,
    }),
    en: ({ tariff, number, day }) => ({
      title: 'Your ski pass was used for the first time',
      body: `${tariff}, no. ${number}, on ${dayText('en', day)}. If that was not you, ask the ticket office to block it.`,
    }),
  },
});

/** Not of one whose money the payer's bank took. */
const passRefundFixed = notification('pass_refund_fixed', {
  ...traits,
  params: Type.Object({ pass_id: Uuid, tariff: Type.String(), minor: Minor, currency: Currency }),
  on: {
    PassRefundSettled: ({ streamId: passId, data }) => ({ about: { passId, minor: String(data.refundMinor) } }),
  },
  find: async ({ passId = '', minor }, { deps }) => {
    const of = await loaded(deps, passId);
    if (!of || of.ended?.by === 'system') return [];
    const { userId: to, tariffName: tariff, currency } = of;
    return [{ to, params: { pass_id: passId, tariff, minor: Number(minor), currency } }];
  },
  text: {
    ru: ({ tariff, minor, currency }) => ({
      title: 'Ски-пасс возвращён',
      body: `${tariff}: ${minor > 0 ? `вам вернётся ${amountText('ru', minor, currency)}` : 'возврата нет, потому что всё использовано или тариф его не предусматривает'}.`,
    }),
    en: ({ tariff, minor, currency }) => ({
      title: 'Your ski pass was given back',
      body: `${tariff}: ${minor > 0 ? `you get ${amountText('en', minor, currency)} back` : 'nothing is refunded, because all of it was used or the tariff does not refund it'}.`,
    }),
  },
});

/** How many dates one declaration gave to a pass: it is valid longer, or rides on them were free. */
const gainedBy = (of: OpenPass, closed: readonly ClosedDate[], declaredAt: string): number => {
  const before = closed.filter(({ at }) => at !== declaredAt);
  const isFree = ({ date, at }: ClosedDate) =>
    at === declaredAt &&
    Date.parse(at) > Date.parse(of.soldAt) &&
    date >= of.validFrom &&
    date <= validUntil(of, closed);
  return of.unit === 'season' || validUntil(of, before) === validUntil(of, closed) ? 0 : closed.filter(isFree).length;
};

/** One for all passes of a purchase. `closureTelling.ts` finds the purchases. */
const daysGivenBack = notification(DAYS_GIVEN_BACK, {
  ...traits,
  params: Type.Object({ purchase_id: Uuid, days: Type.Integer(), valid_until: DateOnly }),
  find: async ({ purchaseId = '', declaredAt = '' }, { deps }) => {
    // The newest, too: it is the one that is told of.
    const { closed } = (await deps.aggregates.load(passClosures, ONLY_ONE)).state;
    const gained = (await passesOf(deps, purchaseId, await loadPurchase(deps, purchaseId))).flatMap(({ pass: of }) => {
      const days = of.ended === null ? gainedBy(of, closed, declaredAt) : 0;
      return days > 0 ? { to: of.userId, days, valid_until: validUntil(of, closed) } : [];
    });
    return gained.slice(0, 1).map(({ to, ...given }) => ({ to, params: { purchase_id: purchaseId, ...given } }));
  },
  text: {
    ru: ({ days, valid_until }) => ({
      title: 'Дни ски-пасса возвращены',
      body: `Подъёмники были закрыты: ваш ски-пасс действует на ${daysRu(days)} дольше, до ${dayText('ru', valid_until)}.`,
    }),
    en: ({ days, valid_until }) => ({
      title: 'Days of your ski pass were given back',
      body: `The mountain was closed: your ski pass is valid ${daysEn(days)} longer, until ${dayText('en', valid_until)}.`,
    }),
  },
});

/** When people make plans for the next day. */
const EVENING = '18:00';

/** The first evening from which only a ride on each date that is left uses everything. */
const lastEvening = (of: OpenPass, left: number, last: string): string => {
  const day = addDays(last, -left);
  return instantIn(of.timezone, day < of.validFrom ? of.validFrom : day, EVENING);
};

/** Days that would be lost. Whoever rides every day is not told. */
const passRunsOut = notification('pass_runs_out', {
  ...traits,
  worthMs: 6 * HOUR,
  params: Type.Object({ pass_id: Uuid, tariff: Type.String(), days: Type.Integer(), valid_until: DateOnly }),
  on: {
    PassSold: ({ streamId: passId, data: { unit, count, validTo, timezone } }) =>
      unit === 'day'
        ? { about: { passId }, key: passId, dueAt: instantIn(timezone, addDays(validTo, -count), EVENING) }
        : undefined,
  },
  find: async ({ passId = '' }, { deps, at }) => {
    const of = await loaded(deps, passId);
    if (!of || of.ended !== null || of.blocked) return [];
    const closed = await closedDates(deps);
    const valid_until = validUntil(of, closed);
    const left = unitsLeft(of, closed) ?? 0;
    const today = todayIn(of.timezone, at);
    if (left === 0 || today >= valid_until) return [];
    const evening = lastEvening(of, left, valid_until);
    if (Date.parse(at) < Date.parse(evening)) return { againAt: evening };
    if (of.days.includes(today)) return { againAt: instantIn(of.timezone, addDays(today, 1), EVENING) };
    return [{ to: of.userId, params: { pass_id: passId, tariff: of.tariffName, days: left, valid_until } }];
  },
  text: {
    ru: ({ tariff, days, valid_until }) => ({
      title: 'Ски-пасс скоро закончится',
      body: `${tariff}: не использовано ${daysRu(days)}, действует до ${dayText('ru', valid_until)}.`,
    }),
    en: ({ tariff, days, valid_until }) => ({
      title: 'Your ski pass ends soon',
      body: `${tariff}: ${daysEn(days)} not used, valid until ${dayText('en', valid_until)}.`,
    }),
  },
});

export const passNotifications = [passesReady, passStarted, passRefundFixed, daysGivenBack, passRunsOut];
