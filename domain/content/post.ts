/**
 * What the resort tells everybody: news, promotions and events, in one or two languages. A post is live from `publishAt` until
 * `expiresAt`. Queries compare these times with the clock; `PostPublished` and `PostUnpublished` follow at these times, for
 * those who listen.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Images, Location, Text } from '../catalog/listing.ts';
import { isTimezone } from '../core/dates.ts';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { hasCome, isBefore } from '../core/instants.ts';
import { Instant, Nullable, OneOf, WebUrl } from '../core/schema.ts';
import { PromoCodeText } from '../promotions/promoCode.ts';

const postKinds = ['news', 'promotion', 'event'] as const;
export const PostKind = OneOf(postKinds);
export type PostKind = Static<typeof PostKind>;

/** The first one is shown to those who ask for none of them. */
export const postLanguages = ['ru', 'en'] as const;
export const PostLanguage = OneOf(postLanguages);
export type PostLanguage = Static<typeof PostLanguage>;

export const PostText = Type.Object({
  title: Text(200),
  summary: Type.String({ maxLength: 500 }),
  body: Type.String({ maxLength: 20_000 }),
});
export type PostText = Static<typeof PostText>;

/** Where and when an event takes place. */
export const Happening = Type.Object({
  place: Text(200),
  location: Nullable(Location),
  startsAt: Instant,
  endsAt: Instant,
  /** IANA time zone of the place, in which the times are shown. */
  timezone: Text(64),
});
export type Happening = Static<typeof Happening>;

export const PostContent = Type.Object({
  /** At least one of them is written. */
  texts: Type.Object({ ru: Nullable(PostText), en: Nullable(PostText) }),
  images: Images,
  /** Where there is more to read. */
  link: Nullable(WebUrl),
  /** The promo code that a promotion tells of. */
  promoCode: Nullable(PromoCodeText),
  /** Only of events. */
  happening: Nullable(Happening),
  /** null: a draft. */
  publishAt: Nullable(Instant),
  /** null: it stays. */
  expiresAt: Nullable(Instant),
});
export type PostContent = Static<typeof PostContent>;

const postEvents = {
  PostCreated: { data: Type.Object({ kind: PostKind, content: PostContent }) },
  PostChanged: { data: Type.Object({ content: PostContent }) },
  /** Everybody sees it from then on. */
  PostPublished: { data: Type.Object({}) },
  /** It has expired, or was taken back. */
  PostUnpublished: { data: Type.Object({}) },
  PostDeleted: { data: Type.Object({}) },
} as const satisfies EventDeclarations;
export type PostEvent = EventsOf<typeof postEvents>;

export interface OpenPost {
  readonly status: 'open';
  readonly kind: PostKind;
  readonly content: PostContent;
  /** Whether listeners were told that it is published. */
  readonly isPublished: boolean;
}
export type Post = { readonly status: 'none' } | { readonly status: 'deleted' } | OpenPost;

export type PostCommand =
  | { readonly type: 'CreatePost'; readonly kind: PostKind; readonly content: PostContent; readonly at: string }
  /** Fields that are absent do not change. */
  | { readonly type: 'ChangePost'; readonly content: Partial<PostContent>; readonly at: string }
  /** A time has come at which it may be published or expire. */
  | { readonly type: 'RefreshPost'; readonly at: string }
  | { readonly type: 'DeletePost' };

type Shown = Pick<PostContent, 'publishAt' | 'expiresAt'>;

export const postStates = ['draft', 'scheduled', 'published', 'expired'] as const;
export type PostState = (typeof postStates)[number];

/** The state of a post at an instant. */
export const postStateAt = ({ publishAt, expiresAt }: Shown, at: string): PostState => {
  if (publishAt === null) return 'draft';
  if (isBefore(at, publishAt)) return 'scheduled';
  return expiresAt !== null && hasCome(expiresAt, at) ? 'expired' : 'published';
};

/** When its state changes next; null: it does not. */
export const nextChangeOf = ({ publishAt, expiresAt }: Shown, at: string): string | null => {
  const state = postStateAt({ publishAt, expiresAt }, at);
  if (state === 'scheduled') return publishAt;
  return state === 'published' ? expiresAt : null;
};

/** The text in a language, or in the other one. */
export const textIn = ({ ru, en }: PostContent['texts'], language: PostLanguage) => {
  const [first, second] =
    language === 'ru'
      ? ([
          ['ru', ru],
          ['en', en],
        ] as const)
      : ([
          ['en', en],
          ['ru', ru],
        ] as const);
  const [lang, text] = first[1] === null ? second : first;
  return { lang, ...(text ?? { title: '', summary: '', body: '' }) };
};

/** @throws Rejected `invalid` for content that does not fit the kind, or contradicts itself */
const assertContent = (kind: PostKind, content: PostContent): void => {
  const { texts, happening, promoCode, publishAt, expiresAt } = content;
  if (texts.ru === null && texts.en === null)
    throw new Rejected('invalid', 'A post needs a text in Russian, in English, or in both.', { fields: ['texts'] });
  if ((kind === 'event') !== (happening !== null))
    throw new Rejected(
      'invalid',
      kind === 'event' ? 'An event needs its place and times: send happening.' : 'Only an event has a happening.',
      { fields: ['happening'] },
    );
  if (promoCode !== null && kind !== 'promotion')
    throw new Rejected('invalid', 'Only a promotion can tell of a promo code.', { fields: ['promo_code'] });
  if (happening) {
    if (!isTimezone(happening.timezone))
      throw new Rejected('invalid', `${happening.timezone} is not an IANA time zone, such as Europe/Moscow.`, {
        fields: ['happening/timezone'],
      });
    if (Date.parse(happening.endsAt) <= Date.parse(happening.startsAt))
      throw new Rejected('invalid', 'An event must end after it starts.', { fields: ['happening/ends_at'] });
  }
  if (publishAt !== null && expiresAt !== null && Date.parse(expiresAt) <= Date.parse(publishAt))
    throw new Rejected('invalid', 'expires_at must be later than publish_at.', { fields: ['expires_at'] });
};

const open = (state: Post): OpenPost => {
  if (state.status !== 'open') throw notFound('post');
  return state;
};

/** The event that tells listeners of the state at an instant; none where they know. */
const told = (content: Shown, isPublished: boolean, at: string): PostEvent[] => {
  const isNow = postStateAt(content, at) === 'published';
  if (isNow === isPublished) return [];
  return [isNow ? { type: 'PostPublished', data: {} } : { type: 'PostUnpublished', data: {} }];
};

const decide = (command: PostCommand, state: Post): PostEvent[] => {
  switch (command.type) {
    case 'CreatePost': {
      const { kind, content, at } = command;
      if (state.status !== 'none') return [];
      assertContent(kind, content);
      return [{ type: 'PostCreated', data: { kind, content } }, ...told(content, false, at)];
    }
    case 'ChangePost': {
      const { kind, content: before, isPublished } = open(state);
      const content = { ...before, ...command.content };
      if (Object.keys(differences(before, content)).length === 0) return [];
      assertContent(kind, content);
      return [{ type: 'PostChanged', data: { content } }, ...told(content, isPublished, command.at)];
    }
    case 'RefreshPost':
      return state.status === 'open' ? told(state.content, state.isPublished, command.at) : [];
    case 'DeletePost':
      if (state.status === 'deleted') return [];
      open(state);
      return [{ type: 'PostDeleted', data: {} }];
  }
};

const evolve = (state: Post, event: PostEvent): Post => {
  if (event.type === 'PostCreated') return { status: 'open', ...event.data, isPublished: false };
  if (state.status !== 'open') return state;
  switch (event.type) {
    case 'PostChanged':
      return { ...state, content: event.data.content };
    case 'PostPublished':
      return { ...state, isPublished: true };
    case 'PostUnpublished':
      return { ...state, isPublished: false };
    case 'PostDeleted':
      return { status: 'deleted' };
  }
};

export const post: Decider<Post, PostCommand, PostEvent> = {
  category: 'post',
  short: 'people of the resort write it',
  events: postEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};
