/** What people are told of their favourites. */
import { Type } from '@sinclair/typebox';
import { HOUR_MS } from '../../domain/core/instants.ts';
import { Currency, Minor, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { amountText } from '../../domain/core/wording.ts';
import { favoriteOf, favorites } from '../../domain/favorites/favorites.ts';
import { type FavoriteKind, favoriteKinds, type WatchReason } from '../../domain/favorites/kinds.ts';
import type { CoreDeps } from '../core/deps.ts';
import { notification } from '../core/notification.ts';
import { type Offer, offerFor } from './offers.ts';

/** Stored: they never change. */
export const PRICE_DROPPED = 'favorite_price_dropped';
export const BECAME_FREE = 'favorite_became_free';

const what = {
  type: OneOf(favoriteKinds),
  id: Uuid,
  /** null: a person, or something that is not there any more. */
  title: Nullable(Type.String()),
  /** Whose title it is: it goes with them. */
  owner_id: Nullable(Uuid),
};
const linkOf = ({ type, id }: { readonly type: string; readonly id: string }): string => `/favorites/${type}/${id}`;
const traits = { kind: 'favorite', urgency: 'normal', worthMs: 12 * HOUR_MS, link: linkOf } as const;

/** The thing, and whether the person still watches it for this. */
const watched = async (
  deps: CoreDeps,
  { person = '', kind = '', id = '' }: Readonly<Record<string, string>>,
  reason: WatchReason,
  at: string,
) => {
  const watch = favoriteOf((await deps.aggregates.load(favorites, person)).state, { kind, id })?.watch;
  if (!watch?.reasons.includes(reason)) return undefined;
  const { title = null, ownerId = null }: Partial<Offer> = (await offerFor(deps, kind, id, at))?.(null) ?? {};
  return { person, stay: watch.stay, thing: { type: kind as FavoriteKind, id, title, owner_id: ownerId } };
};

const THING = { ru: 'Избранное', en: 'A favourite' } as const;

const priceDropped = notification(PRICE_DROPPED, {
  ...traits,
  params: Type.Object({ ...what, price_minor: Minor, currency: Currency }),
  find: async (about, { deps, at }) => {
    const found = await watched(deps, about, 'price_drop', at);
    if (!found) return [];
    const { price, currency = '' } = about;
    return [{ to: found.person, params: { ...found.thing, price_minor: Number(price), currency } }];
  },
  text: {
    ru: ({ title, price_minor, currency }) => ({
      title: 'Цена снизилась',
      body: `${title ?? THING.ru}: теперь ${amountText('ru', price_minor, currency)}.`,
    }),
    en: ({ title, price_minor, currency }) => ({
      title: 'The price has dropped',
      body: `${title ?? THING.en}: now ${amountText('en', price_minor, currency)}.`,
    }),
  },
});

const becameFree = notification(BECAME_FREE, {
  ...traits,
  params: Type.Object({ ...what, has_dates: Type.Boolean() }),
  find: async (about, { deps, at }) => {
    const found = await watched(deps, about, 'free_dates', at);
    return found ? [{ to: found.person, params: { ...found.thing, has_dates: found.stay !== null } }] : [];
  },
  text: {
    ru: ({ title, has_dates }) => ({
      title: 'Снова есть места',
      body: `${title ?? THING.ru}: можно забронировать${has_dates ? ' на ваши даты' : ''}.`,
    }),
    en: ({ title, has_dates }) => ({
      title: 'Free again',
      body: `${title ?? THING.en} can be booked${has_dates ? ' for your dates' : ''}.`,
    }),
  },
});

export const favoriteNotifications = [priceDropped, becameFree];
