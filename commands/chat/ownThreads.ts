/** What a person does with a thread for themselves: read, pin, mute, archive, hide. */
import {
  type ThreadMember,
  type ThreadMemberCommand,
  type ThreadPreferences,
  threadMember,
} from '../../domain/chat/threadMember.ts';
import { derivedId } from '../../infra/ids.ts';
import type { CommandContext } from '../core/handle.ts';
import type { ChatDeps } from './deps.ts';

/** A thread, and the person for whom something changes. Whoever calls has made sure that the person is a member. */
export interface OwnThread {
  readonly threadId: string;
  readonly accountId: string;
}

const idOf = ({ threadId, accountId }: OwnThread): string => derivedId('threadMember', threadId, accountId);

const handle = async (
  { aggregates }: ChatDeps,
  context: CommandContext,
  own: OwnThread,
  command: ThreadMemberCommand,
): Promise<ThreadMember> => (await aggregates.handle(threadMember, idOf(own), command, context)).state;

/** As the process knows it where it follows what people do with their threads, and else from the log. */
export const loadOwnThread = async (
  { aggregates }: Pick<ChatDeps, 'aggregates'>,
  own: OwnThread,
): Promise<ThreadMember> => (await aggregates.load(threadMember, idOf(own), { maxAgeMs: 0 })).state;

/** Everything up to this number was read. An older number changes nothing. @returns up to where it is read */
export const readThread = async (
  deps: ChatDeps,
  context: CommandContext,
  own: OwnThread,
  upToSeq: number,
): Promise<number> => (await handle(deps, context, own, { type: 'ReadThread', ...own, upToSeq })).readUpTo;

export const changePreferences = async (
  deps: ChatDeps,
  context: CommandContext,
  own: OwnThread,
  changes: Partial<ThreadPreferences>,
): Promise<void> => void (await handle(deps, context, own, { type: 'ChangePreferences', ...own, changes }));

/** Takes the thread off the list until there is a message after this number. */
export const hideThread = async (
  deps: ChatDeps,
  context: CommandContext,
  own: OwnThread,
  upToSeq: number,
): Promise<void> => void (await handle(deps, context, own, { type: 'HideThread', ...own, upToSeq }));

export const showThread = async (deps: ChatDeps, context: CommandContext, own: OwnThread): Promise<void> =>
  void (await handle(deps, context, own, { type: 'ShowThread', ...own }));
