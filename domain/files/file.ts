/**
 * An uploaded file: `file-<id>`. Its bytes are in the file store. It is uploaded for a folder and belongs to whoever
 * uploaded it; then one thing uses it, such as a message. What is not used is removed after a day. What is withheld is
 * gone for everybody but admins, and removed later. The name that it had on its owner's device is not kept.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { Nullable, OneOf, Personal, Uuid } from '../core/schema.ts';
import { type FolderName, folderNames, mimes } from './folders.ts';

const size = Type.Integer({ minimum: 0 });

/** What others store and show of a file that they use. `width` and `height` in pixels, `durationS` in seconds. */
export const FileFacts = Type.Object({
  fileId: Uuid,
  folder: OneOf(folderNames),
  mime: OneOf(mimes),
  size: Type.Integer({ minimum: 0, description: 'In bytes.' }),
  width: Nullable(Type.Integer({ description: 'Of pictures and videos, in pixels.' })),
  height: Nullable(Type.Integer({ description: 'Of pictures and videos, in pixels.' })),
  durationS: Nullable(Type.Number({ description: 'Of voice messages and videos, in seconds.' })),
  thumbnailSize: Nullable(Type.Integer({ description: 'Of the thumbnail, in bytes; null: there is none.' })),
});
export type FileFacts = Static<typeof FileFacts>;

/** What uses a file: `{ kind: 'review', id }`. `within`: what it is part of, such as the thread of a message. */
export const Usage = Type.Object({
  kind: Type.String({ pattern: '^[a-z_]{1,40}$' }),
  id: Uuid,
  within: Type.Optional(Uuid),
});
export type Usage = Static<typeof Usage>;

const removalReasons = ['unused', 'deleted', 'erased'] as const;
type RemovalReason = (typeof removalReasons)[number];

const { fileId: _, ...facts } = FileFacts.properties;
const fileEvents = {
  FileUploaded: {
    data: Type.Object({
      ownerId: Uuid,
      ...facts,
      size,
      /** Of the stored bytes, in hexadecimal. It would show that somebody had a known file. */
      sha256: Personal(Type.String()),
    }),
    person: 'ownerId',
  },
  /** Again when what uses it was to be recorded once more. */
  FileAttached: { data: Type.Object({ usage: Usage }) },
  /** What was to use it did not come about. */
  FileDetached: { data: Type.Object({ usage: Usage }) },
  /** What used it was deleted while a report of it was open: admins still judge by it. */
  FileWithheld: { data: Type.Object({ usage: Usage }) },
  /** Its bytes are deleted after this event. */
  FileRemoved: { data: Type.Object({ reason: OneOf(removalReasons) }) },
} as const satisfies EventDeclarations;
export type FileEvent = EventsOf<typeof fileEvents>;
export type Uploaded = Static<typeof fileEvents.FileUploaded.data>;

/** The end of a usage. */
interface Ending {
  readonly usage: Usage;
  /** Not when it was attached again since it was found attached so often. */
  readonly attached?: number;
}

export type FileCommand =
  | { readonly type: 'RecordUpload'; readonly upload: Uploaded }
  | { readonly type: 'Attach'; readonly ownerId: string; readonly folder: FolderName; readonly usage: Usage }
  | ({ readonly type: 'Detach' } & Ending)
  /** What used it was deleted, and admins still need it. */
  | { readonly type: 'Withhold'; readonly usage: Usage }
  /** What used it was deleted, or uses it no more. */
  | ({ readonly type: 'RemoveUsed' } & Ending)
  | { readonly type: 'RemoveUnused' }
  /** What was to use it was never recorded. Not when it was attached again since it was found `attached` times. */
  | { readonly type: 'RemoveAbandoned'; readonly attached: number }
  | { readonly type: 'RemoveOwn'; readonly ownerId: string }
  | { readonly type: 'RemoveErased' };

export interface StoredFile extends Omit<Uploaded, 'sha256'> {
  readonly status: 'stored' | 'withheld' | 'removed';
  readonly usage: Usage | null;
  /** How often it was attached. */
  readonly attached: number;
}
export type File = { readonly status: 'none' } | StoredFile;

const isSame = (a: Usage | null, b: Usage): boolean => a !== null && a.kind === b.kind && a.id === b.id;

/** Whether it is not removed: withheld ones are there, too. */
export const isThere = (state: File): state is StoredFile => state.status === 'stored' || state.status === 'withheld';

const ends = ({ usage, attached }: Ending, state: File): boolean =>
  isThere(state) && isSame(state.usage, usage) && (attached === undefined || attached === state.attached);

/** The file, if this account has it: a withheld one is gone for its owner. @throws Rejected `not_found` */
const own = (state: File, ownerId: string): StoredFile => {
  if (state.status !== 'stored' || state.ownerId !== ownerId) throw notFound('file');
  return state;
};

const attach = ({ ownerId, folder, usage }: Extract<FileCommand, { type: 'Attach' }>, state: File): FileEvent[] => {
  const found = own(state, ownerId);
  if (found.folder !== folder)
    throw new Rejected('invalid', `This file was uploaded to the folder ${found.folder}. Upload it to ${folder}.`, {
      fields: ['picture_ids', 'attachments', 'media_id', 'images', 'holder/photo_id'],
    });
  // Also when this attached it before: a new attempt to record what uses it keeps it from being removed as abandoned.
  if (found.usage && !isSame(found.usage, usage))
    throw new Rejected('conflict', 'This file is used already. Upload it again to use it once more.');
  return [{ type: 'FileAttached', data: { usage } }];
};

const removed = (reason: RemovalReason): FileEvent[] => [{ type: 'FileRemoved', data: { reason } }];

const decide = (command: FileCommand, state: File): FileEvent[] => {
  switch (command.type) {
    case 'RecordUpload':
      return state.status === 'none' ? [{ type: 'FileUploaded', data: command.upload }] : [];
    case 'Attach':
      return attach(command, state);
    case 'Detach':
      return state.status === 'stored' && ends(command, state)
        ? [{ type: 'FileDetached', data: { usage: command.usage } }]
        : [];
    case 'Withhold':
      return state.status === 'stored' && ends(command, state)
        ? [{ type: 'FileWithheld', data: { usage: command.usage } }]
        : [];
    case 'RemoveUsed':
      return ends(command, state) ? removed('deleted') : [];
    case 'RemoveUnused':
      return state.status === 'stored' && state.usage === null ? removed('unused') : [];
    case 'RemoveAbandoned':
      return state.status === 'stored' && state.usage && state.attached === command.attached ? removed('unused') : [];
    case 'RemoveOwn': {
      if (state.status !== 'none' && state.status !== 'stored' && state.ownerId === command.ownerId) return [];
      if (own(state, command.ownerId).usage)
        throw new Rejected('invalid_transition', 'This file is used. Delete what uses it, or remove it there.');
      return removed('deleted');
    }
    case 'RemoveErased':
      return isThere(state) ? removed('erased') : [];
  }
};

const evolve = (state: File, event: FileEvent): File => {
  if (event.type === 'FileUploaded') {
    const { sha256: _, ...upload } = event.data;
    return { ...upload, status: 'stored', usage: null, attached: 0 };
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'FileAttached':
      return { ...state, usage: event.data.usage, attached: state.attached + 1 };
    case 'FileDetached':
      return { ...state, usage: null };
    case 'FileWithheld':
      return { ...state, status: 'withheld' };
    case 'FileRemoved':
      return { ...state, status: 'removed' };
  }
};

export const file: Decider<File, FileCommand, FileEvent> = {
  category: 'file',
  short: 'a file is used by one thing, and goes',
  events: fileEvents,
  initial: { status: 'none' },
  decide,
  evolve,
};

/** What others store of a file that they use. */
export const factsOf = (fileId: string, state: StoredFile): FileFacts => {
  const { folder, mime, size, width, height, durationS, thumbnailSize } = state;
  return { fileId, folder, mime, size, width, height, durationS, thumbnailSize };
};
