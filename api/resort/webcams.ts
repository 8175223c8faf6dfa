/** Webcams. */
import { Readable } from 'node:stream';
import { type Static, Type } from '@sinclair/typebox';
import { addWebcam, changeWebcam, pictureOf, removeWebcam } from '../../commands/resort/webcams.ts';
import { notFound } from '../../domain/core/decider.ts';
import { WebcamDetails } from '../../domain/resort/webcam.ts';
import { snakeSchema } from '../../infra/naming.ts';
import {
  listWebcams,
  PublicWebcam,
  publicWebcam,
  type WebcamRow,
  webcamById,
  webcams,
} from '../../projections/resort/webcams.ts';
import type { App } from '../http/app.ts';
import { Bytes, BytesReply } from '../http/bytes.ts';
import { Favorable } from '../http/favorite.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { PUBLIC_CACHE } from './publicCache.ts';

const PICTURES = { none: 'pictures that everybody sees' };

const { name, snapshot_url, ...optional } = snakeSchema(WebcamDetails).properties;
const NewWebcam = Type.Object(
  { name, snapshot_url, ...Type.Partial(Type.Object(optional)).properties },
  { $id: 'NewWebcam' },
);
const AdminWebcam = Type.Object(webcams.row.properties, { $id: 'AdminWebcam' });

const detailsOf = (body: Static<typeof NewWebcam>): WebcamDetails => ({
  name: body.name,
  snapshotUrl: body.snapshot_url,
  description: body.description ?? '',
  longitude: body.longitude ?? null,
  latitude: body.latitude ?? null,
});
const rowOf = (id: string, details: WebcamDetails, updated_at: string): WebcamRow => {
  const { snapshotUrl, ...others } = details;
  return { id, ...others, snapshot_url: snapshotUrl, updated_at };
};

/** @throws Rejected `not_found` */
const found = async ({ db }: App, id: string): Promise<WebcamRow> => {
  const row = await webcamById(db, id);
  if (!row) throw notFound('webcam');
  return row;
};

const list = route('GET /api/v1/webcams', {
  id: 'listWebcams',
  access: 'public',
  rate: 'status',
  summary: 'List webcams',
  query: Type.Object(pagingQuery),
  reply: ListOf(Favorable(PublicWebcam, 'webcam')),
  reads: [webcams],
  cache: PUBLIC_CACHE,
  handle: ({ query }, { db }) => paged(query, (paging) => listWebcams(db, paging), publicWebcam),
});

const snapshot = route('GET /api/v1/webcams/:id/snapshot', {
  id: 'getWebcamSnapshot',
  access: 'public',
  rate: 'file',
  summary: 'Get the picture of a webcam',
  description: 'At most a minute old while the camera answers, otherwise its last picture.',
  params: ById,
  reply: BytesReply,
  errors: ['not_found'],
  reads: [webcams],
  handle: async ({ params: { id } }, app) => {
    const { picture, type, etag } = await pictureOf(app, id, (await found(app, id)).snapshot_url);
    return new Bytes({
      type,
      size: picture.length,
      etag,
      cache: 30,
      disposition: 'inline',
      open: async (range) => Readable.from([range ? picture.subarray(range.start, range.end + 1) : picture]),
    });
  },
});

const add = route('POST /api/v1/webcams/admin', {
  id: 'createWebcam',
  access: 'admin',
  harm: PICTURES,
  summary: 'Add a webcam',
  description: 'Its pictures are fetched from `snapshot_url`, whose host the operator has allowed (`WEBCAM_HOSTS`).',
  body: NewWebcam,
  status: 201,
  reply: AdminWebcam,
  errors: ['invalid'],
  projections: [webcams],
  handle: async ({ body, context }, app) => {
    const details = detailsOf(body);
    return rowOf(await addWebcam(app, context, details), details, context.at);
  },
});

const get = route('GET /api/v1/webcams/admin/:id', {
  id: 'getWebcam',
  access: 'admin',
  harm: PICTURES,
  summary: 'Get a webcam',
  params: ById,
  reply: AdminWebcam,
  errors: ['not_found'],
  reads: [webcams],
  handle: ({ params: { id } }, app) => found(app, id),
});

const replace = route('PUT /api/v1/webcams/admin/:id', {
  id: 'updateWebcam',
  access: 'admin',
  harm: PICTURES,
  summary: 'Change a webcam',
  params: ById,
  body: NewWebcam,
  reply: AdminWebcam,
  errors: ['not_found', 'invalid'],
  projections: [webcams],
  handle: async ({ params: { id }, body, context }, app) => {
    const details = detailsOf(body);
    await changeWebcam(app, context, id, details);
    return rowOf(id, details, context.at);
  },
});

const remove = route('DELETE /api/v1/webcams/admin/:id', {
  id: 'deleteWebcam',
  access: 'admin',
  harm: PICTURES,
  summary: 'Remove a webcam',
  params: ById,
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: [webcams],
  handle: async ({ params: { id }, context }, app) => {
    await removeWebcam(app, context, id);
    return null;
  },
});

export const webcamRoutes = [list, snapshot, add, get, replace, remove];
