/** Certificates of erasures, for the person who was erased, those who have the id from them, and admins. */
import { type Static, Type } from '@sinclair/typebox';
import { erasureOutcomes } from '../../commands/core/certificateParts.ts';
import { type Certificate, certificateById, listCertificates, signatureOf } from '../../commands/core/certificates.ts';
import { type Position, Rejected } from '../../domain/core/decider.ts';
import { Instant, Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { isForgetting } from '../../projections/engine/changes.ts';
import type { App } from '../http/app.ts';
import { ListOf, listOf, pagingOf, pagingQuery } from '../http/paging.ts';
import { ById, route } from '../http/route.ts';

const ErasureCertificate = Type.Object(
  {
    id: Uuid,
    status: OneOf(['pending', 'under_way', 'complete'] as const, {
      description:
        '`pending`: it begins at `due_at`, unless the person signs in before. Then there is no certificate any more. `under_way`: something is `waiting`, or read models follow within seconds.',
    }),
    requested_at: Instant,
    due_at: { ...Nullable(Instant), description: 'Only while it is pending.' },
    done_at: {
      ...Nullable(Instant),
      description:
        'When the key was destroyed, the account closed and everything here deleted. Only systems outside may be left.',
    },
    parts: Type.Array(
      Type.Object({
        holder: Type.String({ description: 'What held the data: a table, a read model (`read.…`), files and so on.' }),
        outcome: OneOf(erasureOutcomes, {
          description:
            '`kept`: what is not personal, such as ids and amounts. `waiting`: a system outside, such as a payment provider, has not confirmed it yet; it is asked for seven days at most. `left`: it refuses, has no way to delete it, or did not confirm it in that time.',
        }),
        count: Type.Integer({ minimum: 1, description: 'How many rows, files and so on.' }),
      }),
    ),
    corrections: Type.Array(
      Type.Object({
        at: Instant,
        holder: Type.String(),
        outcome: OneOf(erasureOutcomes),
        count: Type.Integer({ minimum: 1 }),
      }),
      {
        description:
          'What was found, and erased, after the certificate was given, the oldest first. What it says itself stays; `signature` does not cover these.',
      },
    ),
    signature: {
      ...Nullable(Type.String()),
      description: 'Of the platform, once it is complete: a copy that was altered has another one.',
    },
  },
  { $id: 'ErasureCertificate' },
);

const statusOf = (dueAt: string | null, isComplete: boolean) => {
  if (dueAt !== null) return 'pending';
  return isComplete ? 'complete' : 'under_way';
};

/** Read models follow the log, and forgotten changes are deleted, within seconds. */
const areFollowed = async ({ positions, pool }: App, position: Position, doneAt: string): Promise<boolean> =>
  (await positions.reached(position, 0)) && !(await isForgetting(pool, doneAt));

const shown = async (app: App, certificate: Certificate): Promise<Static<typeof ErasureCertificate>> => {
  const { id, requestedAt, dueAt, doneAt, position, parts, corrections } = certificate;
  const waits = parts.some(({ outcome }) => outcome === 'waiting');
  const isComplete = doneAt !== null && !waits && (position === null || (await areFollowed(app, position, doneAt)));
  return {
    id,
    status: statusOf(dueAt, isComplete),
    requested_at: requestedAt,
    due_at: dueAt,
    done_at: doneAt,
    parts: [...parts],
    corrections: [...corrections],
    signature: isComplete ? signatureOf(app.vault, certificate) : null,
  };
};

const one = route('GET /api/v1/erasures/:id', {
  id: 'getErasureCertificate',
  access: 'public',
  rate: 'status',
  summary: 'Get the certificate of an erasure',
  description: 'What was erased where, and when. It does not say who: its id is known to the person who was erased.',
  params: ById,
  reply: ErasureCertificate,
  errors: ['not_found'],
  handle: async ({ params }, app) => {
    const certificate = await certificateById(app.pool, params.id);
    if (!certificate) throw new Rejected('not_found', 'There is no certificate with this id.');
    return shown(app, certificate);
  },
});

const list = route('GET /api/v1/admin/erasures', {
  id: 'listErasureCertificates',
  access: 'admin',
  harm: { none: 'shows counts and ids, nothing that people wrote' },
  summary: 'List certificates of erasures',
  description: 'The newest first.',
  query: Type.Object(pagingQuery),
  reply: ListOf(ErasureCertificate),
  handle: async ({ query }, app) => {
    const paging = pagingOf(query);
    const { rows, total } = await listCertificates(app.pool, paging);
    return listOf({ rows: await Promise.all(rows.map((each) => shown(app, each))), total }, paging);
  },
});

export const certificateRoutes = [one, list];
