/** Room types of hotels, and the prices of their nights. Owners change their own, admins all. */

import { type Hotel, hotel as hotels } from '../../domain/catalog/hotel.ts';
import { type NightRange, type Room, type RoomDetails, room } from '../../domain/catalog/room.ts';
import { todayIn } from '../../domain/core/dates.ts';
import { notFound } from '../../domain/core/decider.ts';
import { derivedId } from '../../infra/ids.ts';
import { sentMinor } from '../core/amounts.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import { type Identified, ownListing } from './listings.ts';
import { type PictureInput, roomUse, withPictures } from './pictures.ts';
import { changeWithStock, roomStock, type StockDeps } from './stock.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;
/** Prices in major units of the hotel's currency: `toMinor` refuses what that has no coins for. */
export interface NewRoom extends Omit<RoomDetails, 'basePriceMinor' | 'images'> {
  readonly images: readonly PictureInput[];
  readonly pricePerNight: number;
}
export interface NightPrices extends Omit<NightRange, 'priceMinor'> {
  /** null: not for sale. */
  readonly price?: number | null;
}

const ownHotel = (deps: Deps, context: CommandContext, id: string): Promise<Hotel> =>
  ownListing(deps, context, hotels, id);

/** @throws Rejected `not_found`, also for a room of another owner */
const ownRoom = async (
  deps: Deps,
  context: CommandContext,
  id: string,
): Promise<{ room: Room; hotel: Hotel; revision: bigint | null }> => {
  const { state, revision } = await deps.aggregates.load(room, id);
  if (state.hotelId === null) throw notFound('room');
  const { hotelId } = state;
  const hotel = await unlessRejected(() => ownHotel(deps, context, hotelId));
  if (!hotel) throw notFound('room');
  return { room: state, hotel, revision };
};

const picturesOf = (id: string, before: Room['images']) => ({ usage: { kind: 'room', id }, before, isUsed: roomUse });

const basePrice = (major: number, currency: string) => ({
  basePriceMinor: sentMinor('price_per_night', major, currency),
});

/** Repeated with the same `context.commandId` it is the same room. @throws Rejected `not_found` for the hotel */
export const addRoom = async (
  deps: StockDeps,
  context: CommandContext,
  hotelId: string,
  { pricePerNight, ...details }: NewRoom,
): Promise<Identified<Room>> => {
  const { currency, ownerId } = await ownHotel(deps, context, hotelId);
  const id = derivedId(context.commandId, 'room');
  const price = basePrice(pricePerNight, currency);
  const { state } = await withPictures(deps, context, picturesOf(id, []), details, ({ images = [], ...entered }) => {
    const command = { type: 'AddRoom', hotelId, ownerId, currency, ...entered, images, ...price } as const;
    return changeWithStock(deps, context, roomStock, id, command, { state: room.initial, revision: null });
  });
  return { id, ...state };
};

/** Fields that are absent do not change. Lowering `units` cancels no booking. @throws Rejected `not_found` */
export const changeRoom = async (
  deps: StockDeps,
  context: CommandContext,
  id: string,
  { pricePerNight, ...details }: Partial<NewRoom>,
): Promise<Identified<Room>> => {
  const { room: before, hotel, revision } = await ownRoom(deps, context, id);
  const { ownerId } = hotel;
  const price = pricePerNight === undefined ? {} : basePrice(pricePerNight, before.currency);
  const { state } = await withPictures(deps, context, picturesOf(id, before.images), details, (entered) => {
    const command = { type: 'ChangeRoomDetails', ownerId, ...entered, ...price } as const;
    return changeWithStock(deps, context, roomStock, id, command, { state: before, revision });
  });
  return { id, ...state };
};

/** Sets prices and rules of nights. @throws Rejected `not_found`; `invalid` for ranges that make no sense */
export const priceNights = async (
  deps: Deps,
  context: CommandContext,
  id: string,
  prices: readonly NightPrices[],
): Promise<Identified<Room>> => {
  const { hotel } = await ownRoom(deps, context, id);
  const today = todayIn(hotel.timezone, context.at);
  const ranges = prices.map(({ price, ...range }, index): NightRange => {
    if (price === undefined) return range;
    return { ...range, priceMinor: price === null ? null : sentMinor(`ranges/${index}/price`, price, hotel.currency) };
  });
  const { state } = await deps.aggregates.handle(room, id, { type: 'PriceNights', ranges, today }, context);
  return { id, ...state };
};
