/** What may be uploaded where: kinds of media, and folders that take some of them. */

/**
 * Kinds of media by what they are used for. `mimes` are the types in which they are stored and served; pictures, voice
 * messages and videos are written anew, so that it can differ from what was uploaded.
 */
export const media = {
  image: { mimes: ['image/jpeg', 'image/webp'], maxBytes: 20 * 1024 * 1024, maxSeconds: undefined },
  voice: {
    mimes: ['audio/mp4', 'audio/mpeg', 'audio/aac', 'audio/ogg', 'audio/webm', 'audio/wav'],
    maxBytes: 20 * 1024 * 1024,
    maxSeconds: 600,
  },
  video: { mimes: ['video/mp4', 'video/webm'], maxBytes: 50 * 1024 * 1024, maxSeconds: 120 },
  document: { mimes: ['application/pdf'], maxBytes: 50 * 1024 * 1024, maxSeconds: undefined },
} as const;
export type MediaKind = keyof typeof media;
export type Mime = (typeof media)[MediaKind]['mimes'][number];
export const mimes = Object.values(media).flatMap(({ mimes }): readonly Mime[] => mimes);

export const kindOf = (mime: Mime): MediaKind =>
  (Object.keys(media) as MediaKind[]).find((kind) =>
    (media[kind].mimes as readonly Mime[]).includes(mime),
  ) as MediaKind;

/** A place that files are uploaded for. A file can be used only there. */
export interface Folder {
  readonly kinds: readonly MediaKind[];
  /** Who may upload: everybody who is signed in, or sellers and admins. */
  readonly by: 'everybody' | 'sellers';
  /** Whether a file that is used can be read by everybody who knows its address, for any time. */
  readonly isPublic: boolean;
}

const folders = {
  chat: { kinds: ['image', 'voice', 'video', 'document'], by: 'everybody', isPublic: false },
  reviews: { kinds: ['image'], by: 'everybody', isPublic: true },
  listings: { kinds: ['image'], by: 'sellers', isPublic: true },
  avatars: { kinds: ['image'], by: 'everybody', isPublic: true },
  documents: { kinds: ['image', 'document'], by: 'everybody', isPublic: false },
  forums: { kinds: ['image'], by: 'everybody', isPublic: false },
  stories: { kinds: ['image', 'video'], by: 'everybody', isPublic: false },
} as const satisfies Record<string, Folder>;
export type FolderName = keyof typeof folders;
export const folderNames = Object.keys(folders) as FolderName[];
/** The rules of a folder, whichever it is. */
export const folderOf = (name: FolderName): Folder => folders[name];

/** The largest file that a folder takes, in bytes. */
export const maxBytesOf = (name: FolderName): number =>
  Math.max(...folderOf(name).kinds.map((kind) => media[kind].maxBytes));
