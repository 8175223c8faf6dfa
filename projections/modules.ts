/** Every module that has read models. A new module adds its import, and a line to the group that its models belong to. */
import { readModels as accounts } from './accounts/index.ts';
import { readModels as analytics } from './analytics/index.ts';
import { readModels as audit } from './audit/index.ts';
import { readModels as badges } from './badges/index.ts';
import { readModels as bookings } from './bookings/index.ts';
import { readModels as calls } from './calls/index.ts';
import { readModels as catalog, titleModels } from './catalog/index.ts';
import { chatPayloads } from './chat/badges.ts';
import { readModels as chat } from './chat/index.ts';
import { readModels as commissions } from './commissions/index.ts';
import { readModels as consents } from './consents/index.ts';
import { readModels as content } from './content/index.ts';
import { type Group, groupOf } from './engine/groups.ts';
import { type Payload, payloadsOf } from './engine/payloads.ts';
import type { ReadModel } from './engine/readModel.ts';
import { readModels as favorites } from './favorites/index.ts';
import { readModels as files } from './files/index.ts';
import { readModels as flags } from './flags/index.ts';
import { readModels as forums } from './forums/index.ts';
import { readModels as friends } from './friends/index.ts';
import { readModels as leaderboards } from './leaderboards/index.ts';
import { readModels as ledger } from './ledger/index.ts';
import { notificationPayloads } from './notifications/notifications.ts';
import { readModels as partners } from './partners/index.ts';
import { readModels as passes } from './passes/index.ts';
import { readModels as payments } from './payments/index.ts';
import { readModels as plans } from './plans/index.ts';
import { readModels as platform } from './platform/index.ts';
import { readModels as promotions } from './promotions/index.ts';
import { readModels as purchases } from './purchases/index.ts';
import { readModels as push } from './push/index.ts';
import { readModels as reports } from './reports/index.ts';
import { readModels as resort } from './resort/index.ts';
import { readModels as reviews } from './reviews/index.ts';
import { readModels as sos } from './sos/index.ts';
import { readModels as stories } from './stories/index.ts';
import { readModels as support } from './support/index.ts';
import { readModels as tracking } from './tracking/index.ts';
import { readModels as voice } from './voice/index.ts';

/**
 * Groups that different workers can project. Models of one group are always at one position: so models belong together
 * when the wire form of one shows the other, or one query must not find them apart, such as rooms and their nights, or
 * balances and the entries that add up to them. The projector applies each batch in this order, so that a wire form that
 * shows parts of other models finds them up to date.
 */
export const groups: readonly Group[] = [
  // Friendships, stories and SOS incidents show names.
  groupOf('accounts', [
    ...[...accounts, ...consents, ...friends, ...reports, ...partners, ...files, ...calls, ...sos],
    ...stories,
  ]),
  groupOf('platform', [...flags, ...platform, ...push, ...resort, ...plans, ...content, ...favorites]),
  groupOf('audit', [...audit]),
  // Ratings follow reviews.
  groupOf('catalog', [...catalog, ...passes, ...reviews]),
  groupOf('money', [...commissions, ...ledger, ...payments]),
  // They show titles: what is booked.
  groupOf('bookings', [...titleModels, ...promotions, ...bookings, ...purchases, ...analytics]),
  groupOf('chat', [...chat, ...support]),
  groupOf('forums', [...forums, ...voice]),
  groupOf('tracking', [...tracking, ...leaderboards, ...badges]),
];

export const models: readonly ReadModel[] = groups.flatMap((group) => group.models);

/** What realtime messages carry: rows of read models, and of durable tables. */
export const payloads: readonly Payload[] = [...payloadsOf(models), ...notificationPayloads, ...chatPayloads];
