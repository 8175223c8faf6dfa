/** Who asks, and what they may read. */

import type { Writer } from '../../commands/forums/deps.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { type PostRow, postById } from '../../projections/forums/posts.ts';
import { reportersOf } from '../../projections/forums/queries.ts';
import { type TopicRow, topicById } from '../../projections/forums/topics.ts';
import type { App } from '../http/app.ts';
import type { Caller, User } from '../http/caller.ts';

/** Admins moderate the forums. */
export const writerOf = ({ id, role }: User): Writer => ({ accountId: id, isModerator: role === 'admin' });

/** For the limits on what somebody writes: how many people have reported them. */
export const reportersFor =
  (app: App, { id }: User, { at }: { readonly at: string }) =>
  () =>
    reportersOf(app.db, id, at);

/** The account of a caller who is signed in. */
export const accountIdOf = (caller: Caller): string | undefined => (caller?.kind === 'user' ? caller.id : undefined);

/** Whether somebody sees what a moderator has removed: its author, and admins. */
const seesRemoved = (caller: Caller, authorId: string): boolean =>
  caller?.kind === 'user' && (caller.role === 'admin' || caller.id === authorId);

/** A topic that the caller may read. @throws Rejected `not_found` */
export const readableTopic = async (app: App, caller: Caller, id: string): Promise<TopicRow> => {
  const row = await topicById(app.db, id);
  const isShown = row?.status === 'open' || (row?.status === 'removed' && seesRemoved(caller, row.author_id));
  if (row && isShown) return row;
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
