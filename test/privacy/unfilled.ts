/** Operations with texts or coordinates that the proof does not mark, and why they are about nobody who could be erased. */
const PLATFORM = 'what admins write about the platform';
const MOUNTAIN = 'the mountain, as admins describe it';
const BOOKS = 'what admins and the bank say about money, for the books';
const GATE = 'the name of a gate';
const VOICE =
  'a recording, for which people have to be in a room of a voice server: what is kept is declared, and erased as all else';

export const unfilled: Readonly<Record<string, string>> = {
  'PUT /api/v1/admin/consent-policies/:purpose': PLATFORM,
  'PATCH /api/v1/platform/config': PLATFORM,
  'POST /api/v1/admin/platform/config/revert': PLATFORM,
  'PATCH /api/v1/platform/flags': PLATFORM,
  'POST /api/v1/admin/flags': PLATFORM,
  'PUT /api/v1/admin/flags/:key': PLATFORM,
  'POST /api/v1/admin/flag-segments': PLATFORM,
  'PUT /api/v1/admin/flag-segments/:id': PLATFORM,
  'POST /api/v1/push/send': PLATFORM,
  'POST /api/v1/admin/api-keys': 'a partner',
  'POST /auth/email/send-code':
    'an address that a code goes to: encrypted with the key of the account until it is sent',
  'POST /api/v1/me/sign-in-methods/links': 'a page of the app',
  'POST /api/v1/me/sign-in-methods': 'what a provider says: only a keyed fingerprint of who it is about is kept',
  'POST /api/v1/badges/admin': PLATFORM,
  'PUT /api/v1/badges/admin/:id': PLATFORM,
  'PATCH /api/v1/recommendations/config': PLATFORM,
  'POST /api/v1/admin/posts': PLATFORM,
  'PATCH /api/v1/admin/posts/:id': PLATFORM,
  'POST /api/v1/admin/forums/categories': PLATFORM,
  'PATCH /api/v1/admin/forums/categories/:id': PLATFORM,
  'POST /api/v1/stories/admin': PLATFORM,
  'PUT /api/v1/stories/admin/:id': PLATFORM,
  'POST /api/v1/admin/projections/parked/retry': 'names of a read model and a stream',
  'POST /api/v1/admin/ski-pass/tariffs': PLATFORM,
  'PATCH /api/v1/admin/ski-pass/tariffs/:id': PLATFORM,
  'POST /api/v1/admin/insurance/products': PLATFORM,
  'PATCH /api/v1/admin/insurance/products/:id': PLATFORM,
  'POST /api/v1/admin/pass/closures': MOUNTAIN,
  'POST /api/v1/pass/scan': GATE,
  'POST /api/v1/pass/scans': GATE,
  'POST /api/v1/resort/lifts': MOUNTAIN,
  'PATCH /api/v1/resort/lifts/:id': MOUNTAIN,
  'POST /api/v1/resort/lifts/status': MOUNTAIN,
  'POST /api/v1/resort/slopes/status': MOUNTAIN,
  'POST /api/v1/resort/slopes': MOUNTAIN,
  'PATCH /api/v1/resort/slopes/:id': MOUNTAIN,
  'PUT /api/v1/resort/stations/:station': MOUNTAIN,
  'PUT /api/v1/resort/avalanche': MOUNTAIN,
  'POST /api/v1/resort/notices': MOUNTAIN,
  'POST /api/v1/webcams/admin': MOUNTAIN,
  'PUT /api/v1/webcams/admin/:id': MOUNTAIN,
  'DELETE /api/v1/forums/voice/recordings/:id': VOICE,
  'POST /api/v1/forums/voice/recordings/:id/report': VOICE,
  'POST /api/v1/admin/voice-recording-reports/:id/resolve': VOICE,
  'POST /api/v1/admin/ledger/chargebacks': BOOKS,
  'POST /api/v1/admin/ledger/chargebacks/:id/won': BOOKS,
  'POST /api/v1/admin/notifications/dismiss': 'the name of a reason of the review',
  'POST /api/v1/admin/payouts/:id/paid': BOOKS,
  'POST /api/v1/admin/payouts/:id/failed': BOOKS,
  'POST /api/v1/admin/ledger/settlements': BOOKS,
  'POST /api/v1/admin/ledger/corrections': BOOKS,
  'POST /api/v1/admin/ledger/adjustments/:id/reject': BOOKS,
};

/** Marks that no table and no event ever has in the clear, and why. */
export const keptNowhere: readonly (readonly [place: RegExp, why: string])[] = [
  [/^POST \/auth\/(login|refresh|confirm|sms)/, 'credentials: at most a keyed hash is kept, for some hours'],
  [/users\/password/, 'credentials: a hash is kept'],
  [/^(metadata of a picture|a PDF|name of a file)$/, 'in the file, if anywhere'],
  [/friends\/invite email/, 'a keyed hash is kept, and a hint like a…@example.test'],
  [/^(a search|a forged webhook)$/, 'nothing is kept of it'],
  [/\/quote/, 'nothing is kept of a quote'],
  [/review-reports\/.* reason$/, 'there is nobody to tell: nothing is removed'],
  [/sos\/.*\*$/, 'fields that nobody knows are dropped'],
];
