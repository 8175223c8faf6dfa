/**
 * What buyers are told when money of their ski passes goes back, by a refund or because the payer's bank took it; and when
 * passes that were blocked open gates again.
 */
import { Type } from '@sinclair/typebox';
import { addMs, HOUR_MS, msBetween } from '../../domain/core/instants.ts';
import { Currency, Minor, Uuid } from '../../domain/core/schema.ts';
import { amountText, countedRu } from '../../domain/core/wording.ts';
import type { OpenPass } from '../../domain/passes/pass.ts';
import { notification } from '../core/notification.ts';
import { boughtWith, loaded, traits } from './notificationParts.ts';

/** Passes that are given back together have the same end, and nearly the same moment at which it is fixed. */
const TOGETHER_MS = 10_000;
/** Then it is told of those that are fixed, without one that does not get on. */
const AT_LATEST_MS = HOUR_MS;

/** Not of passes whose money the payer's bank took. */
const passRefundFixed = notification('pass_refund_fixed', {
  ...traits,
  params: Type.Object({
    purchase_id: Uuid,
    tariff: Type.String(),
    passes: Type.Integer(),
    minor: Minor,
    currency: Currency,
  }),
  on: { PassRefundSettled: ({ streamId: passId }) => ({ about: { passId } }) },
  find: async ({ passId = '' }, { deps, at, eventAt }) => {
    const of = await loaded(deps, passId);
    if (!of?.ended || of.ended.by === 'system') return [];
    const { userId: to, purchaseId: purchase_id, tariffName: tariff, currency } = of;
    const { settlesAt } = of.ended;
    const together = (await boughtWith(deps, of)).filter(({ ended }) => ended?.settlesAt === settlesAt);
    const fixed = together.flatMap(({ settled }) => settled ?? []);
    if (fixed.length < together.length && msBetween(eventAt, at) < AT_LATEST_MS)
      return { againAt: addMs(at, TOGETHER_MS) };
    const minor = fixed.reduce((sum, { refundMinor }) => sum + refundMinor, 0);
    return [
      {
        to,
        key: `${purchase_id}:${settlesAt}`,
        params: { purchase_id, tariff, passes: fixed.length, minor, currency },
      },
    ];
  },
  text: {
    ru: ({ tariff, passes, minor, currency }) => ({
      title: passes === 1 ? 'Ски-пасс возвращён' : `Ски-пассы возвращены: ${passes}`,
      body: `${tariff}: ${minor > 0 ? `вам вернётся ${amountText('ru', minor, currency)}` : 'возврата нет, потому что всё использовано или тариф его не предусматривает'}.`,
    }),
    en: ({ tariff, passes, minor, currency }) => ({
      title: passes === 1 ? 'Your ski pass was given back' : `${passes} ski passes were given back`,
      body: `${tariff}: ${minor > 0 ? `you get ${amountText('en', minor, currency)} back` : 'nothing is refunded, because all of it was used or the tariff does not refund it'}.`,
    }),
  },
});

/** The payer's bank took money back: all passes that open no gate because of that. A further chargeback is told anew. */
const passesUnpaid = notification('passes_unpaid', {
  ...traits,
  urgency: 'high',
  params: Type.Object({ purchase_id: Uuid, tariff: Type.String(), passes: Type.Integer() }),
  on: {
    PassBlocked: ({ streamId: passId, at, data }) =>
      data.chargebackId === undefined ? undefined : { about: { passId }, dueAt: addMs(at, TOGETHER_MS) },
    PassGivenBack: ({ streamId: passId, at, data }) =>
      data.by === 'system' ? { about: { passId }, dueAt: addMs(at, TOGETHER_MS) } : undefined,
  },
  find: async ({ passId = '' }, { deps }) => {
    const of = await loaded(deps, passId);
    if (!of) return [];
    const { userId: to, purchaseId: purchase_id, tariffName: tariff } = of;
    const isUnpaid = ({ blocked, chargebacks, ended }: OpenPass): boolean =>
      ended === null ? blocked && chargebacks.length > 0 : ended.by === 'system';
    const together = await boughtWith(deps, of);
    const passes = together.filter(isUnpaid).length;
    // It only rises.
    const version = together.reduce(
      (sum, { chargebacks, ended }) => sum + chargebacks.length + Number(ended?.by === 'system'),
      0,
    );
    return passes === 0 ? [] : [{ to, key: purchase_id, version, params: { purchase_id, tariff, passes } }];
  },
  text: {
    ru: ({ tariff, passes }) => ({
      title: passes === 1 ? 'Ски-пасс заблокирован' : `Заблокированы ски-пассы: ${passes}`,
      body: `${tariff}: банк плательщика отозвал деньги, и ${passes === 1 ? 'этот ски-пасс не открывает' : 'эти ски-пассы не открывают'} турникеты. Если это ошибка, обратитесь в кассу.`,
    }),
    en: ({ tariff, passes }) => ({
      title: passes === 1 ? 'Your ski pass is blocked' : `${passes} of your ski passes are blocked`,
      body: `${tariff}: the payer's bank took the money back, so ${passes === 1 ? 'this pass opens' : 'these passes open'} no gate. If that is a mistake, go to the ticket office.`,
    }),
  },
});

/** An admin unblocked passes, whyever they were blocked. Of several, it is told once, with how many are blocked still. */
const passesUnblocked = notification('passes_unblocked', {
  ...traits,
  urgency: 'high',
  params: Type.Object({ purchase_id: Uuid, tariff: Type.String(), open: Type.Integer(), blocked: Type.Integer() }),
  on: {
    PassUnblocked: ({ streamId: passId, at }) => ({ about: { passId }, key: passId, dueAt: addMs(at, TOGETHER_MS) }),
  },
  find: async ({ passId = '' }, { deps }) => {
    const of = await loaded(deps, passId);
    if (!of || of.blocked || of.ended !== null) return [];
    const { userId: to, purchaseId: purchase_id, tariffName: tariff } = of;
    const together = await boughtWith(deps, of);
    const left = together.filter(({ ended }) => ended === null);
    const blocked = left.filter((each) => each.blocked).length;
    // It only rises.
    const version = together.reduce((sum, { unblocks }) => sum + unblocks, 0);
    return [{ to, key: purchase_id, version, params: { purchase_id, tariff, open: left.length - blocked, blocked } }];
  },
  text: {
    ru: ({ tariff, open, blocked }) => ({
      title: open === 1 ? 'Ски-пасс снова действует' : 'Ски-пассы снова действуют',
      body: `${tariff}: ${open === 1 ? 'ваш ски-пасс снова открывает' : `${countedRu(open, 'ски-пасс открывает', 'ски-пасса открывают', 'ски-пассов открывают')}`} турникеты${blocked === 0 ? '' : `, заблокированы ещё ${blocked}`}.`,
    }),
    en: ({ tariff, open, blocked }) => ({
      title: open === 1 ? 'Your ski pass works again' : 'Your ski passes work again',
      body: `${tariff}: ${open === 1 ? 'your pass opens' : `${open} passes open`} gates again${blocked === 0 ? '' : `, ${blocked} still blocked`}.`,
    }),
  },
});

export const passMoneyNotifications = [passRefundFixed, passesUnpaid, passesUnblocked];
