/**
 * Pictures of listings and rooms: addresses elsewhere, or files that were uploaded to the folder `listings`. Such a file
 * belongs to the listing that shows it, whose event has the public address of it.
 */
import { hotel } from '../../domain/catalog/hotel.ts';
import type { Image } from '../../domain/catalog/listing.ts';
import { listingKinds } from '../../domain/catalog/listings.ts';
import { room } from '../../domain/catalog/room.ts';
import { type Decider, Rejected } from '../../domain/core/decider.ts';
import { fileIdIn, pathOf } from '../../domain/files/addresses.ts';
import type { Usage } from '../../domain/files/file.ts';
import { publicLink } from '../../infra/signedLinks.ts';
import type { CoreDeps } from '../core/deps.ts';
import type { CommandContext } from '../core/handle.ts';
import { removeFiles, removeUnused, withFiles } from '../files/attachFiles.ts';
import type { FileUse, OwnerOf } from '../files/fileUses.ts';
import { deleteIfUnused } from '../files/unused.ts';

type Deps = Pick<CoreDeps, 'aggregates'>;

/** As a seller names it: by one of the two. */
export interface PictureInput {
  readonly isMain: boolean;
  readonly url?: string;
  readonly fileId?: string;
}

/** What shows the pictures, which it shows now, and how to find out what it shows later: others may change it, too. */
export interface Shown {
  readonly usage: Usage;
  readonly before: readonly Image[];
  readonly isUsed: FileUse<Deps>;
}

const imageOf = ({ isMain, url, fileId }: PictureInput): Image => {
  if ((url === undefined) === (fileId === undefined))
    throw new Rejected('invalid', 'A picture has either url or file_id.', { fields: ['url', 'file_id'] });
  return { url: url ?? publicLink(pathOf(fileId ?? '', 'file')), isMain };
};

const assertOneMain = (images: readonly PictureInput[]): void => {
  if (images.filter(({ isMain }) => isMain).length > 1)
    throw new Rejected('invalid', 'Only one picture can be the main one: send is_main: false for the others.', {
      fields: ['images'],
    });
};

const filesIn = (images: readonly Image[]): string[] => images.flatMap(({ url }) => fileIdIn(url) ?? []);

/**
 * Writes details with their pictures: attaches the files of new ones first, and deletes those that are no longer shown
 * after that.
 * @throws Rejected `invalid` for two main pictures, `not_found` for a file that the actor has not uploaded, and what
 * `write` throws
 */
export const withPictures = async <D extends { readonly images?: readonly PictureInput[] }, T>(
  deps: Pick<CoreDeps, 'aggregates' | 'pool'>,
  context: CommandContext,
  { usage, before, isUsed }: Shown,
  details: D,
  write: (details: Omit<D, 'images'> & { readonly images?: Image[] }) => Promise<T>,
): Promise<T> => {
  const { images: named, ...rest } = details;
  if (named === undefined) return write(rest);
  assertOneMain(named);
  const images = named.map(imageOf);
  const [shown, showing] = [filesIn(before), filesIn(images)];
  const ids = named.flatMap(({ fileId }) => (fileId === undefined || shown.includes(fileId) ? [] : fileId));
  const dropped = shown.filter((id) => !showing.includes(id));
  const attaching = { ids, ownerId: context.actor.id, folder: 'listings', usage } as const;
  const written = await withFiles(deps, context, attaching, async () => {
    // In case the process dies before it has removed them.
    for (const id of dropped) await deleteIfUnused(deps.pool, id, context);
    return write({ ...rest, images });
  });
  await removeUnused(deps, context, { ids: dropped, usage }, (attached) => isUsed(deps, attached));
  return written;
};

/** Whether what has this state shows the file. */
export const shows = (state: object, fileId: string): boolean =>
  'images' in state && filesIn(state.images as readonly Image[]).includes(fileId);

/** The states of the listing in each kind: at most one is more than the initial one. */
const statesOf = async ({ aggregates }: Deps, id: string): Promise<object[]> => {
  // The compiler cannot see that one call loads any kind.
  const deciders = Object.values(listingKinds).map(
    ({ decider }) => decider as unknown as Decider<object, never, never>,
  );
  const found = await Promise.all(deciders.map((decider) => aggregates.load(decider, id)));
  return found.map(({ state }) => state);
};

/** Whether the listing, of whichever kind, shows the file. */
export const listingUse: FileUse<Deps> = async (deps, { id, fileId }) =>
  (await statesOf(deps, id)).some((state) => shows(state, fileId));

export const listingOwner: OwnerOf = async (deps, id) =>
  (await statesOf(deps, id)).flatMap((state) => ('ownerId' in state ? [state.ownerId as string] : []))[0];

/** Deletes the files that the listing or room shows, whoever has uploaded them. */
export const removePictures = async (
  deps: Deps,
  context: CommandContext,
  usage: Usage & { readonly kind: 'listing' | 'room' },
): Promise<void> => {
  const { kind, id } = usage;
  const states = kind === 'room' ? [(await deps.aggregates.load(room, id)).state] : await statesOf(deps, id);
  const images = states.flatMap((state) => ('images' in state ? (state.images as Image[]) : []));
  await removeFiles(deps, context, { ids: filesIn(images), usage });
};

export const roomUse: FileUse<Deps> = async ({ aggregates }, { id, fileId }) =>
  shows((await aggregates.load(room, id)).state, fileId);

export const roomOwner: OwnerOf = async ({ aggregates }, id) => {
  const { hotelId } = (await aggregates.load(room, id)).state;
  const of = hotelId === null ? undefined : (await aggregates.load(hotel, hotelId)).state;
  return of?.status === 'none' ? undefined : of?.ownerId;
};
