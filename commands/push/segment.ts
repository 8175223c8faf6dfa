/** Segments as SQL: whose devices a broadcast reaches. */
import type { Segment } from '../../domain/push/broadcast.ts';
import type { Queryable } from '../../infra/postgres.ts';
import { consentsTo } from '../consents/audience.ts';
import { versionRank } from './devices.ts';

/** Whom it is about, beside the segment. */
export interface Audience {
  readonly kind: string;
  readonly segment: Segment;
  /** The version of the marketing policy in force (`policyInForce`). */
  readonly marketingPolicy: string;
}

/** The session of a device `d` is open. */
export const SIGNED_IN = 'exists (select from ops.sessions s where s.id = d.session_id and s.ended_at is null)';

/**
 * The devices `d` of people `p` in the audience, as `from … where …` with the parameters $1 to $8. Devices of people who
 * have muted the kind are left out, and for marketing those of people who do not consent.
 * @param devices the table of them, or a part of it
 */
export const audienceAmong = (devices: string): string => `
  from ${devices} d join ops.push_people p using (person_id)
  where ($1::text[] is null or p.role = any ($1))
    and ($2::text[] is null or d.platform = any ($2))
    and ($3::integer[] is null or d.version_rank < $3)
    and ($4::timestamptz is null or d.last_seen_at > $4)
    and ($5::uuid[] is null or d.person_id = any ($5))
    and ($6::text[] is null or coalesce(d.language, p.language) = any ($6)
      or split_part(coalesce(d.language, p.language), '-', 1) = any ($6))
    and not exists (select from ops.push_muted m where m.person_id = d.person_id and m.kind = $7)
    and ($7 <> 'marketing' or ${consentsTo('d.person_id', 'marketing', '$8')})
    and ${SIGNED_IN}`;

export const audienceParameters = ({ kind, segment, marketingPolicy }: Audience): unknown[] => [
  segment.roles ?? null,
  segment.platforms ?? null,
  segment.app_version_lt === undefined ? null : versionRank(segment.app_version_lt),
  segment.last_seen_after ?? null,
  segment.user_ids ?? null,
  segment.languages ?? null,
  kind,
  marketingPolicy,
];

/** How many people and devices the audience has now. */
export const countAudience = async (
  pool: Queryable,
  audience: Audience,
): Promise<{ readonly people: number; readonly devices: number }> => {
  const { rows } = await pool.query<{ people: number; devices: number }>(
    `select count(distinct d.person_id) as people, count(*) as devices ${audienceAmong('ops.push_devices')}`,
    audienceParameters(audience),
  );
  return rows[0] ?? { people: 0, devices: 0 };
};
