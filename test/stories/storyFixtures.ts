/** Stories as they come out of the ordinary, for specs to vary. */
import type { FileFacts } from '../../domain/files/file.ts';
import type { ResortStoryContent } from '../../domain/stories/resortStory.ts';
import { at, GUEST, id } from '../bookings/bookingFixtures.ts';

export const media: FileFacts = {
  ...{ fileId: id(30), folder: 'stories', mime: 'image/jpeg', size: 1_000 },
  ...{ width: 400, height: 300, durationS: null, thumbnailSize: 100 },
};

/** Shown for the day that begins at `at(0)`. */
export const postedStory = { authorId: GUEST, author: 'Anna O.', text: 'Fresh snow', media, expiresAt: at(1_440) };

/** Shown for an hour. */
export const content: ResortStoryContent = {
  ...{ title: 'Night skiing', text: 'Until midnight', media, link: 'https://resort.test/night', roles: [] },
  ...{ publishAt: at(0), expiresAt: at(60) },
};
