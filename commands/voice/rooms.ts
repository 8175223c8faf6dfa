/** Voice rooms: who is let in, and who is in them. */
import { shortName } from '../../domain/accounts/shortName.ts';
import { Rejected } from '../../domain/core/decider.ts';
import { forumSanction, sanctionAt } from '../../domain/forums/sanction.ts';
import { forumTopic, openTopic } from '../../domain/forums/topic.ts';
import type { StartedTopic } from '../../domain/forums/topicState.ts';
import { voiceRoom } from '../../domain/voice/room.ts';
import { loadAccount } from '../accounts/accounts.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { defineJob } from '../core/jobs.ts';
import type { Writer } from '../forums/deps.ts';
import { refuseSanctioned, sanctionId } from '../forums/sanctions.ts';
import type { VoiceDeps } from './deps.ts';
import { TOKEN_S, type VoiceServer } from './server.ts';

/** Who is in a room is compared with the voice server's list so often, in milliseconds. */
const LOOK_MS = 60_000;
/** Whoever has a token has joined by then. */
const LET_IN_MS = TOKEN_S * 1_000 + LOOK_MS;

export const after = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();

/** @throws Rejected `voice_unavailable` where there is none */
export const voiceServerOf = ({ voiceServer }: Pick<VoiceDeps, 'voiceServer'>): VoiceServer => {
  if (!voiceServer)
    throw new Rejected('voice_unavailable', 'There are no voice rooms here: no voice server is set up.');
  return voiceServer;
};

/** A topic whose room is open. @throws Rejected `not_found`, `forbidden` for one that a moderator has removed */
const topicWithRoom = async ({ aggregates }: Pick<VoiceDeps, 'aggregates'>, topicId: string): Promise<StartedTopic> => {
  const { state } = await aggregates.load(forumTopic, topicId);
  if (state.status === 'removed')
    throw new Rejected('forbidden', 'A moderator has removed this topic, so its voice room is closed.');
  return openTopic(state);
};

/** A topic whose room this person may enter. @throws Rejected `not_found`, `forbidden` */
export const enterable = async (
  deps: VoiceDeps,
  context: Pick<CommandContext, 'at'>,
  topicId: string,
  accountId: string,
): Promise<StartedTopic> => {
  const topic = await topicWithRoom(deps, topicId);
  await refuseSanctioned(deps, context, accountId, null);
  return topic;
};

const isMuted = async ({ aggregates }: VoiceDeps, accountId: string, topicId: string, at: string): Promise<boolean> =>
  sanctionAt((await aggregates.load(forumSanction, sanctionId({ accountId, topicId }))).state, at) !== undefined;

/**
 * Lets a person's device into the room of a topic. Muted people, and all but moderators in a locked topic, only listen.
 * @throws Rejected `not_found`, `forbidden` for who is banned and for a removed topic, `voice_unavailable`
 */
export const enterRoom = async (
  deps: VoiceDeps,
  context: CommandContext,
  topicId: string,
  { accountId, isModerator, sessionId }: Writer & { readonly sessionId: string },
) => {
  const server = voiceServerOf(deps);
  const { isLocked } = await enterable(deps, context, topicId, accountId);
  const canPublish = isModerator || !(isLocked || (await isMuted(deps, accountId, topicId, context.at)));
  const name = shortName(await loadAccount(deps, accountId));
  // Each device has a name of its own: the second one does not throw out the first.
  const access = { identity: `${accountId}:${sessionId}`, name, canPublish, isModerator };
  await deps.aggregates.handle(voiceRoom, topicId, { type: 'OpenRoom', by: accountId }, context);
  await lookSoon(deps, context, topicId);
  const token = await server.token(topicId, access);
  return { ...access, token, url: server.url, expiresAt: after(context.at, TOKEN_S * 1_000) };
};

/** From now on compares who is in a room with the voice server's list, until it is empty. */
export const lookSoon = (deps: VoiceDeps, context: CommandContext, topicId: string): Promise<void> => {
  const data = { openUntil: after(context.at, LET_IN_MS) };
  return roomLook.scheduleOnce(deps.jobs, context, { id: topicId, dueAt: after(context.at, LOOK_MS), data });
};

/** Whether somebody who is in the room may stay: not if the account was erased. */
const mayStay = async (deps: VoiceDeps, context: CommandContext, topicId: string, accountId: string) => {
  try {
    await loadAccount(deps, accountId);
    await enterable(deps, context, topicId, accountId);
    return true;
  } catch (error) {
    if (error instanceof Rejected) return false;
    throw error;
  }
};

/** Reports of who comes and goes can be lost: asks who is there, and removes who was banned or erased since. Its id is the topic's. */
export const roomLook = defineJob<{ readonly openUntil: string }, VoiceDeps>(
  'voice_room',
  async ({ id: topicId, data: { openUntil } }, { deps, context }) => {
    if (!deps.voiceServer) return undefined;
    const again = { againAt: after(context.at, LOOK_MS) };
    const connections = await deps.voiceServer.connections(topicId);
    await deps.aggregates.handle(voiceRoom, topicId, { type: 'ApplyConnections', connections }, context);
    if (connections.length === 0) {
      if (Date.parse(context.at) < Date.parse(openUntil)) return again;
      await deps.aggregates.handle(voiceRoom, topicId, { type: 'CloseRoom' }, followUp(context, 'close'));
      return undefined;
    }
    for (const accountId of new Set(connections.map((one) => one.accountId)))
      if (!(await mayStay(deps, context, topicId, accountId))) await deps.voiceServer.remove(topicId, accountId);
    return again;
  },
);
