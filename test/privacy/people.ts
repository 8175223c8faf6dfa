/** Who takes part in the proof: two people who leave, and those who stay and deal with them. */
import sharp from 'sharp';
import type { Pool } from '../../infra/postgres.ts';
import { type Newcomer, newTourist, signIn } from '../kit/http.ts';
import type { Shared } from '../kit/world.ts';
import type { Writer } from './writer.ts';

const sellingRoles = ['hotelier', 'tour_operator', 'restaurant', 'transfer_provider'] as const;
type SellingRole = (typeof sellingRoles)[number];

export interface Cast {
  readonly guest: Newcomer;
  /** An instructor. */
  readonly seller: Newcomer;
  /** Who leaves, too, by what they offer. */
  readonly sellers: Readonly<Record<SellingRole, Newcomer>>;
  readonly staying: Newcomer;
  readonly admin: string;
  readonly hotelier: string;
  readonly world: Shared;
  readonly pool: Pool;
}

const PASSWORD = 'correct horse battery';

/** An account with a mark in everything that its profile has. */
const newMarked = async ({ write, call }: Writer, admin: string, role: string): Promise<Newcomer> => {
  const { id, email } = await write('POST /api/v1/admin/accounts', admin, { role, password: PASSWORD });
  const { body } = await call('POST /auth/login', { body: { identifier: email, password: PASSWORD } });
  return { id, email, password: PASSWORD, token: body.access_token };
};

export const createCast = async (writer: Writer, world: Shared, pool: Pool): Promise<Cast> => {
  const { call } = writer;
  const [admin, hotelier] = await Promise.all([
    signIn(call, world.demo, 'admin'),
    signIn(call, world.demo, 'hotelier'),
  ]);
  const [guest, seller, staying] = await Promise.all([
    newMarked(writer, admin, 'tourist'),
    newMarked(writer, admin, 'instructor'),
    newTourist(call, admin, 'Yuri'),
  ]);
  const opened = sellingRoles.map(async (role) => [role, await newMarked(writer, admin, role)] as const);
  const sellers = Object.fromEntries(await Promise.all(opened)) as Cast['sellers'];
  return { guest, seller, sellers, staying, admin, hotelier, world, pool };
};

/** A JPEG with a mark in its metadata. */
export const markedPicture = ({ marks }: Writer): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#3366cc' } })
    .withExif({ IFD0: { Copyright: marks.word('metadata of a picture') } })
    .jpeg()
    .toBuffer();

/** A PDF with a mark in its text. */
export const markedDocument = ({ marks }: Writer): Buffer =>
  Buffer.from(
    `%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n` +
      `3 0 obj<</Title(${marks.word('a PDF')})>>endobj\ntrailer<</Root 1 0 R/Info 3 0 R>>\n%%EOF\n`,
  );

/** Uploads a file whose name has a mark. @returns its id */
export const upload = async (writer: Writer, { world }: Cast, token: string, folder: string, bytes: Buffer) => {
  const form = new FormData();
  const ending = bytes.subarray(0, 4).toString('latin1') === '%PDF' ? 'pdf' : 'jpg';
  form.append('file', new Blob([bytes]), `${writer.marks.word('name of a file')}.${ending}`);
  const reply = await fetch(`${world.runtime.api}/api/v1/attachments/upload?folder=${folder}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
    signal: AbortSignal.timeout(30_000),
  });
  const { id } = (await reply.json()) as { id: string };
  if (!reply.ok) throw new Error(`the upload was refused: ${reply.status}`);
  writer.written.add('POST /api/v1/attachments/upload');
  writer.know('attachments', id);
  writer.know('files', id);
  return id;
};
