/** Appeals: filed and answered once, for everything that moderators decide about people. */
import { describe, expect, it } from 'vitest';
import { appealables } from '../../commands/modules.ts';
import { answerAppeal, fileAppeal, undoDecision } from '../../commands/reports/appeals.ts';
import type { AnyEvent } from '../../domain/core/decider.ts';
import { type AppealEvent, type AppealKind, appeal, appealKinds } from '../../domain/reports/appeal.ts';
import { voiceRecording } from '../../domain/voice/recording.ts';
import { appeals } from '../../projections/reports/appeals.ts';
import { id } from '../bookings/bookingFixtures.ts';
import { started, TOPIC, written } from '../forums/forumFixtures.ts';
import { contextOf } from '../kit/context.ts';
import { specification } from '../kit/given.ts';
import { memoryAggregates } from '../kit/memoryAggregates.ts';
import { happened, projection, toldOn } from '../kit/projected.ts';
import { about as reviewed } from '../reviews/fixtures.ts';
import { postedStory } from '../stories/storyFixtures.ts';

const [ANNA, BORIS, ADMIN] = [id(1), id(2), id(9)];
const AT = '2027-01-01T10:00:00.000Z';
const LATER = '2027-01-01T11:00:00.000Z';
const decision = { kind: 'post', id: id(100), number: 1 } as const;
const filed: AppealEvent = {
  type: 'ForumAppealFiled',
  data: { accountId: ANNA, decision, text: 'It was a joke.' },
};
const ANSWER = 'We have looked again.';
const answered = (accepted: boolean, more: { isFinal?: true } = {}): AppealEvent => ({
  type: 'ForumAppealAnswered',
  data: { accountId: ANNA, accepted, answer: ANSWER, ...more },
});

describe('an appeal', () => {
  const given = specification(appeal);
  const file = { type: 'FileAppeal', accountId: ANNA, decision, text: 'It was a joke.' } as const;
  const answer = (accepted: boolean, isFinal = false) =>
    ({ type: 'AnswerAppeal', accepted, answer: ANSWER, isFinal }) as const;

  it('is filed once and answered once', () => {
    given([]).when(file).thenOnce([filed]);
    given([filed])
      .when(answer(true))
      .thenOnce([answered(true)]);
    given([filed, answered(false)])
      .when(file)
      .then('conflict');
    given([filed, answered(false)])
      .when(answer(true))
      .then('invalid_transition');
    given([]).when(answer(true)).then('not_found');
  });

  it('says when what was decided cannot be undone; a refusal undoes nothing anyway', () => {
    given([filed])
      .when(answer(true, true))
      .thenOnce([answered(true, { isFinal: true })]);
    given([filed])
      .when(answer(false, true))
      .thenOnce([answered(false)]);
  });
});

/** How each decision comes about against Anna, and its stream. */
const decided: Readonly<Record<AppealKind, { readonly stream: string; readonly events: readonly AnyEvent[] }>> = {
  post: {
    stream: `forumPost-${id(100)}`,
    events: [
      { type: 'ForumPostRemoved', data: { topicId: TOPIC, authorId: ANNA, removal: 1, reason: 'Rude' } } as AnyEvent,
    ],
  },
  topic: {
    stream: `forumTopic-${id(100)}`,
    events: [
      { ...started, data: { ...started.data, authorId: ANNA } },
      written(),
      { type: 'ForumTopicRemoved', data: { authorId: ANNA, removal: 1, reason: 'Rude' } } as AnyEvent,
    ],
  },
  sanction: {
    stream: `forumSanction-${id(100)}`,
    events: [
      {
        type: 'ForumSanctionImposed',
        data: { accountId: ANNA, topicId: null, number: 1, until: LATER, reason: 'Spam' },
      } as AnyEvent,
    ],
  },
  review: {
    stream: `review-${id(100)}`,
    events: [
      { type: 'ReviewWritten', data: { ...reviewed, userId: ANNA } } as AnyEvent,
      { type: 'ReviewHidden', data: { userId: ANNA, reason: 'Rude' } } as AnyEvent,
    ],
  },
  story: {
    stream: `story-${id(100)}`,
    events: [
      { type: 'StoryPosted', data: { ...postedStory, authorId: ANNA } } as AnyEvent,
      { type: 'StoryRemoved', data: { authorId: ANNA, reason: 'Rude' } } as AnyEvent,
    ],
  },
  message: {
    stream: `message-${id(100)}`,
    events: [
      {
        type: 'MessageRemoved',
        data: {
          ...{ threadId: id(50), senderId: ANNA, seq: 7, fileIds: [], mentions: [], by: BORIS, reason: 'Rude' },
          ...{ formerBody: 'Rude', keptFiles: [] },
        },
      } as AnyEvent,
    ],
  },
  voice_recording: {
    stream: `voiceRecording-${id(100)}`,
    events: [
      { type: 'VoiceRecordingRequested', data: { topicId: TOPIC, requestedBy: ANNA } } as AnyEvent,
      {
        type: 'VoiceRecordingEnded',
        data: { topicId: TOPIC, location: 'a.ogg', durationS: 3, sizeBytes: 10 },
      } as AnyEvent,
      {
        type: 'VoiceRecordingHidden',
        data: { topicId: TOPIC, requestedBy: ANNA, by: BORIS, reason: 'Rude' },
      } as AnyEvent,
    ],
  },
  leaderboard_name: {
    stream: `skier-${ANNA}`,
    events: [
      { type: 'LeaderboardJoined', data: { accountId: ANNA, displayName: 'Rude' } } as AnyEvent,
      { type: 'LeaderboardNameRemoved', data: { accountId: ANNA, reason: 'Rude' } } as AnyEvent,
    ],
  },
};

describe.each(appealKinds.map((kind) => [kind]))('a decision about a %s', (kind) => {
  const { stream, events } = decided[kind];
  const subject = stream.slice(stream.indexOf('-') + 1);
  const world = () => {
    const aggregates = memoryAggregates();
    aggregates.given(stream, events);
    const deps = { aggregates, appealables };
    const by = (accountId: string, text = 'It was a joke.') =>
      fileAppeal(deps, contextOf(accountId, 'tourist', AT), { accountId, kind, id: subject, text });
    const reply = (appealId: string, accepted: boolean) =>
      answerAppeal(deps, contextOf(ADMIN, 'admin', AT), appealId, { kinds: appealKinds, accepted, answer: ANSWER });
    const stands = async () => (await appealables[kind].standing(deps, subject, AT)) !== undefined;
    return { aggregates, deps, by, reply, stands };
  };

  it('is appealed once, by the person whom it is against only', async () => {
    const { by } = world();
    await expect(by(BORIS)).rejects.toMatchObject({ code: 'not_found' });
    const { appealId } = await by(ANNA);
    expect(await by(ANNA)).toEqual({ appealId, isNew: false });
    await expect(by(ANNA, 'Other words')).rejects.toMatchObject({ code: 'conflict' });
  });

  it('holds after a refusal, which is the last word', async () => {
    const { by, reply, stands } = world();
    const { appealId } = await by(ANNA);
    await reply(appealId, false);
    expect(await stands()).toBe(true);
    await expect(by(ANNA)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is undone by an accepted appeal, again changes nothing', async () => {
    const { by, reply, stands, deps, aggregates } = world();
    const { appealId } = await by(ANNA);
    await reply(appealId, true);
    expect(await stands()).toBe(false);
    await undoDecision(deps, contextOf(ADMIN, 'admin', AT), { kind, id: subject, number: 1 });
    await expect(by(ANNA)).rejects.toMatchObject({ code: 'not_found' });
    expect(aggregates.stateOf(appeal, appealId)).toMatchObject({ status: 'answered', accepted: true, isFinal: false });
  });

  it('that was made anew can be appealed anew', async () => {
    const { by, reply, aggregates, stands } = world();
    const { appealId } = await by(ANNA);
    await reply(appealId, true);
    const again = events.at(-1) as AnyEvent;
    const numbered = { removal: 2, number: 2 };
    const counts = Object.keys(again.data as object).filter((name) => name in numbered);
    const data = { ...(again.data as object), ...Object.fromEntries(counts.map((name) => [name, 2])) };
    aggregates.given(stream, [{ ...again, data } as AnyEvent]);
    const next = await by(ANNA);
    expect(next).toMatchObject({ isNew: true });
    expect(next.appealId).not.toBe(appealId);
    await reply(next.appealId, true);
    expect(await stands()).toBe(false);
  });

  it('is answered only where its kind is', async () => {
    const { by, deps } = world();
    const { appealId } = await by(ANNA);
    const kinds = appealKinds.filter((one) => one !== kind);
    const reply = { kinds, accepted: true, answer: ANSWER };
    await expect(answerAppeal(deps, contextOf(ADMIN, 'admin', AT), appealId, reply)).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

it('an accepted appeal against the removal of a recording whose file is gone says that it cannot come back', async () => {
  const aggregates = memoryAggregates();
  const { stream, events } = decided.voice_recording;
  const gone = { type: 'VoiceRecordingRemoved', data: { topicId: TOPIC, reason: 'expired' } } as AnyEvent;
  aggregates.given(stream, [...events, gone]);
  const deps = { aggregates, appealables };
  const filing = { accountId: ANNA, kind: 'voice_recording', id: id(100), text: 'It was a joke.' } as const;
  const { appealId } = await fileAppeal(deps, contextOf(ANNA, 'tourist', AT), filing);
  const reply = { kinds: appealKinds, accepted: true, answer: ANSWER };
  await answerAppeal(deps, contextOf(ADMIN, 'admin', AT), appealId, reply);
  expect(aggregates.stateOf(appeal, appealId)).toMatchObject({ accepted: true, isFinal: true });
  expect(aggregates.stateOf(voiceRecording, id(100))).toMatchObject({ status: 'removed' });
});

describe('an appeal against a ban', () => {
  const banned = (before?: Parameters<typeof memoryAggregates>[0]) => {
    const aggregates = memoryAggregates(before);
    const { stream, events } = decided.sanction;
    const about = { kind: 'sanction', id: id(100), number: 1 } as const;
    aggregates.given(stream, events);
    aggregates.given(`forumAppeal-${id(70)}`, [{ ...filed, data: { ...filed.data, decision: about } } as never]);
    const deps = { aggregates, appealables };
    const holds = async () => (await appealables.sanction.standing(deps, id(100), AT)) !== undefined;
    const reply = (accepted: boolean) =>
      answerAppeal(deps, contextOf(ADMIN, 'admin', AT), id(70), { kinds: appealKinds, accepted, answer: ANSWER });
    return { deps, about, holds, reply };
  };

  it('that another admin refuses at the same moment lifts nothing', async () => {
    let isFirst = true;
    const { holds, reply } = banned(async ({ type }) => {
      if (type === 'FileAppeal' || !isFirst) return;
      isFirst = false;
      await reply(false);
    });
    await expect(reply(true)).rejects.toMatchObject({ code: 'invalid_transition' });
    expect(await holds()).toBe(true);
  });

  it('whose answer was recorded is carried out later, but not against a newer decision', async () => {
    const { deps, about, holds } = banned();
    await undoDecision(deps, contextOf(ADMIN, 'admin', AT), { ...about, number: 2 });
    expect(await holds()).toBe(true);
    await undoDecision(deps, contextOf(ADMIN, 'admin', AT), about);
    expect(await holds()).toBe(false);
  });
});

const rowsOf = projection(appeals);
it('who has appealed is told of the answer', () => {
  const ofAppeal = <E extends AnyEvent>(event: E, at = AT) => happened('forumAppeal', id(95), event, at);
  const [open] = rowsOf([ofAppeal(filed)]);
  expect(open).toMatchObject({ status: 'open', is_undone: null });
  const [row] = rowsOf([ofAppeal(filed), ofAppeal(answered(true), LATER)]);
  expect(row).toMatchObject({ kind: 'post', subject_id: id(100), status: 'accepted', answered_at: LATER });
  expect(row).toMatchObject({ is_undone: true });
  expect(toldOn(appeals, row ?? {})).toEqual([`realtime:user_${ANNA}`]);
  const [final] = rowsOf([ofAppeal(filed), ofAppeal(answered(true, { isFinal: true }), LATER)]);
  expect(final).toMatchObject({ status: 'accepted', is_undone: false });
  const [refused] = rowsOf([ofAppeal(filed), ofAppeal(answered(false), LATER)]);
  expect(refused).toMatchObject({ status: 'refused', is_undone: false });
});
