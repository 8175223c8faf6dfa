/** How the operations are called by which people write to and about each other, and admins about them. */
import { HOUR_MS, instantOf } from '../../domain/core/instants.ts';
import { type Cast, markedDocument, markedPicture, upload } from './people.ts';
import type { Writer } from './writer.ts';

export const fillChats = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write, know, call } = writer;
  const { guest, staying, admin } = cast;
  const { token } = guest;
  const { id: thread_id } = await write('POST /api/v1/p2p-chats', token, { user_id: staying.id });
  know('messages', thread_id);
  const files = [
    await upload(writer, cast, token, 'chat', markedDocument(writer)),
    await upload(writer, cast, token, 'chat', await markedPicture(writer)),
  ];
  const said = await write('POST /api/v1/messages', token, { thread_id, kind: 'text' });
  await write('POST /api/v1/messages', token, { thread_id, kind: 'image', attachments: [files[1]] });
  await write('PATCH /api/v1/messages/:id', token, {}, said.id);
  // It is kept for admins.
  const attachments = [await upload(writer, cast, token, 'chat', markedDocument(writer))];
  const rude = await write('POST /api/v1/messages', token, { thread_id, kind: 'text', attachments });
  await call(`POST /api/v1/messages/${rude.id}/report`, { token: staying.token, body: { reason: 'This is rude' } });
  await call(`DELETE /api/v1/messages/${rude.id}`, { token });
  const answer = { thread_id, kind: 'text', body: 'Some answer' };
  const { body: answered } = await call('POST /api/v1/messages', { token: staying.token, body: answer });
  await write('POST /api/v1/messages/:id/report', token, {}, answered.id);
  // Moderators give reasons, for the guest.
  const [loud, louder] = [
    await write('POST /api/v1/messages', token, { thread_id, kind: 'text' }),
    await write('POST /api/v1/messages', token, { thread_id, kind: 'text' }),
  ];
  const complaint = { token: staying.token, body: { reason: 'This is loud' } };
  const { body: report } = await call(`POST /api/v1/messages/${loud.id}/report`, complaint);
  await write('POST /api/v1/admin/chat-reports/:id/resolve', admin, { action: 'remove' }, report.id);
  await write('DELETE /api/v1/messages/:id', admin, {}, louder.id);
  await write('POST /api/v1/chats/:thread_id/report', token, {}, thread_id);
  const group = await write('POST /api/v1/chats', token, { user_id: null, member_ids: [staying.id] });
  await write('PUT /api/v1/chats/:thread_id/title', token, {}, group.id);
  await write('POST /api/v1/support/tickets', token);
};

export const fillForums = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write, call, know } = writer;
  const { guest, seller, admin } = cast;
  const { token } = guest;
  const body = { title: 'Proofs', position: 901 };
  const { body: category } = await call('POST /api/v1/admin/forums/categories', { token: admin, body });
  know('categories', category.id);
  const picture_ids = [await upload(writer, cast, token, 'forums', await markedPicture(writer))];
  const topic = await write('POST /api/v1/forums/topics', token, { category_id: category.id, picture_ids });
  await write('PATCH /api/v1/forums/topics/:id', token, {}, topic.id);
  const post = await write('POST /api/v1/forums/topics/:id/posts', token, {}, topic.id);
  await write('PATCH /api/v1/forums/posts/:id', token, {}, post.id);
  const report = await write('POST /api/v1/forums/posts/:id/report', seller.token, {}, post.id);
  await write('POST /api/v1/admin/forums/reports/:id/resolve', admin, { action: 'remove' }, report.id);
  const appeal = { kind: 'post', subject_id: post.id };
  const filed = await write('POST /api/v1/forums/appeals', token, appeal);
  await write('POST /api/v1/admin/forums/appeals/:id/answer', admin, { action: 'refuse' }, filed.id);
  const other = await write('POST /api/v1/forums/topics/:id/posts', token, {}, topic.id);
  await write('POST /api/v1/admin/forums/posts/:id/remove', admin, {}, other.id);
  const kept = await write('POST /api/v1/forums/topics/:id/posts', token, {}, topic.id);
  await write('PATCH /api/v1/forums/posts/:id', token, {}, kept.id);
  await write('POST /api/v1/forums/posts/:id/report', seller.token, {}, kept.id);
  await call(`DELETE /api/v1/forums/posts/${kept.id}`, { token });
  await write('POST /api/v1/admin/forums/topics/:id/remove', admin, {}, topic.id);
  const end = instantOf(Date.now() + HOUR_MS);
  await write('POST /api/v1/admin/forums/sanctions', admin, { account_id: guest.id, topic_id: null, until: end });
};

export const fillStories = async (writer: Writer, cast: Cast): Promise<void> => {
  const { write } = writer;
  const { guest, seller, admin } = cast;
  const media_id = await upload(writer, cast, guest.token, 'stories', await markedPicture(writer));
  const story = await write('POST /api/v1/stories', guest.token, { media_id });
  const report = await write('POST /api/v1/stories/:id/report', seller.token, {}, story.id);
  await write('POST /api/v1/admin/story-reports/:id/resolve', admin, { action: 'remove' }, report.id);
  const filed = await write('POST /api/v1/appeals', guest.token, { kind: 'story', subject_id: story.id });
  await write('POST /api/v1/admin/appeals/:id/answer', admin, { action: 'refuse' }, filed.id);
};
