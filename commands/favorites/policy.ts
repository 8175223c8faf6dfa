/** Keeps the watches like the favourites, and has watched things looked at when something changes there. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import { lookForOne, lookSoon } from './lookAtWatched.ts';
import { keepWatch, rememberRoom } from './watches.ts';

type Watching = Recorded<EventOf<'FavoriteWatchSet' | 'FavoriteRemoved'>>;
const keep: PolicyHandler<Watching> = async ({ streamId: person, data }, { deps, context }) => {
  await keepWatch(deps, person, data.target);
  // At once, so that the person knows the price from which it drops.
  if ('watch' in data && data.watch) await lookForOne(deps, context, data.target.id, person);
};

const changed: PolicyHandler<Recorded> = ({ streamId, meta }, { deps }) => lookSoon(deps, meta, streamId);

export const favoritePolicy = policy('favorites', {
  FavoriteWatchSet: keep,
  FavoriteRemoved: keep,
  RoomAdded: ({ streamId, data }, { deps }) => rememberRoom(deps.pool, streamId, data.hotelId),
  RoomDetailsChanged: changed,
  RoomNightsPriced: changed,
  CapacitySet: changed,
  HoldPlaced: changed,
  HoldReleased: changed,
  HotelDetailsChanged: changed,
  HotelPublished: changed,
  HotelClosed: changed,
  TourDetailsChanged: changed,
  TourPublished: changed,
  TransferDetailsChanged: changed,
  TransferPublished: changed,
  InstructorDetailsChanged: changed,
  InstructorPublished: changed,
});
