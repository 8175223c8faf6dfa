/**
 * Who comes to which event, as one table: whoever said so is told when it is moved or cancelled. Lists of people in the log
 * would take a call for each of them.
 */
import { contentPurpose } from '../../domain/content/index.ts';
import { unlessErased } from '../../eventstore/vault.ts';
import { migrations } from '../../infra/migrations.ts';
import type { CoreDeps } from '../core/deps.ts';
import { policy } from '../core/policy.ts';

export const guestMigrations = migrations('content', {
  '0001_event_guests': `
    create table ops.event_guests (
      post_id uuid not null,
      person_id uuid not null,
      -- of the last thing that the person said about coming
      revision bigint not null,
      is_coming boolean not null,
      primary key (post_id, person_id)
    );
    create index event_guests_person on ops.event_guests (person_id);
  `,
  personalData: {
    'ops.event_guests': {
      whose: 'person_id',
      exported: [],
      erased: 'deleted',
      why: contentPurpose,
      retention: 'account',
      seenBy: ['nobody'],
    },
  },
});

/** What is older than what is known changes nothing. */
const { begin, condition } = unlessErased('$2');
const KEEP = `
  ${begin} insert into ops.event_guests as known (post_id, person_id, is_coming, revision)
  select $1, $2, $3, $4 where ${condition}
  on conflict (post_id, person_id) do update set is_coming = excluded.is_coming, revision = excluded.revision
    where known.revision < excluded.revision`;

type Answer = { readonly revision: bigint; readonly data: { readonly postId: string; readonly userId: string } };
const keep =
  (isComing: boolean) =>
  async ({ revision, data: { postId, userId } }: Answer, { deps }: { readonly deps: CoreDeps }): Promise<void> => {
    await deps.pool.query(KEEP, [postId, userId, isComing, String(revision)]);
  };

/** Fills the table from the log, also after an upgrade. */
export const guestsPolicy = policy('event_guests', {
  AttendanceAnnounced: keep(true),
  AttendanceWithdrawn: keep(false),
});

/** People who come to an event, in the order of their ids. @param after the last one of those before; `NIL_ID` for the first */
export const guestsOf = async (
  { pool }: Pick<CoreDeps, 'pool'>,
  postId: string,
  after: string,
  most: number,
): Promise<string[]> => {
  const { rows } = await pool.query<{ person_id: string }>(
    `select person_id from ops.event_guests where post_id = $1 and is_coming and person_id > $2 order by person_id limit $3`,
    [postId, after, most],
  );
  return rows.map(({ person_id }) => person_id);
};
