/**
 * What a real server does and this node by itself does not, because nobody wants it in production. Switched on, each
 * lets a test or a rehearsal meet it: `npm run eventstore -- --like-server`, or one flag each.
 */
export const TRAITS = {
  'drop-slow-subscribers': 'Ends a live subscription when more events arrive at once than a server buffers for it.',
  'hold-early-retries': 'Answers a retry whose first attempt still runs with a timeout, after two seconds.',
  'quiet-missing-streams': 'Sends no "caught up" to a subscription to a stream that does not exist.',
  'strict-positions': 'Refuses a position in $all at which no record begins.',
  'checkpoint-at-start': 'Sends a checkpoint that equals the start when a filtered subscription becomes live.',
  'stale-reads': 'Answers a read that does not require the leader as a follower would: late by 75 ms.',
  'system-events': 'Writes statistics and the links of system projections between the events, so that $all has both.',
} as const;

export type Trait = keyof typeof TRAITS;
export type Traits = ReadonlySet<Trait>;

export const ALL_TRAITS = Object.keys(TRAITS) as readonly Trait[];

/** What every server does. System events depend on its settings. */
export const LIKE_SERVER: readonly Trait[] = ALL_TRAITS.filter((trait) => trait !== 'system-events');

/** How many events a server buffers for a live subscription; one more ends it. */
export const LIVE_BUFFER = 100;
/** How late a follower is. */
export const STALE_MS = 75;
/** After how long a server gives up an append that it cannot recognise yet. */
export const EARLY_RETRY_MS = 2_000;
