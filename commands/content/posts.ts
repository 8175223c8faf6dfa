/** Posts are written by admins. Their pictures are addresses elsewhere, or files of the folder `listings`. */

import { type Post, type PostContent, type PostKind, post, postStateAt } from '../../domain/content/post.ts';
import { existing, notFound, Rejected } from '../../domain/core/decider.ts';
import { derivedId } from '../../infra/ids.ts';
import { type PictureInput, shows, withPictures } from '../catalog/pictures.ts';
import type { CoreDeps } from '../core/deps.ts';
import { type CommandContext, madeBefore } from '../core/handle.ts';
import { isAccepted } from '../core/refusals.ts';
import type { FileUse } from '../files/fileUses.ts';
import { loadPromoCode, promoCodeId } from '../promotions/promoCodes.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;
type WriteDeps = Pick<CoreDeps, 'aggregates' | 'pool'>;

/** Content as it is entered. */
export type PostInput = Omit<PostContent, 'images'> & { readonly images: readonly PictureInput[] };

/** A post and its id. */
export interface Posted {
  readonly postId: string;
  readonly kind: PostKind;
  readonly content: PostContent;
}

const postedOf = (postId: string, state: Post): Posted => {
  const { kind, content } = existing(state, 'post', 'deleted');
  return { postId, kind, content };
};

const loadPost = async ({ aggregates }: Deps, postId: string): Promise<Posted> =>
  postedOf(postId, (await aggregates.load(post, postId)).state);

/** @throws Rejected `invalid` for a promo code that does not exist */
const assertPromoCode = async (deps: Deps, code: string | null | undefined): Promise<void> => {
  if (!code) return;
  if (!(await isAccepted(() => loadPromoCode(deps, promoCodeId(code)))))
    throw new Rejected('invalid', `The promo code ${code} does not exist. Create it first.`, {
      fields: ['promo_code'],
    });
};

/** Whether the post shows the file. */
export const postUse: FileUse<Deps> = async ({ aggregates }, { id, fileId }) => {
  const { state } = await aggregates.load(post, id);
  return state.status === 'open' && shows(state.content, fileId);
};

const picturesOf = (id: string, before: PostContent['images']) => ({
  usage: { kind: 'post', id },
  before,
  isUsed: postUse,
});

/** @throws Rejected `invalid`; `not_found` for a picture that the actor has not uploaded */
export const createPost = async (
  deps: WriteDeps,
  context: CommandContext,
  kind: PostKind,
  input: PostInput,
): Promise<Posted> => {
  const postId = derivedId(context.commandId, 'post');
  const before = await madeBefore(deps, post, postId, context);
  if (before.status === 'open') return postedOf(postId, before);
  await assertPromoCode(deps, input.promoCode);
  return withPictures(deps, context, picturesOf(postId, []), input, async ({ images = [], ...rest }) => {
    const command = { type: 'CreatePost', kind, content: { ...rest, images }, at: context.at } as const;
    return postedOf(postId, (await deps.aggregates.handle(post, postId, command, context)).state);
  });
};

/** Pictures that are no longer shown are deleted. @throws Rejected `not_found`, `invalid` */
export const changePost = async (
  deps: WriteDeps,
  context: CommandContext,
  postId: string,
  input: Partial<PostInput>,
): Promise<Posted> => {
  const { content: before } = await loadPost(deps, postId);
  await assertPromoCode(deps, input.promoCode);
  return withPictures(deps, context, picturesOf(postId, before.images), input, async (content) => {
    const command = { type: 'ChangePost', content, at: context.at } as const;
    return postedOf(postId, (await deps.aggregates.handle(post, postId, command, context)).state);
  });
};

/** Deletes its pictures too. @throws Rejected `not_found` */
export const deletePost = async (deps: WriteDeps, context: CommandContext, postId: string): Promise<void> => {
  const { content } = await loadPost(deps, postId);
  await withPictures(deps, context, picturesOf(postId, content.images), { images: [] }, () =>
    deps.aggregates.handle(post, postId, { type: 'DeletePost' }, context),
  );
};

/** An event that everybody can see. @throws Rejected `not_found` */
export const publishedEvent = async (deps: Deps, postId: string, at: string): Promise<Posted> => {
  const found = await loadPost(deps, postId);
  if (found.kind !== 'event' || postStateAt(found.content, at) !== 'published') throw notFound('event');
  return found;
};
