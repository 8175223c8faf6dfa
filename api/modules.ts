/** The modules of the HTTP API, in the order in which the documentation and `/modules` show them. A new module adds its line here. */
import { accounts } from './accounts/index.ts';
import { analytics } from './analytics/index.ts';
import { audit } from './audit/index.ts';
import { badges } from './badges/index.ts';
import { bookings } from './bookings/index.ts';
import { calls } from './calls/index.ts';
import { catalog } from './catalog/index.ts';
import { chat } from './chat/index.ts';
import { commissions } from './commissions/index.ts';
import { consents, currentUser } from './consents/index.ts';
import { content } from './content/index.ts';
import { favorites } from './favorites/index.ts';
import { files } from './files/index.ts';
import { forums } from './forums/index.ts';
import { friends } from './friends/index.ts';
import { type ApiModule, routesOf } from './http/module.ts';
import { leaderboards } from './leaderboards/index.ts';
import { ledger } from './ledger/index.ts';
import { emailAddresses, mail } from './mail/index.ts';
import { notifications } from './notifications/index.ts';
import { operations } from './operations/index.ts';
import { partners } from './partners/index.ts';
import { gates, passes } from './passes/index.ts';
import { payments } from './payments/index.ts';
import { plans } from './plans/index.ts';
import { platform } from './platform/index.ts';
import { privacy } from './privacy/index.ts';
import { promotions } from './promotions/index.ts';
import { purchases } from './purchases/index.ts';
import { push } from './push/index.ts';
import { recommendations } from './recommendations/index.ts';
import { reports } from './reports/index.ts';
import { resort } from './resort/index.ts';
import { reviews } from './reviews/index.ts';
import { sos } from './sos/index.ts';
import { stories } from './stories/index.ts';
import { support } from './support/index.ts';
import { tracking } from './tracking/index.ts';
import { voice } from './voice/index.ts';

export const modules: readonly ApiModule[] = [
  accounts,
  currentUser,
  emailAddresses,
  consents,
  platform,
  push,
  mail,
  friends,
  reports,
  files,
  catalog,
  partners,
  passes,
  gates,
  purchases,
  bookings,
  promotions,
  reviews,
  payments,
  ledger,
  commissions,
  calls,
  chat,
  support,
  tracking,
  leaderboards,
  badges,
  resort,
  plans,
  analytics,
  sos,
  notifications,
  content,
  privacy,
  forums,
  voice,
  recommendations,
  favorites,
  stories,
  audit,
  operations,
];

/** Every operation, with its service. */
export const routes = routesOf(modules);
