/** What the modules of messages and posts do with a text after it was written, beside deciding who may do it. */
import type { AnyEvent, Decider } from '../../domain/core/decider.ts';
import type {
  AuthoredText,
  EditableText,
  OfAuthor,
  TextCommand,
  WrittenText,
} from '../../domain/reports/authoredText.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import type { Appealable } from './appealables.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;
type Texts<Of, Kept extends OfAuthor, Event extends AnyEvent> = Decider<AuthoredText<Kept>, TextCommand<Of>, Event>;

/** A text as it is known from the read model. */
export interface KnownText<Of> extends WrittenText<Of> {
  readonly id: string;
}

/** `mentions` undefined: the same people. */
export interface TextChanges {
  readonly body: string;
  readonly mentions?: readonly string[];
}
export interface EditedText extends EditableText {
  readonly isChanged: boolean;
}

/**
 * Edits a text. Whoever calls has made sure that `by` may write where it is.
 * @returns what it says now, and whether that is new
 * @throws Rejected `not_found`, `forbidden`, `conflict` when it is too late
 */
export const editText = async <Of, Kept extends OfAuthor, Event extends AnyEvent>(
  { aggregates }: Deps,
  context: CommandContext,
  decider: Texts<Of, Kept, Event>,
  { id, ...written }: KnownText<Of>,
  { text, by }: { readonly text: EditableText; readonly by: string },
): Promise<EditedText> => {
  const command = { type: 'EditText', written, text, by, at: context.at } as const;
  const { state, events } = await aggregates.handle(decider, id, command, context);
  const { body, mentions } = state.text ?? written;
  return { body, mentions, isChanged: events.length > 0 };
};

/** Brings back what a moderator has removed. Anything else stays as it is. */
export const restoreText = async <Of, Kept extends OfAuthor, Event extends AnyEvent>(
  { aggregates }: Deps,
  context: CommandContext,
  decider: Texts<Of, Kept, Event>,
  id: string,
): Promise<void> => {
  await aggregates.handle(decider, id, { type: 'RestoreText' }, context);
};

/** The removal of a text, as it is appealed. @param isFinal whether nothing is left that could come back */
export const appealableText = <Of, Kept extends OfAuthor, Event extends AnyEvent>(
  decider: Texts<Of, Kept, Event>,
  isFinal: (deps: Deps, id: string) => Promise<boolean> = async () => false,
): Appealable => ({
  standing: async (deps, id) => {
    const { removed, removals: number } = (await deps.aggregates.load(decider, id)).state;
    if (removed === null) return undefined;
    return { accountId: removed.authorId, number, isFinal: await isFinal(deps, id) };
  },
  undo: (deps, context, id) => restoreText(deps, context, decider, id),
});
