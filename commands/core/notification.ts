/**
 * Notifications, as modules declare them in their manifests: which event tells whom, what it says, for how long it is worth
 * telling. The module `notifications` gathers the declarations; the modules that declare know nothing of it.
 *
 * Telling has two steps. An event leads to cues, without asking anything. A cue leads to notices, when it is due: it is
 * then that the declaration looks whether there still is something to tell, and to whom.
 */
import type { Static, TObject } from '@sinclair/typebox';
import type { Recorded } from '../../domain/core/decider.ts';
import { addMs } from '../../domain/core/instants.ts';
import type { NotificationKind, NotificationLanguage, Urgency } from '../../domain/core/notification.ts';
import type { EventOf, EventType } from '../../domain/modules.ts';
import type { CoreDeps } from './deps.ts';
import { changeJob, type JobSink } from './jobChanges.ts';

/** The reason to tell somebody something, now or later. */
export interface Cue {
  /** Ids and the like that `find` needs. Nothing personal: it is stored in jobs. */
  readonly about: Readonly<Record<string, string>>;
  /** Cues of a declaration with the same key are one. By default the event's id. */
  readonly key?: string;
  /** When to look; at once by default. RFC 3339. */
  readonly dueAt?: string;
}

/** What one person is told. The same key always gives the same notification, so that a repetition tells nobody twice. */
export interface Notice<P> {
  /** The person. */
  readonly to: string;
  /** What the text says. Nothing personal: who is named is looked up when it is shown. */
  readonly params: P;
  /** Whose name the text shows. */
  readonly of?: string;
  /** By default the key of the cue. */
  readonly key?: string;
  /** For notices that replace each other under one key: the newer one has a higher number. */
  readonly version?: number;
  /** For notices that count: what the person knew already, as a version. */
  readonly known?: number;
  /** It is only listed: another notice to the person tells the same. */
  readonly isListedOnly?: boolean;
}

/**
 * A notice with this key, up to this version, is settled: the person has seen in another way what it says (`settledBy`), or
 * it is no longer so (`takenBackBy`).
 */
interface SettledNotice {
  readonly to: string;
  readonly key: string;
  readonly version: number;
  /** How much of it stays unread; missing: nothing. Only of what is taken back. */
  readonly left?: number;
}

/** The same for all notices to a person whose params name this thread or topic, and have a `seq` up to this one. */
export interface SettledUpTo {
  readonly to: string;
  readonly about: { readonly thread_id: string } | { readonly topic_id: string };
  readonly upToSeq: number;
}
export type Settled = SettledNotice | SettledUpTo;

export interface NoticeText {
  readonly title: string;
  readonly body: string;
}

/** What a text is made of beside its params. */
interface Shown {
  /** The name of the person that the notice is `of`. */
  readonly name: string;
  /** How many it stands for. */
  readonly count: number;
}
type Template<P> = (params: P, shown: Shown) => NoticeText;

export interface NoticeMail {
  readonly paragraphs: readonly string[];
  readonly attachments: readonly { readonly name: string; readonly type: string; readonly content: string }[];
}

/** An e-mail that says what the notification says. */
export const plainMail = async (): Promise<NoticeMail> => ({ paragraphs: [], attachments: [] });

interface FindContext<Deps> {
  readonly deps: Deps;
  /** The time now, RFC 3339. */
  readonly at: string;
  /** When the event of the cue happened. */
  readonly eventAt: string;
  /** Of that event. */
  readonly correlationId: string;
}

/** What is to be told now, or that it is too early. */
export type Found<P> = readonly Notice<P>[] | { readonly againAt: string };

/** What every declaration says, whatever its params are. */
interface Traits<P> {
  readonly kind: NotificationKind;
  readonly urgency: Urgency;
  /** For this many milliseconds after the event it is worth a push. Afterwards it is only listed. */
  readonly worthMs: number | ((params: P) => number);
  /** The e-mail also goes to verified addresses that were replaced in the week before: perhaps by a thief. */
  readonly toFormerAddresses?: true;
}

/** What an event settles. */
export type SettledOf = (event: never, deps: CoreDeps) => Promise<readonly Settled[]>;

/** As the module `notifications` uses it: its params have a type only where they are declared. */
export interface NotificationDeclaration<Deps = never> extends Traits<never> {
  /** Stored with each notification: never renamed. */
  readonly name: string;
  readonly params: TObject;
  readonly on: ReadonlyMap<string, (event: never) => readonly Cue[]>;
  readonly settledBy: ReadonlyMap<string, SettledOf>;
  readonly takenBackBy: ReadonlyMap<string, SettledOf>;
  readonly find: (about: Cue['about'], context: FindContext<Deps>) => Promise<Found<object>>;
  readonly text: Readonly<Record<NotificationLanguage, Template<never>>>;
  readonly link: (params: never) => string;
  readonly mail?: (params: never, language: NotificationLanguage, deps: Deps) => Promise<NoticeMail>;
}

type Many<T> = T | readonly T[] | undefined;
type ByEvent<T> = { readonly [E in EventType]?: (event: Recorded<EventOf<E>>) => Many<T> };
type SettledByEvent = {
  readonly [E in EventType]?: (event: Recorded<EventOf<E>>, deps: CoreDeps) => Many<Settled> | Promise<Many<Settled>>;
};

export interface NotificationSpec<P extends TObject, Deps> extends Traits<Static<P>> {
  /** What a template may say. */
  readonly params: P;
  /** Event type → what it leads to; undefined: nothing. */
  readonly on?: ByEvent<Cue>;
  readonly settledBy?: SettledByEvent;
  /** What is unread disappears. A later version is told anew. */
  readonly takenBackBy?: SettledByEvent;
  readonly find: (about: Cue['about'], context: FindContext<Deps>) => Promise<Found<Static<P>>>;
  readonly text: Readonly<Record<NotificationLanguage, Template<Static<P>>>>;
  /** The path in the app. */
  readonly link: (params: Static<P>) => string;
  /**
   * It is sent by e-mail, too: what it says there beside the text. Neither names anybody: an e-mail that waits would name
   * them also after their erasure.
   */
  readonly mail?: (params: Static<P>, language: NotificationLanguage, deps: Deps) => Promise<NoticeMail>;
}

const listOf = <T>(many: Many<T>): readonly T[] => {
  if (many === undefined) return [];
  return Array.isArray(many) ? many : [many as T];
};

const byEvent = <T>(handlers: ByEvent<T> = {}): ReadonlyMap<string, (event: never) => readonly T[]> =>
  new Map(
    Object.entries(handlers).map(([type, handle]) => [
      type,
      (event: never) => listOf((handle as (event: never) => Many<T>)(event)),
    ]),
  );

const settledByEvent = (handlers: SettledByEvent = {}): ReadonlyMap<string, SettledOf> =>
  new Map(
    Object.entries(handlers).map(([type, handle]) => [
      type,
      async (event, deps) =>
        listOf(await (handle as (event: never, deps: CoreDeps) => Many<Settled> | Promise<Many<Settled>>)(event, deps)),
    ]),
  );

/** @param name stored with each notification: never renamed */
export const notification = <P extends TObject, Deps = CoreDeps>(
  name: string,
  { on, settledBy, takenBackBy, ...spec }: NotificationSpec<P, Deps>,
): NotificationDeclaration<Deps> => ({
  name,
  on: byEvent(on),
  settledBy: settledByEvent(settledBy),
  takenBackBy: settledByEvent(takenBackBy),
  ...spec,
});

/** When it stops being worth a push. @param at since when it is news, RFC 3339 */
export const worthUntil = ({ worthMs }: Pick<NotificationDeclaration, 'worthMs'>, params: object, at: string): string =>
  addMs(at, typeof worthMs === 'number' ? worthMs : worthMs(params as never));

/** The kind of the job of a cue that is due later: see `commands/notifications/policy.ts`. Stored: never renamed. */
export const CUE_JOB = 'notification_cue';

/** What the job of a cue knows. */
export interface CueData {
  readonly name: string;
  readonly key: string;
  readonly about: Cue['about'];
  /** When the event of the cue happened. */
  readonly eventAt: string;
  /** What is told then is news from then on; null: since the event. */
  readonly dueAt: string | null;
}

/** Sets a cue for later, or moves it. Also for what is no event: its declaration has no `on`. */
export const setCue = (
  to: JobSink,
  { correlationId }: { readonly correlationId: string },
  data: CueData & { readonly dueAt: string },
): Promise<void> =>
  changeJob(to, {
    how: 'set',
    kind: CUE_JOB,
    id: `${data.name}:${data.key}`,
    dueAt: data.dueAt,
    data: JSON.stringify(data),
    correlationId,
  });
