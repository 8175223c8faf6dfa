/** A story of the resort, written by admins: who sees it, when, and where it leads. `resortStory-<id>`. */
import { type Static, Type } from '@sinclair/typebox';
import { Role } from '../accounts/role.ts';
import { Text } from '../catalog/listing.ts';
import {
  type Decider,
  type EventDeclarations,
  type EventsOf,
  notFound,
  Rejected,
  requireExisting,
} from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { hasCome, isBefore } from '../core/instants.ts';
import { Instant, Nullable, Uuid, WebUrl } from '../core/schema.ts';
import { FileFacts } from '../files/file.ts';
import { assertMedia, StoryText } from './story.ts';

export const ResortStoryContent = Type.Object({
  title: Text(200),
  text: StoryText,
  media: FileFacts,
  link: Nullable(WebUrl),
  /** Who sees it; empty: everybody. */
  roles: Type.Array(Role, { maxItems: 20, uniqueItems: true }),
  publishAt: Instant,
  expiresAt: Instant,
});
export type ResortStoryContent = Static<typeof ResortStoryContent>;

/** Files that it does not show any more: they are deleted after the event. */
const dropped = Type.Array(Uuid);
const resortStoryEvents = {
  ResortStoryCreated: { data: Type.Object({ content: ResortStoryContent }) },
  ResortStoryChanged: { data: Type.Object({ content: ResortStoryContent, dropped }) },
  ResortStoryDeleted: { data: Type.Object({ dropped }) },
} as const satisfies EventDeclarations;
export type ResortStoryEvent = EventsOf<typeof resortStoryEvents>;

export type ResortStoryCommand =
  | { readonly type: 'CreateResortStory'; readonly content: ResortStoryContent }
  | { readonly type: 'ChangeResortStory'; readonly content: ResortStoryContent }
  | { readonly type: 'DeleteResortStory' };

export type ResortStory =
  | { readonly status: 'none' }
  | { readonly status: 'deleted' }
  | { readonly status: 'open'; readonly content: ResortStoryContent };

/** Whether people of this role may see it at an instant. */
export const isResortStoryShown = (state: ResortStory, role: string, at: string): boolean => {
  if (state.status !== 'open') return false;
  const { roles, publishAt, expiresAt } = state.content;
  const isFor = roles.length === 0 || (roles as readonly string[]).includes(role);
  return isFor && hasCome(publishAt, at) && isBefore(at, expiresAt);
};

/** @throws Rejected `invalid` */
const assertContent = ({ media, publishAt, expiresAt }: ResortStoryContent): void => {
  assertMedia(media);
  if (Date.parse(expiresAt) <= Date.parse(publishAt))
    throw new Rejected('invalid', 'expires_at must be later than publish_at.', { fields: ['expires_at'] });
};

const decide = (command: ResortStoryCommand, state: ResortStory): ResortStoryEvent[] => {
  switch (command.type) {
    case 'CreateResortStory':
      if (state.status !== 'none') return [];
      assertContent(command.content);
      return [{ type: 'ResortStoryCreated', data: { content: command.content } }];
    case 'ChangeResortStory': {
      if (state.status !== 'open') throw notFound('story');
      const { content } = command;
      if (Object.keys(differences(state.content, content)).length === 0) return [];
      assertContent(content);
      const { fileId } = state.content.media;
      const data = { content, dropped: fileId === content.media.fileId ? [] : [fileId] };
      return [{ type: 'ResortStoryChanged', data }];
    }
    case 'DeleteResortStory':
      requireExisting(state, 'story');
      if (state.status === 'deleted') return [];
      return [{ type: 'ResortStoryDeleted', data: { dropped: [state.content.media.fileId] } }];
  }
};

const evolve = (_: ResortStory, event: ResortStoryEvent): ResortStory => {
  switch (event.type) {
    case 'ResortStoryCreated':
    case 'ResortStoryChanged':
      return { status: 'open', content: event.data.content };
    case 'ResortStoryDeleted':
      return { status: 'deleted' };
  }
};

export const resortStory: Decider<ResortStory, ResortStoryCommand, ResortStoryEvent> = {
  category: 'resortStory',
  short: 'people of the resort write it',
  events: resortStoryEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
