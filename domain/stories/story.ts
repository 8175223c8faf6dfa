/**
 * A picture or a short video of a person, which everybody sees for a day: `story-<id>`. That its author deletes it and that
 * an admin removes it are two facts. Views and likes are not here: they are rows of a table (`commands/stories/views.ts`).
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { DAY_MS, isBefore } from '../core/instants.ts';
import { markOf, NO_WORDS, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { Instant, Personal, ReasonText, Uuid } from '../core/schema.ts';
import { FileFacts } from '../files/file.ts';

/** How long others see a story, in milliseconds. */
export const SHOWN_MS = DAY_MS;
/** The longest video, in seconds. */
export const MAX_VIDEO_S = 60;
export const StoryText = Type.String({ maxLength: 500 });

/** Its file, which is deleted after the event. */
const dropped = Type.Array(Uuid);

const storyEvents = {
  StoryPosted: {
    data: Type.Object({
      authorId: Uuid,
      /** The first name of the author and the initial of the last one. */
      author: Personal(Type.String()),
      /** May be empty. */
      text: Personal(StoryText),
      media: FileFacts,
      expiresAt: Instant,
    }),
    person: 'authorId',
  },
  /** By its author. `dropped` is empty while a report of it is open: admins still see it then, and its file is kept. */
  StoryDeleted: { data: Type.Object({ dropped }) },
  /** By an admin: only its author and admins still see it. */
  StoryRemoved: { data: Type.Object({ authorId: Uuid, reason: Personal(ReasonText) }), person: 'authorId' },
  /** By an admin, such as after an appeal: others see it again until it expires. */
  StoryRestored: { data: Type.Object({}) },
  /** It expired so long ago that it is not kept any more. */
  StoryEnded: { data: Type.Object({ dropped }) },
} as const satisfies EventDeclarations;
export type StoryEvent = EventsOf<typeof storyEvents>;

type New = Static<typeof storyEvents.StoryPosted.data>;
export type StoryCommand =
  | ({ readonly type: 'PostStory' } & New)
  /** `isReported`: whether a report of it waits for an answer. */
  | { readonly type: 'DeleteStory'; readonly by: string; readonly isReported: boolean }
  | { readonly type: 'RemoveStory'; readonly reason: string }
  | { readonly type: 'RestoreStory' }
  | { readonly type: 'EndStory' };

export interface OpenStory extends Readonly<New> {
  /** `deleted`: by its author, and kept for admins. */
  readonly status: 'shown' | 'removed' | 'deleted';
  /** Why it was removed the last time. */
  readonly words: WordsMark;
  /** How often it was removed: each can be appealed once. */
  readonly removals: number;
}
export type Story = { readonly status: 'none' } | { readonly status: 'gone' } | OpenStory;

/** Whether others may see it at an instant. */
export const isShownAt = (state: Story, at: string): state is OpenStory =>
  state.status === 'shown' && isBefore(at, state.expiresAt);

/** @throws Rejected `invalid` */
export const assertMedia = ({ durationS }: Pick<FileFacts, 'durationS'>): void => {
  if (durationS !== null && durationS > MAX_VIDEO_S)
    throw new Rejected('invalid', `This video is longer than ${MAX_VIDEO_S} s. Shorten it, and upload it again.`, {
      fields: ['media_id'],
    });
};

const decide = (command: StoryCommand, state: Story): StoryEvent[] => {
  if (command.type === 'PostStory') {
    const { type, ...data } = command;
    if (state.status !== 'none') return [];
    assertMedia(data.media);
    return [{ type: 'StoryPosted', data }];
  }
  if (state.status === 'gone' && command.type !== 'RemoveStory') return [];
  if (state.status === 'none' || state.status === 'gone') throw notFound('story');
  const data = { dropped: [state.media.fileId] };
  switch (command.type) {
    case 'DeleteStory':
      if (command.by !== state.authorId) throw notFound('story');
      if (state.status === 'deleted') return [];
      return [{ type: 'StoryDeleted', data: command.isReported ? { dropped: [] } : data }];
    case 'RemoveStory':
      if (state.status === 'deleted') return [];
      if (state.status === 'removed') return saidBefore('This story was removed before', state.words, command.reason);
      return [{ type: 'StoryRemoved', data: { authorId: state.authorId, reason: command.reason } }];
    case 'RestoreStory':
      return state.status === 'removed' ? [{ type: 'StoryRestored', data: {} }] : [];
    case 'EndStory':
      return [{ type: 'StoryEnded', data }];
  }
};

const evolve = (state: Story, event: StoryEvent): Story => {
  switch (event.type) {
    case 'StoryPosted':
      return { status: 'shown', words: NO_WORDS, removals: 0, ...event.data };
    case 'StoryRemoved':
      return state.status === 'shown'
        ? { ...state, status: 'removed', words: markOf(event.data.reason), removals: state.removals + 1 }
        : state;
    case 'StoryRestored':
      return 'media' in state ? { ...state, status: 'shown' } : state;
    case 'StoryDeleted':
      return event.data.dropped.length === 0 && 'media' in state ? { ...state, status: 'deleted' } : { status: 'gone' };
    case 'StoryEnded':
      return { status: 'gone' };
  }
};

export const story: Decider<Story, StoryCommand, StoryEvent> = {
  category: 'story',
  short: 'a story ends after a day',
  events: storyEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
