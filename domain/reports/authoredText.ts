/**
 * What happens to a text after a person has written it, such as a message or a post: its author edits and deletes it, a
 * moderator removes it, and an accepted appeal restores it. A module declares how the events of its texts are called and what
 * its texts differ in. What never changes about a text comes with each command, as the read model knows it.
 */
import { type Decider, type EventDeclarations, notFound, Rejected } from '../core/decider.ts';
import { msBetween } from '../core/instants.ts';
import { markOf, NO_WORDS, saidBefore, type WordsMark } from '../core/saidBefore.ts';
import { leftOf } from '../files/evidence.ts';
import type { FileFacts } from '../files/file.ts';

/** What an author can edit. */
export interface EditableText {
  readonly body: string;
  /** Account ids, in any order. */
  readonly mentions: readonly string[];
}

/** Often enough for a person; it keeps the stream short. */
export const MAX_EDITS = 100;

/** A text as it was written. `Of`: the ids that its events have. */
export interface WrittenText<Of> extends EditableText {
  readonly of: Of;
  /** RFC 3339. */
  readonly writtenAt: string;
  readonly files: readonly FileFacts[];
}

/** Only the author edits and deletes. Whoever sends `RemoveText` has made sure that `by` may moderate. */
export type TextCommand<Of> =
  | {
      readonly type: 'EditText';
      readonly written: WrittenText<Of>;
      readonly text: EditableText;
      readonly by: string;
      readonly at: string;
    }
  /** `isReported`: a report of it waits for an answer. */
  | {
      readonly type: 'DeleteText';
      readonly written: WrittenText<Of>;
      readonly by: string;
      readonly isReported: boolean;
    }
  | { readonly type: 'RemoveText'; readonly written: WrittenText<Of>; readonly by: string; readonly reason: string }
  | { readonly type: 'RestoreText' };

export interface OfAuthor {
  readonly authorId: string;
}

/** `Kept`: what is known of a text while it is removed. */
export interface AuthoredText<Kept extends OfAuthor> {
  /** `gone`: for good. */
  readonly status: 'written' | 'removed' | 'gone';
  /** null: it is not removed. */
  readonly removed: Kept | null;
  /** How often it was removed: each removal can be appealed once. */
  readonly removals: number;
  /** Of the reason of the last removal. */
  readonly words: WordsMark;
  /** null: as it was written. */
  readonly text: EditableText | null;
  readonly edits: number;
}

/** An event in the terms of this file. `kept` null: nothing was kept, so that it cannot come back. */
type TextFact<Kept> =
  | { readonly type: 'edited'; readonly text: EditableText }
  | { readonly type: 'deleted' }
  | { readonly type: 'removed'; readonly kept: Kept | null; readonly reason: string }
  /** `text`: where the event has it. */
  | { readonly type: 'restored'; readonly text?: EditableText };

/** A text that events can hold. */
interface StoredText {
  readonly body: string;
  readonly mentions: string[];
}

/** What a module declares of its texts. */
export interface TextDeclaration<Of extends OfAuthor, Kept extends OfAuthor, Event extends { readonly type: string }> {
  readonly category: string;
  readonly events: EventDeclarations & Readonly<Record<Event['type'], unknown>>;
  /** `message` */
  readonly noun: string;
  /** The noun of who has written it: `sender` */
  readonly author: string;
  /** How long it can be edited, in milliseconds and in words. */
  readonly editable: { readonly ms: number; readonly words: string };
  /**
   * What a removal does. `hides`: text and files stay where they are; the author reads them and can still delete them for good.
   * `empties`: the event of the removal holds them until an appeal was answered, and for everybody the text is gone.
   */
  readonly removal: 'hides' | 'empties';
  readonly edited: (of: Of, text: StoredText, former: StoredText) => Event;
  /** @param left what stays of it for admins, and which of its files are deleted */
  readonly deleted: (of: Of, text: StoredText, left: ReturnType<typeof leftOf>) => Event;
  /** @param number how often it was removed, with this time */
  readonly removed: (
    of: Of,
    text: StoredText,
    removal: {
      readonly by: string;
      readonly reason: string;
      readonly number: number;
      readonly files: readonly FileFacts[];
    },
  ) => Event;
  readonly restored: (kept: Kept) => Event;
  readonly read: (event: Event) => TextFact<Kept>;
}

const stored = ({ body, mentions }: EditableText): StoredText => ({ body, mentions: [...mentions] });

const isSame = (a: EditableText, b: EditableText): boolean =>
  a.body === b.body && a.mentions.length === b.mentions.length && a.mentions.every((id) => b.mentions.includes(id));

/** The decider of a module's texts, whose streams are the texts' own. */
export const authoredText = <
  Of extends OfAuthor,
  Kept extends OfAuthor,
  Event extends { readonly type: string; readonly data: object },
>(
  declared: TextDeclaration<Of, Kept, Event>,
): Decider<AuthoredText<Kept>, TextCommand<Of>, Event> => {
  const { noun, author, editable, removal } = declared;
  type State = AuthoredText<Kept>;

  /** For its author, too. */
  const isGone = ({ status }: State): boolean => status === 'gone' || (status === 'removed' && removal === 'empties');

  const requireAuthor = ({ of }: WrittenText<Of>, by: string, what: string): void => {
    if (of.authorId !== by) throw new Rejected('forbidden', `Only its ${author} can ${what} a ${noun}.`);
  };

  const edit = ({ written, text, by, at }: Extract<TextCommand<Of>, { type: 'EditText' }>, state: State): Event[] => {
    if (isGone(state)) throw notFound(noun);
    requireAuthor(written, by, 'edit');
    if (state.status === 'removed')
      throw new Rejected('conflict', `A moderator has removed this ${noun}. You can appeal.`);
    const former = state.text ?? written;
    if (isSame(text, former)) return [];
    if (msBetween(written.writtenAt, at) > editable.ms)
      throw new Rejected('conflict', `A ${noun} can be edited for ${editable.words}.`);
    if (state.edits >= MAX_EDITS) throw new Rejected('conflict', `A ${noun} can be edited ${MAX_EDITS} times.`);
    return [declared.edited(written.of, stored(text), stored(former))];
  };

  const decide = (command: TextCommand<Of>, state: State): Event[] => {
    switch (command.type) {
      case 'EditText':
        return edit(command, state);
      case 'DeleteText': {
        const { written, by, isReported } = command;
        requireAuthor(written, by, 'delete');
        if (isGone(state)) return [];
        const text = state.text ?? written;
        return [declared.deleted(written.of, stored(text), leftOf(written.files, isReported ? text.body : null))];
      }
      case 'RemoveText': {
        const { written, by, reason } = command;
        if (state.status === 'gone') return [];
        if (state.status === 'removed') return saidBefore(`This ${noun} was removed before`, state.words, reason);
        const { of, files } = written;
        const number = state.removals + 1;
        return [declared.removed(of, stored(state.text ?? written), { by, reason, number, files })];
      }
      case 'RestoreText':
        return state.removed === null ? [] : [declared.restored(state.removed)];
    }
  };

  const evolve = (state: State, event: Event): State => {
    const fact = declared.read(event);
    switch (fact.type) {
      case 'edited':
        return { ...state, text: stored(fact.text), edits: state.edits + 1 };
      case 'deleted':
        return { ...state, status: 'gone', removed: null, text: null };
      case 'removed': {
        const { kept, reason } = fact;
        const removals = state.removals + 1;
        if (kept === null) return { ...state, status: 'gone', text: null, removals };
        return { ...state, status: 'removed', removed: kept, removals, words: markOf(reason) };
      }
      case 'restored':
        // Logs have restorations of what its author had deleted meanwhile: they bring nothing back.
        if (state.status === 'gone') return state;
        return { ...state, status: 'written', removed: null, text: fact.text ? stored(fact.text) : state.text };
    }
  };

  return {
    category: declared.category,
    short: 'its author edits it for a while, or deletes it',
    events: declared.events,
    initial: { status: 'written', removed: null, removals: 0, words: NO_WORDS, text: null, edits: 0 },
    decide,
    evolve,
  };
};
