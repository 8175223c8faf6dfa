/** Flags that should have been deleted: once a week, all admins are told how many there are. */
import { Type } from '@sinclair/typebox';
import { addDays, weekdayOf } from '../../domain/core/dates.ts';
import type { Recorded } from '../../domain/core/decider.ts';
import { DAY_MS } from '../../domain/core/instants.ts';
import { ONLY_ONE } from '../../domain/core/schema.ts';
import { countedRu } from '../../domain/core/wording.ts';
import { isExpiredOn } from '../../domain/flags/flag.ts';
import { flagRules } from '../../domain/flags/flagRules.ts';
import type { EventOf } from '../../domain/modules.ts';
import { allAdmins } from '../accounts/admins.ts';
import type { CoreDeps } from '../core/deps.ts';
import { defineJob } from '../core/jobs.ts';
import { notification, setCue } from '../core/notification.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';

const NAME = 'flags_expired';

/** The next Monday, 06:00 UTC: a morning at work from Europe to Asia. */
const nextMonday = (after: string): string => {
  const today = after.slice(0, 10);
  const days = Array.from({ length: 7 }, (_, n) => addDays(today, n + 1));
  return `${days.find((day) => weekdayOf(day) === 'mon')}T06:00:00.000Z`;
};

type Deps = Pick<CoreDeps, 'aggregates'>;
/** The dates of all flags that have one. */
const expiriesOf = async ({ aggregates }: Deps): Promise<string[]> => {
  const { flags } = (await aggregates.load(flagRules, ONLY_ONE)).state;
  return [...flags].flatMap(([, { expires }]) => expires ?? []);
};
const countExpired = (expiries: readonly string[], at: string): number =>
  expiries.filter((expires) => isExpiredOn({ expires }, at)).length;

/** There is one, with the id `flags`. It ends with the last flag that has a date, and the next such flag sets it again. */
export const flagReview = defineJob<object, CoreDeps>('flag_review', async (_, { deps, context }) => {
  const { at } = context;
  const expiries = await expiriesOf(deps);
  if (countExpired(expiries, at) > 0)
    await setCue(deps.jobs, context, { name: NAME, key: at.slice(0, 10), about: {}, eventAt: at, dueAt: at });
  return expiries.length > 0 ? { againAt: nextMonday(at) } : undefined;
});

const review: PolicyHandler<Recorded<EventOf<'FeatureFlagCreated' | 'FeatureFlagRedefined'>>, CoreDeps> = async (
  { meta, data },
  { deps },
) => {
  if (data.definition.expires === null) return;
  await flagReview.scheduleOnce(deps.jobs, meta, { id: 'flags', dueAt: nextMonday(deps.now()), data: {} });
};

export const flagPolicy = policy<CoreDeps>('flags', { FeatureFlagCreated: review, FeatureFlagRedefined: review });

const flagsExpired = notification(NAME, {
  kind: 'system',
  urgency: 'normal',
  worthMs: 2 * DAY_MS,
  params: Type.Object({ flags: Type.Integer() }),
  find: async (_, { deps, at }) => {
    const flags = countExpired(await expiriesOf(deps), at);
    if (flags === 0) return [];
    return (await allAdmins(deps.pool)).map((to) => ({ to, params: { flags } }));
  },
  text: {
    ru: ({ flags }) => ({
      title: 'Есть просроченные флаги',
      body: `${countedRu(flags, 'флаг пора', 'флага пора', 'флагов пора')} удалить или продлить.`,
    }),
    en: ({ flags }) => ({
      title: 'Feature flags have expired',
      body: `${flags === 1 ? '1 flag is' : `${flags} flags are`} past the expiry date. Delete them, or give them another date.`,
    }),
  },
  link: () => '/admin/flags?expired=true',
});

export const flagNotifications = [flagsExpired];
