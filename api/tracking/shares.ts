/** Live tracks: shown to others while they are recorded. */
import { Type } from '@sinclair/typebox';
import { ownSession } from '../../commands/tracking/sessions.ts';
import { revokeShare, shareTrack } from '../../commands/tracking/shares.ts';
import { addMs, HOUR_MS } from '../../domain/core/instants.ts';
import { Uuid } from '../../domain/core/schema.ts';
import { LONGEST_SHARE_HOURS, MAX_SHARES } from '../../domain/tracking/session.ts';
import { pageFrom } from '../../infra/paging.ts';
import { SharedTrack, sharedWith, sharesOf, trackingShares } from '../../projections/tracking/shares.ts';
import { callersChannel } from '../accounts/channels.ts';
import { ListOf, listOf, pagedText, pagingQuery } from '../http/paging.ts';
import { ById, NO_CONTENT, route } from '../http/route.ts';
import { When } from './wire.ts';

const ALL_SHARES = { page: 1, perPage: MAX_SHARES };

const { session_id, owner_id: _, owner_name: __, ...times } = SharedTrack.properties;
/** As the owner of the track sees it. */
const Share = Type.Object(
  { session_id, account_id: Uuid, name: Type.String({ description: '`Anna O.`' }), ...times },
  { $id: 'TrackShare' },
);
const DEFAULT_HOURS = 8;

const share = route('POST /api/v1/tracking/sessions/:id/share', {
  id: 'shareTrack',
  access: 'user',
  summary: 'Share your track while it is recorded',
  description: `The account can read the points from now on and subscribe to \`tracking_{id}\`. It cannot pass that on. A share ends at \`expires_at\`, with the session, and when it is revoked; again for the same account, it changes its end. At most ${MAX_SHARES} accounts at a time.`,
  params: ById,
  body: Type.Object({
    account_id: Uuid,
    expires_at: When(
      `At most ${LONGEST_SHARE_HOURS} hours from now; ${DEFAULT_HOURS} hours unless given. The end of the session comes first.`,
    ),
  }),
  reply: Type.Object({ session_id, account_id: Uuid, expires_at: times.expires_at }),
  status: 201,
  errors: ['not_found', 'invalid', 'invalid_transition', 'conflict', 'forbidden', 'too_many_attempts'],
  projections: [trackingShares],
  handle: async ({ params, body, caller, context }, app) => {
    const usual = addMs(context.at, DEFAULT_HOURS * HOUR_MS);
    const grant = { viewerId: body.account_id, expiresAt: body.expires_at ?? usual };
    await shareTrack(app, context, { accountId: caller.id, sessionId: params.id }, grant);
    return { session_id: params.id, account_id: grant.viewerId, expires_at: grant.expiresAt };
  },
});

const list = route('GET /api/v1/tracking/sessions/:id/share', {
  id: 'listTrackShares',
  access: 'user',
  summary: 'List the accounts that your track is shared with',
  params: ById,
  reply: ListOf(Share),
  errors: ['not_found'],
  reads: [trackingShares],
  handle: async ({ params, caller }, app) => {
    await ownSession(app, caller.id, params.id);
    const rows = await sharesOf(app.db, params.id);
    const shown = rows.map(({ owner_id: _owner, viewer_id, viewer_name, ...rest }) => ({
      ...rest,
      account_id: viewer_id,
      name: viewer_name,
    }));
    return listOf(pageFrom(shown, ALL_SHARES), ALL_SHARES);
  },
});

const revoke = route('DELETE /api/v1/tracking/sessions/:id/share/:account_id', {
  id: 'revokeTrackShare',
  access: 'user',
  summary: 'Stop sharing a track with an account',
  description: 'Its subscription to the channel ends.',
  params: Type.Object({ id: Uuid, account_id: Uuid }),
  ...NO_CONTENT,
  errors: ['not_found'],
  projections: [trackingShares],
  handle: async ({ params, caller, context }, app) => {
    await revokeShare(app, context, { accountId: caller.id, sessionId: params.id }, params.account_id);
    return null;
  },
});

const shared = route('GET /api/v1/tracking/shared', {
  id: 'listSharedTracks',
  access: 'user',
  summary: 'List the tracks that others share with the caller now',
  query: Type.Object(pagingQuery),
  reply: ListOf(SharedTrack),
  reads: [trackingShares],
  channel: callersChannel,
  handle: ({ query, caller }, app) => pagedText(query, (paging) => sharedWith(app.db, caller.id, paging)),
});

export const shareRoutes = [share, list, revoke, shared];
