/** Whether a thing that somebody wants to mark exists and can be seen, as the log has it. */

import { type ListingKind, listingKinds } from '../../domain/catalog/listings.ts';
import { room } from '../../domain/catalog/room.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import type { FavoriteKind } from '../../domain/favorites/kinds.ts';
import { forumTopic } from '../../domain/forums/topic.ts';
import { lift } from '../../domain/resort/lift.ts';
import { slope } from '../../domain/resort/slope.ts';
import { webcam } from '../../domain/resort/webcam.ts';
import { publishedEvent } from '../content/posts.ts';
import type { CoreDeps } from '../core/deps.ts';
import { isAccepted } from '../core/refusals.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;
type Exists = (deps: Deps, id: string, at: string) => Promise<boolean>;

const isPublished =
  <Details extends object, Event extends AnyEvent>({ decider }: ListingKind<Details, Event>): Exists =>
  async ({ aggregates }, id) =>
    (await aggregates.load(decider, id)).state.status === 'published';

const isHotelPublished = isPublished(listingKinds.hotel);

/** By the name of the kind. */
export const exists: Readonly<Record<FavoriteKind, Exists>> = {
  hotel: isHotelPublished,
  room: async (deps, id, at) => {
    const { hotelId } = (await deps.aggregates.load(room, id)).state;
    return hotelId !== null && isHotelPublished(deps, hotelId, at);
  },
  tour: isPublished(listingKinds.tour),
  transfer: isPublished(listingKinds.transfer),
  instructor: isPublished(listingKinds.instructor),
  restaurant: isPublished(listingKinds.restaurant),
  company: isPublished(listingKinds.company),
  slope: async ({ aggregates }, id) => (await aggregates.load(slope, id)).state.status === 'operated',
  lift: async ({ aggregates }, id) => (await aggregates.load(lift, id)).state.status === 'operated',
  webcam: async ({ aggregates }, id) => (await aggregates.load(webcam, id)).state.status === 'shown',
  topic: async ({ aggregates }, id) => (await aggregates.load(forumTopic, id)).state.status === 'open',
  event: (deps, id, at) => isAccepted(() => publishedEvent(deps, id, at)),
};
