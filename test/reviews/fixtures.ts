import type { FileFacts } from '../../domain/files/file.ts';

/** A review of a stay by Anna, in a hotel of Boris. */
export const ANNA = '018f0000-0000-7000-8000-00000000000a';
export const BORIS = '018f0000-0000-7000-8000-00000000000b';
export const OTHER = '018f0000-0000-7000-8000-00000000000c';
export const HOTEL = '018f0000-0000-7000-8000-0000000000a1';
export const AT = '2027-01-10T00:00:00.000Z';
export const UNTIL = '2027-01-15T00:00:00.000Z';

export const about = {
  bookingId: '018f0000-0000-7000-8000-0000000000b1',
  userId: ANNA,
  sellerId: BORIS,
  targetType: 'hotel',
  targetId: HOTEL,
  rating: 4,
  text: 'Warm, quiet, close to the lift.',
  pictures: [] as FileFacts[],
  author: 'Anna O.',
  editableUntil: UNTIL,
} as const;
