/** Everything that the operations write, by and about the people of the cast. */
import {
  fillAccount,
  fillDevices,
  fillFriends,
  fillMountain,
  fillPurchases,
  fillRequests,
  fillStays,
} from './filledByGuests.ts';
import { fillHotel, fillLessons, fillOutings } from './filledListings.ts';
import { fillChats, fillForums, fillStories } from './filledTogether.ts';
import type { Cast } from './people.ts';
import type { Writer } from './writer.ts';

const INDEPENDENT = [
  fillChats,
  fillForums,
  fillFriends,
  fillHotel,
  fillLessons,
  fillMountain,
  fillOutings,
  fillPurchases,
  fillRequests,
  fillStays,
  fillStories,
];

export const fillWorld = async (writer: Writer, cast: Cast): Promise<void> => {
  // First, because some of the others need a consent, and tell somebody who has a device.
  await fillAccount(writer, cast);
  await fillDevices(writer, cast);
  await Promise.all(INDEPENDENT.map((fill) => fill(writer, cast)));
};
