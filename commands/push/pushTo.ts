/** Queues messages for the devices of one person. Whether they are told something is decided above. */
import type { PushDeps } from './deps.ts';
import { wakeLanes } from './laneJob.ts';
import type { PushServiceName } from './service.ts';
import { shortened } from './shortenedText.ts';

export interface PushMessage {
  /** Derived from what it is about and from the person, so that nobody is told twice. */
  readonly id: string;
  /** `marketing` needs the consent of the person. */
  readonly kind: string;
  readonly title: string;
  readonly body: string;
  /** Where the app goes when the message is opened. */
  readonly link: string;
  readonly urgency: 'normal' | 'high';
  /** It does not wait while the person is not to be disturbed: SOS and security. */
  readonly passesQuietHours: boolean;
  /** RFC 3339. What is not delivered by then never is. */
  readonly expiresAt: string;
  /** The device shows only the last message with the same key. null: it replaces none. */
  readonly collapseKey: string | null;
  /** Whose name the texts have: they are deleted with that person, too. null: nobody's. */
  readonly ofPerson: string | null;
}

/** Services take 4 KiB with everything. */
const TITLE_BYTES = 400;
const BODY_BYTES = 2_000;
/** The key of a text that was written for its reader. */
const ANY_LANGUAGE = 'any';

/**
 * Queues the message for every device of the person. Repeated with the same id it does nothing. The words are stored only
 * until they are delivered everywhere.
 */
export const pushTo = async (
  { pool }: Pick<PushDeps, 'pool'>,
  personId: string,
  message: PushMessage,
): Promise<void> => {
  const { id, kind, link, urgency, passesQuietHours, expiresAt, collapseKey, ofPerson } = message;
  const text = { title: shortened(message.title, TITLE_BYTES), body: shortened(message.body, BODY_BYTES) };
  const { rows } = await pool.query<{ service: PushServiceName }>(
    `with new as (
       insert into ops.push_messages (id, person_id, kind, link, urgency, collapse_key, expires_at, texts, of_person, passes_quiet_hours)
       select $1, $2, $3, $4, $5, $6, $7, case when has_device then $8::jsonb else '{}' end, case when has_device then $9::uuid end, $10
       from (select exists (select from ops.push_devices where person_id = $2) as has_device) as devices
       on conflict (id) do nothing returning id, person_id
     ), queued as (
       insert into ops.push_deliveries (message_id, device_id, person_id, service, is_broadcast)
       select new.id, d.id, d.person_id, d.service, false from new join ops.push_devices d using (person_id)
       returning service
     )
     select distinct service from queued`,
    [
      ...[
        id,
        personId,
        kind,
        link,
        urgency,
        collapseKey,
        expiresAt,
        JSON.stringify({ [ANY_LANGUAGE]: text }),
        ofPerson,
      ],
      passesQuietHours,
    ],
  );
  await wakeLanes(
    pool,
    'direct',
    rows.map(({ service }) => service),
  );
};
