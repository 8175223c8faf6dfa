/** What buyers are told about their ski passes: of those that were bought together, once. */
import { Type } from '@sinclair/typebox';
import { addDays, instantIn, todayIn } from '../../domain/core/dates.ts';
import { HOUR_MS, hasCome, isAfter } from '../../domain/core/instants.ts';
import { DateOnly, ONLY_ONE, Uuid } from '../../domain/core/schema.ts';
import { countedRu, dayText } from '../../domain/core/wording.ts';
import { unitsLeft, validUntil } from '../../domain/passes/admission.ts';
import { type ClosedDate, passClosures } from '../../domain/passes/closures.ts';
import type { OpenPass } from '../../domain/passes/pass.ts';
import { notification } from '../core/notification.ts';
import { loadPurchase } from '../purchases/purchases.ts';
import { closedDates } from './closures.ts';
import { DAYS_GIVEN_BACK } from './closureTelling.ts';
import { passesOf } from './dividePurchase.ts';
import { passMoneyNotifications } from './moneyNotifications.ts';
import { boughtWith, loaded, traits } from './notificationParts.ts';

const daysRu = (days: number): string => countedRu(days, 'день', 'дня', 'дней');
const daysEn = (days: number): string => (days === 1 ? '1 day' : `${days} days`);

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

/** Its buyer learns that it is used, perhaps by somebody who has found it. Of a family, the first on a date is told. */
const passStarted = notification('pass_started', {
  ...traits,
  worthMs: HOUR_MS,
  params: Type.Object({ pass_id: Uuid, tariff: Type.String(), number: Type.Integer(), day: DateOnly }),
  on: {
    PassScanned: ({ streamId: passId, data: { userId: to, startsPass: of, day } }) =>
      of ? { about: { ...of, number: String(of.number), to, passId, day }, key: passId } : undefined,
  },
  // When the gates open, thousands of passes start: the event says all that is told, so that none of them is read.
  find: async ({ to = '', passId = '', day = '', purchaseId, number, tariffName: tariff = '' }) => {
    const params = { pass_id: passId, tariff, number: Number(number), day };
    return [{ to, key: `${purchaseId}:${day}`, params }];
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

/** How many dates one declaration gave to a pass: it is valid longer, or rides on them were free. */
const gainedBy = (of: OpenPass, closed: readonly ClosedDate[], declaredAt: string): number => {
  const before = closed.filter(({ at }) => at !== declaredAt);
  const isFree = ({ date, at }: ClosedDate) =>
    at === declaredAt && isAfter(at, of.soldAt) && date >= of.validFrom && date <= validUntil(of, closed);
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

/** On which evening days of a pass would be lost; null: none would. */
const losesAt = (of: OpenPass, closed: readonly ClosedDate[], at: string): string | null => {
  if (of.ended !== null || of.blocked) return null;
  const last = validUntil(of, closed);
  const left = unitsLeft(of, closed) ?? 0;
  const today = todayIn(of.timezone, at);
  if (left === 0 || today >= last) return null;
  const evening = lastEvening(of, left, last);
  const isRiding = hasCome(evening, at) && of.days.includes(today);
  return isRiding ? instantIn(of.timezone, addDays(today, 1), EVENING) : evening;
};

/** Days that would be lost, told once an evening. Whoever rides every day is not told. */
const passRunsOut = notification('pass_runs_out', {
  ...traits,
  worthMs: 6 * HOUR_MS,
  params: Type.Object({
    pass_id: Uuid,
    tariff: Type.String(),
    passes: Type.Integer(),
    days: Type.Integer(),
    valid_until: DateOnly,
  }),
  on: {
    PassSold: ({ streamId: passId, data: { unit, count, validTo, timezone } }) =>
      unit === 'day'
        ? { about: { passId }, key: passId, dueAt: instantIn(timezone, addDays(validTo, -count), EVENING) }
        : undefined,
  },
  find: async ({ passId = '' }, { deps, at }) => {
    const of = await loaded(deps, passId);
    const closed = await closedDates(deps);
    const evening = of ? losesAt(of, closed, at) : null;
    if (!of || evening === null) return [];
    const isNow = (due: string | null) => due !== null && hasCome(due, at);
    if (!isNow(evening)) return { againAt: evening };
    const losing = (await boughtWith(deps, of)).filter((each) => isNow(losesAt(each, closed, at)));
    const days = losing.reduce((sum, each) => sum + (unitsLeft(each, closed) ?? 0), 0);
    const params = {
      pass_id: passId,
      tariff: of.tariffName,
      passes: losing.length,
      days,
      valid_until: validUntil(of, closed),
    };
    return [{ to: of.userId, key: `${of.purchaseId}:${todayIn(of.timezone, at)}`, params }];
  },
  text: {
    ru: ({ tariff, passes, days, valid_until }) => ({
      title: passes === 1 ? 'Ски-пасс скоро закончится' : 'Ски-пассы скоро закончатся',
      body: `${tariff}: ${passes === 1 ? '' : `на ${passes} ски-пассах `}не использовано ${daysRu(days)}, ${passes === 1 ? 'действует' : 'действуют'} до ${dayText('ru', valid_until)}.`,
    }),
    en: ({ tariff, passes, days, valid_until }) => ({
      title: passes === 1 ? 'Your ski pass ends soon' : 'Your ski passes end soon',
      body: `${tariff}: ${daysEn(days)} not used${passes === 1 ? '' : ` on ${passes} passes`}, valid until ${dayText('en', valid_until)}.`,
    }),
  },
});

export const passNotifications = [passesReady, passStarted, ...passMoneyNotifications, daysGivenBack, passRunsOut];
