/** What replies and messages show of files. */
import { expect, it } from 'vitest';
import type { FileEvent, FileFacts, Uploaded } from '../../domain/files/file.ts';
import { toSnake } from '../../infra/naming.ts';
import { checkLink } from '../../infra/signedLinks.ts';
import { type File, files, showFiles } from '../../projections/files/files.ts';
import { attachmentsOf, subjectOf } from '../../projections/files/links.ts';
import { emptyDb, happened, projection } from '../kit/projected.ts';

const rowsAfter = projection(files);
const ID = '0190d1f0-0000-7000-8000-000000000009';
const OWNER = '0190d1f0-0000-7000-8000-000000000001';
const AT = '2026-01-02T03:04:05.000Z';
const usage = { kind: 'message', id: '0190d1f0-0000-7000-8000-000000000003' };
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
const event = (one: FileEvent) => happened('file', ID, one, AT);
const uploaded = (data: Partial<Uploaded> = {}) => event({ type: 'FileUploaded', data: { ...upload, ...data } });
const attached = event({ type: 'FileAttached', data: { usage } });

const shown = async (rows: unknown[]): Promise<File[]> =>
  (await showFiles(emptyDb, rows as never)).map(({ text }) => JSON.parse(text) as File);

it('a file has a row until it is removed', () => {
  const [row] = rowsAfter([uploaded()]);
  expect(row).toEqual({ id: ID, ...toSnake(upload), used_by: null, is_withheld: false, created_at: AT });
  expect(rowsAfter([uploaded(), attached])).toMatchObject([{ used_by: usage }]);
  const withheld = event({ type: 'FileWithheld', data: { usage } });
  expect(rowsAfter([uploaded(), attached, withheld])).toMatchObject([{ used_by: usage, is_withheld: true }]);
  expect(rowsAfter([uploaded(), attached, event({ type: 'FileDetached', data: { usage } })])).toEqual([row]);
  expect(rowsAfter([uploaded(), event({ type: 'FileRemoved', data: { reason: 'unused' } })])).toEqual([]);
});

it('shows its owner links, and not what only the server needs', async () => {
  const [file] = await shown(rowsAfter([uploaded()]));
  expect(Object.keys(file ?? {})).not.toEqual(expect.arrayContaining(['owner_id']));
  expect(file).not.toHaveProperty('sha256');
  expect(file?.url).toMatch(new RegExp(`^https://api.test/api/v1/files/${ID}\\?expires=\\d+&signature=[\\w-]{32}$`));
  expect(file?.thumbnail_url).toContain(`/api/v1/files/${ID}/thumbnail?expires=`);
});

it('of a public folder needs no signature once it is used', async () => {
  const [before] = await shown(rowsAfter([uploaded({ folder: 'reviews' })]));
  const [after] = await shown(rowsAfter([uploaded({ folder: 'reviews' }), attached]));
  expect(before?.url).toContain('signature=');
  expect(after?.url).toBe(`https://api.test/api/v1/files/${ID}`);
});

it('is shown by what uses it, with a signed link where its folder is private', () => {
  const { ownerId: _, sha256: __, ...facts } = upload;
  const row = toSnake({ fileId: ID, ...facts } satisfies FileFacts);
  const [attachment] = attachmentsOf([row, { ...row, thumbnail_size: null }], AT);
  expect(attachment).toMatchObject({
    id: ID,
    mime: 'image/jpeg',
    size: 1_000,
    width: 640,
    height: 480,
    duration_s: null,
  });
  expect(attachment?.url).toContain('signature=');
  expect(attachmentsOf([{ ...row, thumbnail_size: null }], AT)[0]?.thumbnail_url).toBeNull();
});

it('has the same link for a day, which works for two days at least', () => {
  const linkAt = (at: string): URL => {
    const row = toSnake({ fileId: ID, ...upload }) as never;
    return new URL(attachmentsOf([row], at)[0]?.url ?? '');
  };
  const first = linkAt('2026-01-02T00:00:00.000Z');
  expect(linkAt('2026-01-02T23:59:59.999Z').href).toBe(first.href);
  expect(linkAt('2026-01-03T00:00:00.000Z').href).not.toBe(first.href);
  const given = {
    expires: Number(first.searchParams.get('expires')),
    signature: first.searchParams.get('signature') ?? '',
  };
  const state = (at: string, parts: object = {}, variant: 'file' | 'thumbnail' = 'file') =>
    checkLink(subjectOf(ID, variant), { ...given, ...parts }, at);
  expect(state('2026-01-04T23:59:59.999Z')).toBe('valid');
  expect(state('2026-01-05T00:00:00.000Z')).toBe('expired');
  expect(state(AT, { expires: given.expires + 86_400 })).toBe('forged');
  expect(state(AT, { signature: '' })).toBe('forged');
  expect(state(AT, { signature: `${given.signature.slice(0, -1)}é` })).toBe('forged');
  expect(state(AT, {}, 'thumbnail')).toBe('forged');
  expect(checkLink(subjectOf(OWNER, 'file'), given, AT)).toBe('forged');
});
