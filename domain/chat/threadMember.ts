/**
 * What one person does with a thread for themselves: up to where they have read it, whether it is pinned, muted,
 * archived or hidden. The id of the stream derives from the thread and the person.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, snapshot } from '../core/decider.ts';
import { differences } from '../core/differences.ts';
import { Uuid } from '../core/schema.ts';
import { Seq } from './threadEvents.ts';

export const ThreadPreferences = Type.Object({
  pinned: Type.Boolean(),
  muted: Type.Boolean(),
  archived: Type.Boolean(),
});
export type ThreadPreferences = Static<typeof ThreadPreferences>;

const About = { threadId: Uuid, accountId: Uuid };

const threadMemberEvents = {
  /** Everything up to `upToSeq`. */
  ThreadRead: { data: Type.Object({ ...About, upToSeq: Seq }) },
  /** Fields that are absent do not change. */
  ThreadPreferencesChanged: { data: Type.Object({ ...About, ...Type.Partial(ThreadPreferences).properties }) },
  /** Not listed any more until there is a message after `upToSeq`. */
  ThreadHidden: { data: Type.Object({ ...About, upToSeq: Seq }) },
  /** Listed again. */
  ThreadShown: { data: Type.Object(About) },
} as const satisfies EventDeclarations;
export type ThreadMemberEvent = EventsOf<typeof threadMemberEvents>;

interface Whose {
  readonly threadId: string;
  readonly accountId: string;
}
export type ThreadMemberCommand = Whose &
  (
    | { readonly type: 'ReadThread'; readonly upToSeq: number }
    | { readonly type: 'ChangePreferences'; readonly changes: Partial<ThreadPreferences> }
    | { readonly type: 'HideThread'; readonly upToSeq: number }
    | { readonly type: 'ShowThread' }
  );

export interface ThreadMember extends ThreadPreferences {
  readonly readUpTo: number;
  /** null: it is listed. */
  readonly hiddenUpTo: number | null;
}

const decide = (command: ThreadMemberCommand, state: ThreadMember): ThreadMemberEvent[] => {
  const { threadId, accountId } = command;
  const about = { threadId, accountId };
  switch (command.type) {
    case 'ReadThread': {
      const { upToSeq } = command;
      return upToSeq > state.readUpTo ? [{ type: 'ThreadRead', data: { ...about, upToSeq } }] : [];
    }
    case 'ChangePreferences': {
      const changed = differences(state, command.changes);
      return Object.keys(changed).length > 0
        ? [{ type: 'ThreadPreferencesChanged', data: { ...about, ...changed } }]
        : [];
    }
    case 'HideThread': {
      const { upToSeq } = command;
      return upToSeq > (state.hiddenUpTo ?? -1) ? [{ type: 'ThreadHidden', data: { ...about, upToSeq } }] : [];
    }
    case 'ShowThread':
      return state.hiddenUpTo === null ? [] : [{ type: 'ThreadShown', data: about }];
  }
};

const evolve = (state: ThreadMember, event: ThreadMemberEvent): ThreadMember => {
  switch (event.type) {
    case 'ThreadRead':
      return { ...state, readUpTo: event.data.upToSeq };
    case 'ThreadPreferencesChanged': {
      const { threadId, accountId, ...changes } = event.data;
      return { ...state, ...changes };
    }
    case 'ThreadHidden':
      return { ...state, hiddenUpTo: event.data.upToSeq };
    case 'ThreadShown':
      return { ...state, hiddenUpTo: null };
  }
};

const Packed = Type.Object({
  ...ThreadPreferences.properties,
  readUpTo: Type.Integer(),
  hiddenUpTo: Type.Union([Type.Integer(), Type.Null()]),
});

export const threadMember: Decider<ThreadMember, ThreadMemberCommand, ThreadMemberEvent> = {
  category: 'threadMember',
  events: threadMemberEvents,
  initial: { pinned: false, muted: false, archived: false, readUpTo: 0, hiddenUpTo: null },
  decide,
  evolve,
  /** Somebody who reads along adds an event for each look. */
  snapshot: snapshot<ThreadMember, typeof Packed>({
    version: 1,
    packed: Packed,
    pack: (state) => ({ ...state }),
    unpack: (packed) => packed,
  }),
};
