/** Decisions on uploaded files. */
import { describe, expect, it } from 'vitest';
import { type FileEvent, factsOf, file, type StoredFile, type Uploaded } from '../../domain/files/file.ts';
import { folderNames, kindOf, maxBytesOf, media, mimes } from '../../domain/files/folders.ts';
import { specification } from '../kit/given.ts';

const given = specification(file);
const OWNER = '0190d1f0-0000-7000-8000-000000000001';
const OTHER = '0190d1f0-0000-7000-8000-000000000002';
const message = { kind: 'message', id: '0190d1f0-0000-7000-8000-000000000003' };
const another = { kind: 'message', id: '0190d1f0-0000-7000-8000-000000000004' };
const upload: Uploaded = {
  ownerId: OWNER,
  folder: 'chat',
  mime: 'image/jpeg',
  size: 1_000,
  width: 640,
  height: 480,
  durationS: null,
  thumbnailSize: 90,
  sha256: 'ab'.repeat(32),
};
const uploaded: FileEvent = { type: 'FileUploaded', data: upload };
const attached: FileEvent = { type: 'FileAttached', data: { usage: message } };
const withheld: FileEvent = { type: 'FileWithheld', data: { usage: message } };
const detached: FileEvent = { type: 'FileDetached', data: { usage: message } };
const removed = (reason: 'unused' | 'deleted' | 'erased'): FileEvent => ({ type: 'FileRemoved', data: { reason } });
const attach = { type: 'Attach', ownerId: OWNER, folder: 'chat', usage: message } as const;

describe('an upload', () => {
  it('is recorded once', () => given([]).when({ type: 'RecordUpload', upload }).thenOnce([uploaded]));
  it('cannot be recorded again after its removal', () =>
    given([uploaded, removed('unused')])
      .when({ type: 'RecordUpload', upload })
      .then([]));
  it('keeps what others show, and no fingerprint', () => {
    const { state } = given([uploaded]);
    expect(state).not.toHaveProperty('sha256');
    const { ownerId: _, sha256: __, ...facts } = upload;
    expect(factsOf(message.id, state as StoredFile)).toEqual({ fileId: message.id, ...facts });
  });
});

describe('attaching', () => {
  it('is recorded', () => given([uploaded]).when(attach).then([attached]));
  it('again to the same thing is recorded again, so that it is not removed as abandoned', () =>
    given([uploaded, attached]).when(attach).then([attached]));
  it('to another thing is a conflict', () =>
    given([uploaded, attached])
      .when({ ...attach, usage: another })
      .then('conflict'));
  it('is possible again after detaching', () =>
    given([uploaded, attached, detached])
      .when({ ...attach, usage: another })
      .then([{ type: 'FileAttached', data: { usage: another } }]));
  it.each([
    ['what was not uploaded', [], attach],
    ['what was removed', [uploaded, removed('unused')], attach],
    ['a file of somebody else', [uploaded], { ...attach, ownerId: OTHER }],
  ])('does not find %s', (_, events, command) => given(events).when(command).then('not_found'));
  it('refuses a file of another folder', () =>
    given([uploaded])
      .when({ ...attach, folder: 'reviews' })
      .then('invalid'));
});

describe('detaching', () => {
  it('happens once', () => given([uploaded, attached]).when({ type: 'Detach', usage: message }).thenOnce([detached]));
  it('leaves what something else uses', () =>
    given([uploaded, attached]).when({ type: 'Detach', usage: another }).then([]));
});

describe('removal', () => {
  it('follows the deletion of what used it', () =>
    given([uploaded, attached])
      .when({ type: 'RemoveUsed', usage: message })
      .thenOnce([removed('deleted')]));
  it('and detaching do not follow when it was attached again meanwhile', () => {
    for (const type of ['RemoveUsed', 'Detach'] as const) {
      given([uploaded, attached, attached]).when({ type, usage: message, attached: 1 }).then([]);
      given([uploaded, attached, attached])
        .when({ type, usage: message, attached: 2 })
        .then([type === 'Detach' ? detached : removed('deleted')]);
    }
  });
  it('does not follow the deletion of something else', () =>
    given([uploaded, attached]).when({ type: 'RemoveUsed', usage: another }).then([]));
  it('of what was attached to something that never came about', () =>
    given([uploaded, attached])
      .when({ type: 'RemoveAbandoned', attached: 1 })
      .thenOnce([removed('unused')]));
  it('does not follow when it was detached meanwhile: it is deleted later', () =>
    given([uploaded, attached, detached]).when({ type: 'RemoveAbandoned', attached: 1 }).then([]));
  it('does not follow when it was attached again meanwhile', () =>
    given([uploaded, attached, attached]).when({ type: 'RemoveAbandoned', attached: 1 }).then([]));
  it('of what nothing uses', () =>
    given([uploaded])
      .when({ type: 'RemoveUnused' })
      .thenOnce([removed('unused')]));
  it('spares what is used', () => given([uploaded, attached]).when({ type: 'RemoveUnused' }).then([]));
  it('by its owner', () =>
    given([uploaded])
      .when({ type: 'RemoveOwn', ownerId: OWNER })
      .thenOnce([removed('deleted')]));
  it('by its owner is refused while it is used', () =>
    given([uploaded, attached]).when({ type: 'RemoveOwn', ownerId: OWNER }).then('invalid_transition'));
  it.each([
    ['of somebody else', [uploaded]],
    ['that was not uploaded', []],
    ['of somebody else that was removed', [uploaded, removed('unused')]],
  ])('by a person does not find a file %s', (_, events) =>
    given(events).when({ type: 'RemoveOwn', ownerId: OTHER }).then('not_found'),
  );
  it('by the erasure of its owner, used or not', () => {
    given([uploaded])
      .when({ type: 'RemoveErased' })
      .thenOnce([removed('erased')]);
    given([uploaded, attached])
      .when({ type: 'RemoveErased' })
      .thenOnce([removed('erased')]);
    given([]).when({ type: 'RemoveErased' }).then([]);
  });
});

describe('what is withheld for admins', () => {
  const given = (...since: FileEvent[]) => specification(file)([uploaded, attached, ...since]);
  it('is what was shown where it was deleted', () => {
    given().when({ type: 'Withhold', usage: message }).thenOnce([withheld]);
    given().when({ type: 'Withhold', usage: another }).then([]);
    given(detached).when({ type: 'Withhold', usage: message }).then([]);
    given(removed('deleted')).when({ type: 'Withhold', usage: message }).then([]);
  });
  it('looks removed to its owner, who cannot destroy it', () => {
    given(withheld).when(attach).then('not_found');
    given(withheld).when({ type: 'RemoveOwn', ownerId: OWNER }).then([]);
    given(withheld).when({ type: 'RemoveOwn', ownerId: OTHER }).then('not_found');
    for (const command of [
      { type: 'Detach', usage: message },
      { type: 'RemoveAbandoned', attached: 1 },
      { type: 'RemoveUnused' },
    ] as const)
      given(withheld).when(command).then([]);
  });
  it('is removed later, or with the account of its owner', () => {
    given(withheld)
      .when({ type: 'RemoveUsed', usage: message })
      .thenOnce([removed('deleted')]);
    given(withheld)
      .when({ type: 'RemoveErased' })
      .thenOnce([removed('erased')]);
  });
});

describe('folders', () => {
  it('every type has one kind', () => {
    for (const mime of mimes) expect(media[kindOf(mime)].mimes).toContain(mime);
    expect(new Set(mimes).size).toBe(mimes.length);
  });
  it('take pictures up to 20 MiB, and nothing above 50 MiB', () => {
    expect(maxBytesOf('reviews')).toBe(20 * 1024 * 1024);
    for (const name of folderNames) expect(maxBytesOf(name)).toBeLessThanOrEqual(50 * 1024 * 1024);
  });
});
