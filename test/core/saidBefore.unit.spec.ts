/** What was decided with words and is decided again: the same words change nothing, others are refused, wherever there are words. */
import { type TSchema, TypeGuard } from '@sinclair/typebox';
import { describe, expect, it } from 'vitest';
import { roleRequest } from '../../domain/accounts/roleRequest.ts';
import { booking } from '../../domain/bookings/booking.ts';
import { message } from '../../domain/chat/message.ts';
import type { AnyEvent, Decider } from '../../domain/core/decider.ts';
import { ERASED } from '../../domain/core/schema.ts';
import { forumPost } from '../../domain/forums/post.ts';
import { forumTopic } from '../../domain/forums/topic.ts';
import { skier } from '../../domain/leaderboards/skier.ts';
import { adjustment } from '../../domain/ledger/adjustment.ts';
import { ownerAccount } from '../../domain/ledger/ownerAccount.ts';
import { allEvents } from '../../domain/modules.ts';
import { passClosures } from '../../domain/passes/closures.ts';
import { pass } from '../../domain/passes/pass.ts';
import { purchase } from '../../domain/purchases/purchase.ts';
import { appeal } from '../../domain/reports/appeal.ts';
import { report } from '../../domain/reports/report.ts';
import { lift } from '../../domain/resort/lift.ts';
import { review } from '../../domain/reviews/review.ts';
import { story } from '../../domain/stories/story.ts';
import { trackReview } from '../../domain/tracking/review.ts';
import { voiceRecording } from '../../domain/voice/recording.ts';
import { historyOf } from '../bookings/bookingCommands.ts';
import { at, GUEST, id } from '../bookings/bookingFixtures.ts';
import { moscow, sold } from '../passes/passFixtures.ts';
import { made } from '../purchases/productFixtures.ts';
import { about } from '../reviews/fixtures.ts';

interface Case {
  readonly decider: Decider<never, never, never>;
  readonly before?: readonly AnyEvent[];
  readonly say: (words: string | null) => object;
  /** Words can be left out. */
  readonly isOptional?: true;
}
const nothing = { received: { paymentIds: [], minor: 0 }, at: at(1) };
const asked = { requestedBy: id(1), reason: 'Fee', amountMinor: 100, currency: 'RUB', debit: 'fees', credit: 'bank' };
const account = [
  {
    type: 'OwnerCredited',
    data: { causeId: id(10), causedAt: at(0), ownerId: id(2), currency: 'RUB', amountMinor: 9_000 },
  },
  {
    type: 'PayoutRequested',
    data: { payoutId: id(20), ownerId: id(2), currency: 'RUB', amountMinor: 9_000, postings: [], requestedBy: id(3) },
  },
];
const decision = { kind: 'post', id: id(4), number: 1 };
const text = { writtenAt: at(0), files: [], body: 'Rude', mentions: [] };
const post = { of: { topicId: id(5), authorId: GUEST }, ...text };
const topic = [{ type: 'ForumTopicStarted', data: { authorId: GUEST, categoryId: id(6), title: 'Snow' } }];
const role = {
  type: 'RoleRequested',
  data: { requestId: id(7), role: 'hotelier', companyName: 'Inn', documents: [], comment: null },
};
const filing = (text: string) => ({ type: 'FileAppeal', accountId: GUEST, decision, text });
const subject = { kind: 'message', id: id(8), within: null };
const sent = { of: { threadId: id(6), authorId: GUEST, seq: 1 }, ...text };
const named = { type: 'LeaderboardJoined', data: { accountId: GUEST, displayName: 'Powder', boards: [] } };
const media = { fileId: id(9), kind: 'image', durationS: null };
const told = { type: 'StoryPosted', data: { authorId: GUEST, author: 'Anna', text: '', media, expiresAt: at(90) } };

/** By the event that the words are in. */
const cases: Readonly<Record<string, Case>> = {
  BookingCancelled: {
    decider: booking as never,
    before: historyOf.pending_payment,
    say: (reason) => ({ type: 'Cancel', by: 'guest', reason, ...nothing }),
    isOptional: true,
  },
  BookingRejected: {
    decider: booking as never,
    before: historyOf.pending_payment,
    say: (reason) => ({ type: 'Reject', by: 'provider', reason, ...nothing }),
    isOptional: true,
  },
  PurchaseCancelled: {
    decider: purchase as never,
    before: [made],
    say: (reason) => ({ type: 'Cancel', by: 'guest', reason, ...nothing }),
    isOptional: true,
  },
  PassBlocked: {
    decider: pass as never,
    before: [sold()],
    say: (reason) => ({ type: 'BlockPass', reason, at: moscow(2, '10:00') }),
  },
  PassGivenBack: {
    decider: pass as never,
    before: [sold()],
    say: (reason) => ({ type: 'GiveBackPass', by: 'guest', reason, at: moscow(2, '10:00') }),
    isOptional: true,
  },
  PassDaysGivenBack: {
    decider: passClosures as never,
    say: (reason) => ({ type: 'GiveDaysBack', from: '2026-03-09', to: '2026-03-10', reason, at: at(1) }),
  },
  ReviewHidden: {
    decider: review as never,
    before: [{ type: 'ReviewWritten', data: about }],
    say: (reason) => ({ type: 'HideReview', reason }),
  },
  StoryRemoved: { decider: story as never, before: [told], say: (reason) => ({ type: 'RemoveStory', reason }) },
  ForumPostRemoved: {
    decider: forumPost as never,
    say: (reason) => ({ type: 'RemoveText', written: post, by: id(9), reason }),
  },
  ForumTopicRemoved: {
    decider: forumTopic as never,
    before: topic,
    say: (reason) => ({ type: 'RemoveTopic', reason }),
  },
  ForumAppealFiled: { decider: appeal as never, say: (text) => filing(text as string) },
  ForumAppealAnswered: {
    decider: appeal as never,
    before: [{ type: 'ForumAppealFiled', data: { accountId: GUEST, decision, text: 'I did not' } }],
    say: (answer) => ({ type: 'AnswerAppeal', accepted: false, answer, isFinal: false }),
  },
  MessageRemoved: {
    decider: message as never,
    say: (reason) => ({ type: 'RemoveText', written: sent, by: id(9), reason }),
  },
  VoiceRecordingHidden: {
    decider: voiceRecording as never,
    before: [
      { type: 'VoiceRecordingRequested', data: { topicId: id(6), requestedBy: GUEST } },
      { type: 'VoiceRecordingEnded', data: { topicId: id(6), location: 'a.ogg', durationS: 3, sizeBytes: 1 } },
    ],
    say: (reason) => ({ type: 'HideRecording', by: id(9), reason }),
  },
  LeaderboardNameRemoved: {
    decider: skier as never,
    before: [named],
    say: (reason) => ({ type: 'RemoveName', accountId: GUEST, displayName: 'Powder', reason }),
  },
  TrackDisqualified: {
    decider: trackReview as never,
    say: (reason) => ({ type: 'DisqualifyTrack', accountId: GUEST, day: '2026-03-08', reason }),
  },
  ContentReported: {
    decider: report as never,
    say: (reason) => ({ type: 'ReportContent', reporterId: GUEST, subject, reason }),
  },
  RoleRequestRejected: {
    decider: roleRequest as never,
    before: [role],
    say: (reason) => ({ type: 'Reject', requestId: id(7), reason }),
  },
  LiftRetired: {
    decider: lift as never,
    before: [{ type: 'LiftAdded', data: { name: 'East' } }],
    say: (reason) => ({ type: 'RetireFacility', reason }),
    isOptional: true,
  },
  AdjustmentRejected: {
    decider: adjustment as never,
    before: [{ type: 'CorrectionRequested', data: asked }],
    say: (reason) => ({ type: 'RejectAdjustment', by: id(1), reason }),
  },
  PayoutFailed: {
    decider: ownerAccount as never,
    before: account,
    say: (reason) => ({ type: 'FailPayout', payoutId: id(20), reason }),
  },
  PayoutPaid: {
    decider: ownerAccount as never,
    before: account,
    say: (reference) => ({ type: 'ConfirmPayout', payoutId: id(20), reference }),
  },
};

/** Words of people that are decided otherwise, and why nothing is lost. */
const others: Readonly<Record<string, string>> = {
  SlopeRetired: 'the same as LiftRetired',
  ForumSanctionImposed: 'other words impose it anew',
  CorrectionRequested: 'each request is an adjustment of its own',
  ChargebackRequested: 'each request is an adjustment of its own',
  ChargebackWonRequested: 'each request is an adjustment of its own',
  SettlementPosted: 'compared as a reference, in domain/ledger/settlement.ts',
  PlatformConfigChanged: 'why something changes; without a change there is nothing to say',
  PlanConfigChanged: 'why something changes; without a change there is nothing to say',
  FeatureFlagCreated: 'why something changes; without a change there is nothing to say',
  FeatureFlagRedefined: 'why something changes; without a change there is nothing to say',
  FeatureFlagSwitched: 'why something changes; without a change there is nothing to say',
  LiftStateTold: 'what the state of the lift says',
  SlopeStateTold: 'what the state of the slope says',
  ContentShown: 'each reading is recorded',
  ReviewAnswered: 'other words change the answer',
};

const WORDS = new Set(['reason', 'answer', 'reference']);
/** A text that people write: no value of a list, no instant. */
const isFreeText = (schema: TSchema): boolean =>
  TypeGuard.IsUnion(schema)
    ? schema.anyOf.some((each) => isFreeText(each))
    : schema.type === 'string' && schema.enum === undefined && schema.format === undefined;

describe('said again', () => {
  const stateAfter = (decider: Case['decider'], events: readonly AnyEvent[]) =>
    events.reduce(decider.evolve as never, decider.initial as never) as never;
  it.each(Object.entries(cases))('%s', (type, { decider, before = [], say, isOptional }) => {
    const first = decider.decide(say('Storm') as never, stateAfter(decider, before)) as AnyEvent[];
    expect(first.map((event) => event.type)).toContain(type);
    const after = stateAfter(decider, [...before, ...first]);
    const again = (words: string | null) => decider.decide(say(words) as never, after);
    expect(again('Storm')).toEqual([]);
    expect(() => again('Fog')).toThrow(expect.objectContaining({ code: 'conflict' }));
    if (isOptional) {
      expect(again(null)).toEqual([]);
      const silent = decider.decide(say(null) as never, stateAfter(decider, before)) as AnyEvent[];
      const saidLater = () => decider.decide(say('Fog') as never, stateAfter(decider, [...before, ...silent]));
      expect(saidLater).toThrow(expect.objectContaining({ code: 'conflict' }));
    }
    // Once its person was erased, nobody can tell.
    const erased = JSON.parse(JSON.stringify(first).replaceAll('Storm', ERASED)) as AnyEvent[];
    expect(decider.decide(say('Fog') as never, stateAfter(decider, [...before, ...erased]))).toEqual([]);
  });

  it('is silent where the system repeats an end that somebody has given a reason', () => {
    const ended = stateAfter(booking as never, historyOf.cancelled);
    const command = { type: 'Cancel', by: 'system', reason: 'other', ...nothing } as const;
    expect(booking.decide(command, ended)).toEqual([]);
    const { before = [], say, decider } = cases.PassGivenBack as Case;
    const given = decider.decide(say('ill') as never, stateAfter(decider, before)) as AnyEvent[];
    const cancelled = { ...say('Another plan'), isPartOfPurchase: true };
    expect(decider.decide(cancelled as never, stateAfter(decider, [...before, ...given]))).toEqual([]);
  });

  it('a pass that a chargeback has blocked takes the reason of an admin', () => {
    const blocked = stateAfter(pass as never, [
      sold(),
      { type: 'PassBlocked', data: { userId: GUEST, reason: null, chargebackId: id(70) } },
    ]);
    expect(pass.decide({ type: 'BlockPass', reason: 'Sold on', at: moscow(2, '10:00') }, blocked)).toHaveLength(1);
  });

  it('every event with words of people has a case', () => {
    const withWords = Object.entries(allEvents).flatMap(([type, { data }]) =>
      Object.entries(data.properties ?? {}).some(([name, schema]) => WORDS.has(name) && isFreeText(schema as TSchema))
        ? [type]
        : [],
    );
    const known = [...Object.keys(cases), ...Object.keys(others)];
    expect(withWords.filter((type) => !known.includes(type))).toEqual([]);
    expect(Object.keys(others).filter((type) => !(type in allEvents))).toEqual([]);
  });
});
