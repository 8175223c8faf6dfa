/** Segments of feature flags, for admins. */
import { Type } from '@sinclair/typebox';
import { createSegment, deleteSegment, redefineSegment } from '../../commands/flags/flags.ts';
import { SegmentDefinition } from '../../domain/flags/flag.ts';
import { flagSegments, listSegments } from '../../projections/flags/segments.ts';
import { platformNotices } from '../../projections/platform/notices.ts';
import { ListOf, paged, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';

const Segment = Type.Object(flagSegments.row.properties, { $id: 'FlagSegment' });
const Body = Type.Object(SegmentDefinition.properties, { $id: 'NewFlagSegment' });
const projections = [flagSegments, platformNotices];

const list = route('GET /api/v1/admin/flag-segments', {
  id: 'listFlagSegments',
  access: 'admin',
  harm: { none: 'shows rules, and ids of accounts' },
  summary: 'List segments',
  query: Type.Object(pagingQuery),
  reply: ListOf(Segment),
  handle: ({ query }, { db }) => paged(query, (paging) => listSegments(db, paging)),
});

const create = route('POST /api/v1/admin/flag-segments', {
  id: 'createFlagSegment',
  access: 'admin',
  harm: 'safety',
  summary: 'Create a segment',
  body: Body,
  reply: Segment,
  status: 201,
  errors: ['conflict', 'invalid'],
  projections,
  handle: async ({ body, caller, context }, app) => {
    const id = await createSegment(app, context, body);
    return { id, ...body, updated_at: context.at, updated_by: caller.id };
  },
});

const put = route('PUT /api/v1/admin/flag-segments/:id', {
  id: 'redefineFlagSegment',
  access: 'admin',
  harm: 'safety',
  summary: 'Replace a segment',
  description: 'It applies at once to all flags that use it.',
  params: ById,
  body: Body,
  reply: Segment,
  errors: ['not_found', 'invalid'],
  projections,
  handle: async ({ params: { id }, body, caller, context }, app) => {
    await redefineSegment(app, context, id, body);
    return { id, ...body, updated_at: context.at, updated_by: caller.id };
  },
});

const remove = route('DELETE /api/v1/admin/flag-segments/:id', {
  id: 'deleteFlagSegment',
  access: 'admin',
  harm: 'safety',
  summary: 'Delete a segment',
  description: 'Refused while a flag uses it. Safe to repeat.',
  params: ById,
  ...NO_CONTENT,
  errors: ['conflict'],
  projections,
  handle: async ({ params: { id }, context }, app) => {
    await deleteSegment(app, context, id);
    return null;
  },
});

export const segmentRoutes = [list, create, put, remove];
