/** Who asks, and what they may read. */

import type { Writer } from '../../commands/forums/deps.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { isKept } from '../../projections/forums/postEdits.ts';
import { type PostRow, postById } from '../../projections/forums/posts.ts';
import { reportersOf } from '../../projections/forums/queries.ts';
import { type TopicRow, topicById } from '../../projections/forums/topics.ts';
import type { App } from '../http/app.ts';
import type { Caller, User } from '../http/caller.ts';
import { isProvenAdmin } from '../http/harm.ts';

/** Admins moderate the forums. */
export const writerOf = ({ id, role }: User): Writer => ({ accountId: id, isModerator: role === 'admin' });

/** For the limits on what somebody writes: how many people have reported them. */
export const reportersFor =
  (app: App, { id }: User, { at }: { readonly at: string }) =>
  () =>
    reportersOf(app.db, id, at);

/** The account of a caller who is signed in. */
export const accountIdOf = (caller: Caller): string | undefined => (caller?.kind === 'user' ? caller.id : undefined);

/**
 * Whether somebody sees a topic that is not open. Its author and admins see one that a moderator has removed. Admins also see
 * one that its author has deleted, if something of it was kept for them. Both need a fresh proof of an admin.
 */
const seesGone = async (app: App, caller: Caller, { id, status, author_id }: TopicRow): Promise<boolean> => {
  if (caller?.kind !== 'user') return false;
  if (status === 'removed') return isProvenAdmin(caller) || caller.id === author_id;
  return isProvenAdmin(caller) && isKept(app.db, id);
};

/** A topic that the caller may read. @throws Rejected `not_found` */
export const readableTopic = async (app: App, caller: Caller, id: string): Promise<TopicRow> => {
  const row = await topicById(app.db, id);
  if (row && (row.status === 'open' || (await seesGone(app, caller, row)))) return row;
  throw notFound('topic');
};

/** A post of a topic that the caller may read; it may be a tombstone. @throws Rejected `not_found` */
export const readablePost = async (app: App, caller: Caller, id: string): Promise<PostRow> => {
  const row = await postById(app.db, id);
  if (!row) throw notFound('post');
  await readableTopic(app, caller, row.topic_id);
  return row;
};

/** A post that says something. @throws Rejected `not_found` */
export const livePost = async (app: App, caller: Caller, id: string): Promise<PostRow> => {
  const row = await readablePost(app, caller, id);
  if (row.is_deleted || row.is_removed) throw new Rejected('not_found', 'This post was deleted.');
  return row;
};
