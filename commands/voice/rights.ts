/**
 * Who may enter the room of a topic, and who may talk there. The voice server knows only what a token said, so that rights
 * which end are withdrawn there.
 */

import { Rejected } from '../../domain/core/decider.ts';
import { forumSanction, sanctionAt } from '../../domain/forums/sanction.ts';
import { forumTopic, openTopic } from '../../domain/forums/topic.ts';
import type { StartedTopic } from '../../domain/forums/topicState.ts';
import { loadAccount } from '../accounts/accounts.ts';
import type { CommandContext } from '../core/handle.ts';
import { unlessRejected } from '../core/refusals.ts';
import type { Writer } from '../forums/deps.ts';
import { refuseSanctioned, sanctionId } from '../forums/sanctions.ts';
import type { VoiceDeps } from './deps.ts';
import type { Device, VoiceServer } from './voiceServer.ts';

type At = Pick<CommandContext, 'at'>;

/** A topic whose room is open. @throws Rejected `not_found`, `forbidden` for one that a moderator has removed */
const topicWithRoom = async ({ aggregates }: Pick<VoiceDeps, 'aggregates'>, topicId: string): Promise<StartedTopic> => {
  const { state } = await aggregates.load(forumTopic, topicId);
  if (state.status === 'removed')
    throw new Rejected('forbidden', 'A moderator has removed this topic, so its voice room is closed.');
  return openTopic(state);
};

/** A topic whose room this person may enter. @throws Rejected `not_found`, `forbidden` for people who are banned */
export const enterable = async (
  deps: VoiceDeps,
  context: At,
  topicId: string,
  accountId: string,
): Promise<StartedTopic> => {
  const topic = await topicWithRoom(deps, topicId);
  await refuseSanctioned(deps, context, accountId, null);
  return topic;
};

/**
 * Whether somebody may talk in the room; otherwise they listen.
 * @throws Rejected `not_found`, `forbidden` for people who may not enter
 */
export const mayTalk = async (
  deps: VoiceDeps,
  context: At,
  topicId: string,
  { accountId, isModerator }: Writer,
): Promise<boolean> => {
  const { isLocked } = await enterable(deps, context, topicId, accountId);
  if (isModerator) return true;
  const mute = (await deps.aggregates.load(forumSanction, sanctionId({ accountId, topicId }))).state;
  return !isLocked && sanctionAt(mute, context.at) === undefined;
};

/** @returns undefined for people who may not be there */
const rightNow = (deps: VoiceDeps, context: At, topicId: string, accountId: string) =>
  unlessRejected(async () => {
    const { role } = await loadAccount(deps, accountId);
    return mayTalk(deps, context, topicId, { accountId, isModerator: role === 'admin' });
  });

/**
 * Removes a device whose person may not be in the room, and gives or takes the right to talk: rights change after the token
 * was made, and a token lets somebody in again who was removed. Safe to repeat.
 * @throws VoiceServerError
 */
export const holdToRights = async (
  deps: VoiceDeps & { readonly voiceServer: VoiceServer },
  context: At,
  topicId: string,
  { accountId, identity, canTalk }: Device,
): Promise<void> => {
  const right = await rightNow(deps, context, topicId, accountId);
  if (right === undefined) await deps.voiceServer.remove(topicId, identity);
  else if (right !== canTalk) await deps.voiceServer.letTalk(topicId, identity, right);
};
