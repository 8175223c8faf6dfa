/**
 * Who may enter the room of a topic, and who may talk there. The voice server knows only what a token said, so that rights
 * which end are withdrawn there.
 */

import { shortName } from '../../domain/accounts/account.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { forumSanction, sanctionAt } from '../../domain/forums/sanction.ts';
import { forumTopic, openTopic } from '../../domain/forums/topic.ts';
import type { StartedTopic } from '../../domain/forums/topicState.ts';
import { versionOfOpenSession } from '../../infra/sessions.ts';
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

/** `until`: when a mute ends, which keeps somebody from talking. Everything else that changes rights is an event. */
interface RightToTalk {
  readonly canTalk: boolean;
  readonly topic: StartedTopic;
  readonly until?: string;
}

/**
 * Whether somebody may talk in the room; otherwise they listen.
 * @throws Rejected `not_found`, `forbidden` for people who may not enter
 */
export const rightToTalk = async (
  deps: VoiceDeps,
  context: At,
  topicId: string,
  { accountId, isModerator }: Writer,
): Promise<RightToTalk> => {
  const topic = await enterable(deps, context, topicId, accountId);
  if (isModerator) return { canTalk: true, topic };
  const mute = sanctionAt(
    (await deps.aggregates.load(forumSanction, sanctionId({ accountId, topicId }))).state,
    context.at,
  );
  return mute ? { canTalk: false, topic, until: mute.until } : { canTalk: !topic.isLocked, topic };
};

/** @returns undefined for a device that may not be there: of somebody who may not enter, or who has signed out on it */
const rightsNow = (
  deps: VoiceDeps,
  context: At,
  topicId: string,
  { accountId, sessionId }: Pick<Device, 'accountId' | 'sessionId'>,
) =>
  unlessRejected(async () => {
    const account = await loadAccount(deps, accountId);
    const version = await versionOfOpenSession(deps.pool, { accountId, sessionId });
    if (version === undefined || version < account.sessionsSince) return undefined;
    const isModerator = account.role === 'admin';
    const { canTalk, until } = await rightToTalk(deps, context, topicId, { accountId, isModerator });
    return { name: shortName(account), canTalk, until };
  });

/**
 * Removes a device whose person may not be in the room or has signed out, and corrects its right to talk and the name that
 * others see: all this changes after the token was made, and a token lets somebody in again who was removed. Safe to repeat.
 * @returns when the rights change by themselves, if they do
 * @throws VoiceServerError
 */
export const holdToRights = async (
  { voiceServer, ...deps }: VoiceDeps & { readonly voiceServer: VoiceServer },
  context: At,
  topicId: string,
  device: Device,
): Promise<string | undefined> => {
  const rights = await rightsNow({ voiceServer, ...deps }, context, topicId, device);
  if (rights === undefined) {
    await voiceServer.remove(topicId, device.identity);
    return undefined;
  }
  const { name, canTalk, until } = rights;
  if (device.canTalk !== canTalk || device.canSendMore || device.name !== name)
    await voiceServer.setRights(topicId, device.identity, { name, canTalk });
  return until;
};
