/**
 * Seeds the offers of the demo other than rooms. Ids derive from slugs, so that an interrupted seeding can be repeated.
 */

import { addListing, type ListingInput } from '../../commands/catalog/listings.ts';
import type { CommandContext } from '../../commands/core/handle.ts';
import type { CommandDeps } from '../../commands/modules.ts';
import { type ListingKind, listingKinds } from '../../domain/catalog/listings.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { concurrentEach } from '../../infra/concurrentEach.ts';
import { sampleCompanies } from './companies.ts';
import { sampleInstructors } from './instructors.ts';
import type { Sample } from './offers.ts';
import { CURRENCY, image, TIMEZONE } from './resort.ts';
import { sampleRestaurants } from './restaurants.ts';
import { sampleTours } from './tours.ts';
import { sampleTransfers } from './transfers.ts';

/** Number of listings that are created at the same time. */
const AT_ONCE = 32;

type Owners = Readonly<Record<keyof typeof sampleCompanies, { readonly id: string }>>;

/** Seeds tours, restaurants, transfers, instructors, and the companies of them and of the hotels. */
export const seedListings = async (
  deps: CommandDeps,
  contextFor: (...name: string[]) => CommandContext,
  owners: Owners,
): Promise<void> => {
  const all: (() => Promise<unknown>)[] = [];
  const offer = <Details extends object, Event extends AnyEvent>(
    owner: keyof Owners,
    kind: ListingKind<Details, Event>,
    ...samples: readonly Sample<Details>[]
  ) => {
    for (const { slug, details } of samples) {
      // The compiler cannot see that the details without images, plus images, are the details.
      const shown = { ...kind.defaults, ...details, images: [image(slug, 'main')] } as unknown as ListingInput<Details>;
      const input = { ownerId: owners[owner].id, timezone: TIMEZONE, currency: CURRENCY, details: shown };
      all.push(() => addListing(deps, contextFor(kind.decider.category, slug), kind, input));
    }
  };
  offer('touroperator', listingKinds.tour, ...sampleTours);
  offer('restaurant', listingKinds.restaurant, ...sampleRestaurants);
  offer('transfer', listingKinds.transfer, ...sampleTransfers);
  offer('instructor', listingKinds.instructor, ...sampleInstructors);
  for (const [owner, sample] of Object.entries(sampleCompanies))
    offer(owner as keyof Owners, listingKinds.company, sample);
  await concurrentEach(all, AT_ONCE, async (add) => {
    await add();
  });
};
