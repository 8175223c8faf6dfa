/** The forums of the demo resort: some categories, and a topic with an answer. */
import type { CommandContext } from '../../commands/core/handle.ts';
import { createCategory } from '../../commands/forums/categories.ts';
import { writePost } from '../../commands/forums/posts.ts';
import { startTopic } from '../../commands/forums/topics.ts';
import type { CommandDeps } from '../../commands/modules.ts';

const categories = [
  { title: 'Объявления', description: 'Новости курорта.', adminsStart: true },
  { title: 'Снег и трассы', description: 'Где сегодня лучше кататься.', adminsStart: false },
  { title: 'Попутчики', description: 'Вместе доехать и вместе кататься.', adminsStart: false },
] as const;

const none = { mentions: [], pictureIds: [], clientPostId: null };
const nobodyHasReported = async (): Promise<number> => 0;

/** Safe to repeat. @param people two tourists */
export const seedForums = async (
  deps: CommandDeps,
  contextFor: (...name: string[]) => CommandContext,
  [author, other]: readonly [string, string],
): Promise<void> => {
  const ids: string[] = [];
  for (const [position, details] of categories.entries()) {
    const context = contextFor('forum category', details.title);
    ids.push((await createCategory(deps, context, { ...details, position })).id);
  }
  const post = { ...none, body: 'Первый раз на курорте. На каких трассах утром меньше людей?' };
  const topic = { categoryId: ids[1] ?? '', title: 'Где кататься утром?', post };
  const writer = { accountId: author, isModerator: false };
  const { topicId } = await startTopic(deps, contextFor('forum topic'), writer, topic, nobodyHasReported);
  const answer = { ...none, topicId, replyTo: null, quotes: [], body: 'На южном склоне до десяти почти никого.' };
  const answering = { accountId: other, isModerator: false };
  await writePost(deps, contextFor('forum answer'), answering, answer, nobodyHasReported);
};
