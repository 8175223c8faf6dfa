/** Every event of each aggregate that has snapshots, in a history that could have happened. */
import type { AnyEvent } from '../../domain/core/decider.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { issued, sold } from '../passes/passFixtures.ts';
import { promoTerms } from '../promotions/promoFixtures.ts';

const hold = (hold: number, keys: string[]) => ({ holdId: id(hold), bookingId: id(hold + 10), keys, quantity: 1 });
const change = (cause: number, causedAt?: string) => ({
  ownerId: id(1),
  currency: 'RUB',
  causeId: id(cause),
  amountMinor: 100 * cause,
  ...(causedAt && { causedAt }),
});
const payout = (n: number) => ({ payoutId: id(n), ownerId: id(1), amountMinor: 50, currency: 'RUB', postings: [] });
const details = {
  name: 'Twin',
  description: '',
  capacity: 2,
  units: 3,
  basePriceMinor: 100,
  amenities: [],
  images: [],
};

const queueReport = {
  people: 80,
  minutes: null,
  measuredAt: '2030-01-01T00:00:00.000Z',
  validUntil: '2030-01-01T00:30:00.000Z',
};
const station = { name: 'Peak', longitude: 40.3, latitude: 43.6, altitudeM: 2_320 };
const toldState = {
  status: 'hold',
  source: 'manual',
  reason: 'Wind',
  until: null,
  quietUntil: '2030-01-01T00:00:05.000Z',
};

const scan = {
  userId: id(1),
  scanId: id(40),
  gateId: 'gate-1',
  liftId: null,
  area: 2,
  scannedAt: '2026-03-08T06:00:00.000Z',
  skewMs: 0,
  isOnline: true,
};

const LATER = '2030-01-10T10:00:00.000Z';
const ticket = { ticketId: id(7) };
const watchOfStay = { reasons: ['price_drop'], stay: { checkIn: '2030-02-01', checkOut: '2030-02-03', guests: 2 } };
const daysScore = { verticalM: 900, distanceM: 4_000, runs: 3, days: 1, sessions: 1 };
const scoreOnBoard = { board: 'season 2030', before: null, after: daysScore };

/** Extend it with new events. */
export const histories: Readonly<Record<string, readonly AnyEvent[]>> = {
  inventory: [
    { type: 'CapacitySet', data: { capacity: 3 } },
    { type: 'CapacitySet', data: { capacity: 4, listingRevision: 7 } },
    { type: 'HoldPlaced', data: { ...hold(1, ['2030-01-10']), expiresAt: '2030-01-09T10:00:00.000Z' } },
    {
      type: 'HoldPlaced',
      data: { ...hold(2, ['2030-03-01']), userId: id(5), expiresAt: '2030-01-20T10:00:00.000Z' },
    },
    { type: 'HoldPlaced', data: { ...hold(3, ['2030-03-01', '2030-03-02']), expiresAt: '2030-01-20T10:00:00.000Z' } },
    { type: 'HoldPlaced', data: { ...hold(4, ['2030-03-02']), expiresAt: '2030-01-20T10:00:00.000Z' } },
    { type: 'HoldExtended', data: { holdId: id(3), bookingId: id(13), expiresAt: '2030-01-20T11:00:00.000Z' } },
    { type: 'HoldCommitted', data: hold(2, ['2030-03-01']) },
    { type: 'HoldReleased', data: { ...hold(4, ['2030-03-02']), reason: 'expired' } },
  ],
  room: [
    { type: 'RoomAdded', data: { hotelId: id(1), currency: 'RUB', ...details } },
    { type: 'RoomDetailsChanged', data: { units: 5 } },
    {
      type: 'RoomNightsPriced',
      data: { hotelId: id(1), ranges: [{ from: '2028-01-01', to: '2028-01-03', minStay: 2 }] },
    },
    {
      type: 'RoomNightsPriced',
      data: { hotelId: id(1), ranges: [{ from: '2030-01-01', to: '2030-01-03', priceMinor: 900, stopSell: true }] },
    },
  ],
  pass: [
    sold({ depositMinor: 500 }),
    issued,
    { type: 'PassHolderChanged', data: { userId: id(1), holderName: 'Anna', photoId: id(41) } },
    { type: 'PassScanned', data: { ...scan, day: '2026-03-08', startsDay: true, startsPass: null, conflict: null } },
    { type: 'PassScanRefused', data: { ...scan, scanId: id(42), reason: 'passback' } },
    { type: 'PassBlocked', data: { userId: id(1), reason: 'lost' } },
    { type: 'PassUnblocked', data: {} },
    {
      type: 'PassGivenBack',
      data: { userId: id(1), by: 'guest', reason: null, units: 2, settlesAt: '2026-03-09T06:00:00.000Z' },
    },
    { type: 'PassRefundSettled', data: { units: 2, refundMinor: 6_666 } },
    { type: 'PassCardReturned', data: { refundMinor: 500 } },
  ],
  liftQueue: [
    { type: 'LiftQueueReported', data: { source: 'manual', ...queueReport } },
    { type: 'LiftQueueReported', data: { source: 'scans', ...queueReport } },
    { type: 'LiftQueueReportWithdrawn', data: { source: 'manual' } },
  ],
  liftState: [
    {
      type: 'LiftStateTold',
      data: {
        ...toldState,
        queueMinutes: 4,
        queuePeople: null,
        queueSource: 'manual',
        queueMeasuredAt: '2030-01-01T00:00:00.000Z',
      },
    },
  ],
  resortReport: [
    { type: 'ResortStationSet', data: { key: 'peak', ...station } },
    { type: 'ResortStationSet', data: { key: 'old', ...station } },
    { type: 'ResortStationRemoved', data: { key: 'old' } },
    {
      type: 'SnowReported',
      data: { key: 'peak', depthCm: 180, new24hCm: null, new48hCm: 3, measuredAt: '2030-01-01T00:00:00.000Z' },
    },
    { type: 'AvalancheDangerReported', data: { danger: { level: 3, text: null, validUntil: null } } },
    { type: 'ResortSeasonSet', data: { season: { from: '2030-01-01', until: '2030-04-15' } } },
    { type: 'ResortNoticePosted', data: { noticeId: id(50), severity: 'info', text: 'Race', from: null, until: null } },
    { type: 'ResortNoticePosted', data: { noticeId: id(51), severity: 'info', text: 'Over', from: null, until: null } },
    { type: 'ResortNoticeRemoved', data: { noticeId: id(51) } },
  ],
  slopeState: [{ type: 'SlopeStateTold', data: toldState }],
  ownerAccount: [
    { type: 'OwnerCredited', data: change(20) },
    { type: 'OwnerCredited', data: change(21, '2030-01-01T00:00:00.000Z') },
    { type: 'OwnerDebited', data: change(22, '2030-02-01T00:00:00.000Z') },
    { type: 'OwnerCredited', data: change(23, '2030-03-10T00:00:00.000Z') },
    {
      type: 'RefundReserved',
      data: { ownerId: id(1), currency: 'RUB', refundId: id(30), paymentId: id(31), amountMinor: 70 },
    },
    {
      type: 'RefundReserved',
      data: { ownerId: id(1), currency: 'RUB', refundId: id(32), paymentId: id(31), amountMinor: 10 },
    },
    { type: 'RefundReservationEnded', data: { ownerId: id(1), currency: 'RUB', refundId: id(32), paymentId: id(31) } },
    { type: 'PayoutRequested', data: payout(40) },
    { type: 'PayoutPaid', data: { ...payout(40), reference: 'PP-1' } },
    { type: 'PayoutRequested', data: payout(41) },
    { type: 'PayoutFailed', data: { ...payout(41), reason: 'closed' } },
    { type: 'PayoutRequested', data: payout(42) },
  ],
  thread: [
    { type: 'ThreadStarted', data: { type: 'group', startedBy: id(1), memberIds: [id(1), id(2)], title: 'Ski' } },
    { type: 'ThreadRenamed', data: { renameId: id(9), by: id(1), title: 'Snow' } },
    { type: 'MemberAdded', data: { accountId: id(3), by: id(1), afterSeq: 0 } },
    { type: 'MemberAdded', data: { accountId: id(4), by: id(1), afterSeq: 0 } },
    { type: 'MemberRoleChanged', data: { accountId: id(3), role: 'admin' } },
    { type: 'MemberLeft', data: { accountId: id(2) } },
    { type: 'MemberRemoved', data: { accountId: id(4), by: id(1) } },
    { type: 'MessageSent', data: { messageId: id(50), seq: 1, senderId: id(1), body: 'Hello' } },
    { type: 'MessageSent', data: { messageId: id(51), seq: 2, senderId: id(3), body: 'Hi' } },
  ],
  forumTopic: [
    { type: 'ForumTopicStarted', data: { authorId: id(1), categoryId: id(8), title: 'Powder' } },
    { type: 'ForumPostWritten', data: { postId: id(50), seq: 1, authorId: id(1), body: 'Where?' } },
    { type: 'ForumPostWritten', data: { postId: id(51), seq: 2, authorId: id(2), body: 'Here.' } },
    { type: 'ForumTopicRenamed', data: { renameId: id(9), by: id(1), title: 'Snow' } },
    { type: 'ForumTopicMoved', data: { categoryId: id(7) } },
    { type: 'ForumTopicPinned', data: {} },
    { type: 'ForumTopicUnpinned', data: {} },
    { type: 'ForumTopicLocked', data: {} },
    { type: 'ForumTopicUnlocked', data: {} },
    { type: 'ForumTopicLocked', data: {} },
    { type: 'ForumTopicRemoved', data: { authorId: id(1), removal: 1, reason: 'Rude' } },
    { type: 'ForumTopicRestored', data: {} },
    { type: 'ForumTopicDeleted', data: { authorId: id(1), postId: id(50), fileIds: [] } },
  ],
  forumReader: [{ type: 'ForumTopicRead', data: { topicId: id(1), accountId: id(2), upToSeq: 7 } }],
  voiceRoom: [
    { type: 'VoiceRoomOpened', data: { openedBy: id(1) } },
    { type: 'VoiceParticipantJoined', data: { connectionId: 'PA_1', accountId: id(1) } },
    { type: 'VoiceParticipantJoined', data: { connectionId: 'PA_2', accountId: id(2) } },
    { type: 'VoiceParticipantLeft', data: { connectionId: 'PA_1', accountId: id(1) } },
    { type: 'VoiceRecordingReserved', data: { recordingId: id(5) } },
    { type: 'VoiceRecordingFreed', data: { recordingId: id(5) } },
    { type: 'VoiceRecordingReserved', data: { recordingId: id(6) } },
    { type: 'VoiceParticipantRecorded', data: { recordingId: id(6), accountId: id(2) } },
    { type: 'VoiceRoomClosed', data: {} },
  ],
  promoCode: [
    { type: 'PromoCodeCreated', data: { code: 'SNOW', terms: promoTerms } },
    { type: 'PromoCodeTermsChanged', data: { terms: { ...promoTerms, uses: 9 } } },
    {
      type: 'PromoUseReserved',
      data: { kind: 'booking', itemId: id(60), userId: id(1), until: '2030-01-10T10:00:00.000Z' },
    },
    {
      type: 'PromoUseReserved',
      data: { kind: 'booking', itemId: id(61), userId: id(2), until: '2030-01-10T10:00:00.000Z' },
    },
    {
      type: 'PromoUseReserved',
      data: { kind: 'purchase', itemId: id(62), userId: id(3), until: '2030-01-10T10:00:00.000Z' },
    },
    { type: 'PromoUseTaken', data: { kind: 'booking', itemId: id(61), userId: id(2) } },
    { type: 'PromoUseReleased', data: { itemId: id(62) } },
    { type: 'PromoCodePaused', data: {} },
    { type: 'PromoCodeResumed', data: {} },
  ],
  threadMember: [
    { type: 'ThreadRead', data: { threadId: id(1), accountId: id(2), upToSeq: 7 } },
    { type: 'ThreadPreferencesChanged', data: { threadId: id(1), accountId: id(2), pinned: true } },
    { type: 'ThreadHidden', data: { threadId: id(1), accountId: id(2), upToSeq: 7 } },
    { type: 'ThreadShown', data: { threadId: id(1), accountId: id(2) } },
    { type: 'ThreadHidden', data: { threadId: id(1), accountId: id(2), upToSeq: 9 } },
  ],
  auditLog: [
    { type: 'AuditRead', data: { what: 'events', query: {} } },
    { type: 'ContentShown', data: { accountId: id(1), what: 'events', query: {}, reason: 'A complaint' } },
  ],
  callLine: [
    { type: 'LineTaken', data: { callId: id(2), callerId: id(1), calleeId: id(3), kind: 'audio' } },
    { type: 'LineFreed', data: { callId: id(2) } },
    { type: 'LineTaken', data: { callId: id(4), callerId: id(3), calleeId: id(1), kind: 'video' } },
  ],
  favorites: [
    { type: 'FavoriteAdded', data: { target: { kind: 'hotel', id: id(2) } } },
    { type: 'FavoriteAdded', data: { target: { kind: 'tour', id: id(3) } } },
    { type: 'FavoriteWatchSet', data: { target: { kind: 'hotel', id: id(2) }, watch: watchOfStay } },
    { type: 'FavoriteRemoved', data: { target: { kind: 'tour', id: id(3) } } },
  ],
  supportDesk: [
    { type: 'TicketOpened', data: { ...ticket, threadId: id(9), subject: null, upToSeq: 1 } },
    { type: 'TicketAsked', data: { ...ticket, seq: 2 } },
    { type: 'TicketTaken', data: { ...ticket, agentId: id(5), answerBy: LATER } },
    { type: 'TicketReturned', data: { ...ticket, agentId: id(5), reason: 'agent' } },
    { type: 'TicketAnswered', data: { ...ticket, agentId: id(5), seq: 3 } },
    { type: 'TicketResolved', data: { ...ticket, by: id(5), upToSeq: 3 } },
    { type: 'TicketReopened', data: { ...ticket, seq: 4 } },
    { type: 'TicketAnswered', data: { ...ticket, agentId: id(5), seq: 5 } },
    { type: 'TicketAwaitsAnswer', data: { ...ticket, agentId: id(5), seq: 6, answerBy: LATER } },
  ],
  skier: [
    { type: 'LeaderboardJoined', data: { accountId: id(1), displayName: 'Eagle' } },
    { type: 'LeaderboardNameRemoved', data: { accountId: id(1), reason: 'Rude' } },
    { type: 'LeaderboardNameRestored', data: { accountId: id(1), displayName: 'Eagle' } },
    { type: 'LeaderboardLeft', data: { accountId: id(1), boards: [] } },
    { type: 'LeaderboardJoined', data: { accountId: id(1), displayName: 'Hawk' } },
    { type: 'LeaderboardScoresShown', data: { accountId: id(1), boards: [scoreOnBoard] } },
    {
      type: 'SkiDayCounted',
      data: {
        ...{ accountId: id(1), sessionId: id(8), day: '2030-01-10', cause: 'tracked' },
        ...{ track: { verticalM: 900, distanceM: 4_000, runs: 3 }, total: daysScore, boards: [scoreOnBoard] },
      },
    },
  ],
};
