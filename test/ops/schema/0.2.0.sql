create schema ops;
create table ops.migrations (name varchar(255) not null primary key, timestamp varchar(255) not null);

-- 0001_accounts_attempts
create table ops.attempts (
  key uuid primary key,
  count integer not null,
  until timestamptz not null
);
create index attempts_until on ops.attempts (until);

-- 0001_accounts_oauth_states
create table ops.oauth_states (
  state_hash bytea primary key,
  provider text not null,
  verifier text not null,
  redirect_uri text not null,
  expires_at timestamptz not null
);
create index oauth_states_expires_at on ops.oauth_states (expires_at);

-- 0001_accounts_sandbox_messages
create table ops.sandbox_messages (
  id bigint generated always as identity primary key,
  phone text not null,
  text text not null,
  at timestamptz not null default now()
);
create index sandbox_messages_phone on ops.sandbox_messages (phone, id desc);

-- 0001_accounts_sessions
create table ops.sessions (
  id uuid primary key,
  account_id uuid not null,
  token_version integer not null,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sessions_account on ops.sessions (account_id);
create index sessions_expires_at on ops.sessions (expires_at);
create table ops.token_versions (account_id uuid primary key, version integer not null);
create table ops.refresh_tokens (
  hash bytea primary key,
  session_id uuid not null references ops.sessions (id) on delete cascade,
  expires_at timestamptz not null,
  replaced_at timestamptz
);
create index refresh_tokens_session on ops.refresh_tokens (session_id);

-- 0001_accounts_sms_codes
create table ops.sms_codes (
  phone_id uuid primary key,
  code_hash bytea,
  expires_at timestamptz not null,
  attempts_left integer not null,
  sent_at timestamptz[] not null
);

-- 0001_analytics_events
create table ops.analytics_events (
  account_id uuid not null,
  -- chosen by the app
  event_id uuid not null,
  session_id uuid not null,
  -- by the clock of the device
  occurred_at timestamptz not null,
  sent_at timestamptz,
  received_at timestamptz not null,
  -- when it happened by our clock
  at timestamptz not null,
  -- of occurred_at as it was sent, in UTC
  day date not null,
  -- its place in the request
  seq smallint not null,
  kind text not null,
  name text not null,
  properties jsonb not null,
  primary key (account_id, event_id, day)
) partition by range (day);
create index analytics_events_name on ops.analytics_events (name, at) include (account_id, received_at, seq, day);
do $$ begin
  execute format('create table %s partition of %s default', 'ops.analytics_events_rest', 'ops.analytics_events');
end $$;
-- one row a session and day at the resort: what visits and active people are counted by
create table ops.analytics_visits (
  account_id uuid not null,
  day date not null,
  session_id uuid not null,
  primary key (account_id, day, session_id)
);
create index analytics_visits_day on ops.analytics_visits (day, account_id);

-- 0001_badges_facts
create table ops.badge_facts (
  metric text not null,
  account_id uuid not null,
  -- the day, booking, review or pair of friends that it is about
  source text not null,
  day date not null,
  amount bigint not null,
  -- of the last event of the source that it follows from
  revision bigint not null,
  primary key (metric, account_id, source)
);
create index badge_facts_account on ops.badge_facts (account_id);

-- 0001_bookings_unpaid
create table ops.unpaid_bookings (
  booking_id uuid primary key,
  user_id uuid not null,
  -- the trip, or the booking itself: what counts as one
  booked_as uuid not null,
  -- the end of its hold: it does not count from then on, even if its row was never deleted
  until timestamptz not null
);
create index unpaid_bookings_user on ops.unpaid_bookings (user_id);
create index unpaid_bookings_until on ops.unpaid_bookings (until);

-- 0001_calls_heartbeats
create table ops.call_heartbeats (call_id uuid primary key, at timestamptz not null);
create index call_heartbeats_at on ops.call_heartbeats (at);

-- 0001_catalog_owned_listings
create table ops.owned_listings (
  id uuid primary key,
  kind text not null,
  owner_id uuid not null
);
create index owned_listings_owner on ops.owned_listings (owner_id);

-- 0001_chat_group_members
create table ops.chat_group_members (
  person_id uuid not null,
  thread_id uuid not null,
  primary key (person_id, thread_id)
);

-- 0001_commands_jobs
create table ops.jobs (
  kind text not null,
  id text not null,
  due_at timestamptz not null,
  -- the next attempt: due_at at first, later after a backoff; infinity = parked, a person has to look
  run_at timestamptz not null,
  data jsonb not null,
  correlation_id text not null,
  attempts integer not null default 0,
  last_error text,
  primary key (kind, id)
);
create index jobs_run_at on ops.jobs (run_at);

-- 0001_consents_marketing_people
create table ops.marketing_people (
  person_id uuid primary key,
  -- of the text that they consent to; null: they do not
  policy_version text,
  -- of the answer
  revision bigint not null
);
create index marketing_people_version on ops.marketing_people (policy_version, person_id)
  where policy_version is not null;

-- 0001_content_event_guests
create table ops.event_guests (
  post_id uuid not null,
  person_id uuid not null,
  -- of the last thing that the person said about coming
  revision bigint not null,
  is_coming boolean not null,
  primary key (post_id, person_id)
);
create index event_guests_person on ops.event_guests (person_id);

-- 0001_eventstore_checkpoints
create table ops.checkpoints (
  name text primary key,
  commit numeric not null,
  prepare numeric not null,
  updated_at timestamptz not null default now()
);

-- 0001_eventstore_vault_keys
create table ops.vault_keys (
  person_id uuid primary key,
  wrapped_key bytea,
  created_at timestamptz not null default now(),
  erased_at timestamptz,
  check ((wrapped_key is null) = (erased_at is not null))
);

-- 0001_favorites_watches
create table ops.favorite_watches (
  person_id uuid not null,
  kind text not null,
  target_id uuid not null,
  reasons text[] not null,
  -- of the stay that is watched; null: whatever the dates
  check_in date,
  check_out date,
  guests integer,
  -- as the person knows them; null: not looked at yet, and for the price also that there was never one
  price_minor bigint,
  is_free boolean,
  -- how often something was told
  told integer not null default 0,
  primary key (person_id, kind, target_id)
);
create index favorite_watches_target on ops.favorite_watches (target_id);
create index favorite_watches_check_in on ops.favorite_watches (check_in);
-- which hotel a room is in
create table ops.favorite_rooms (room_id uuid primary key, hotel_id uuid not null);
create index favorite_rooms_hotel on ops.favorite_rooms (hotel_id);

-- 0001_files_files
create table ops.files (
  id uuid primary key,
  owner_id uuid not null,
  -- in bytes; the most that may come, until the upload has ended
  size bigint not null,
  started_at timestamptz not null,
  is_used boolean not null default false
);
create index files_owner on ops.files (owner_id);

-- 0001_friends_pairs
create table ops.friend_pairs (
  person_id uuid not null,
  other_id uuid not null,
  primary key (person_id, other_id)
);

-- 0001_http_idempotency_keys
create table ops.idempotency_keys (
  caller text not null,
  key text not null,
  request_hash text not null,
  locked_until timestamptz,
  status integer,
  -- encrypted
  reply jsonb,
  event_position text,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);
create index idempotency_keys_created_at on ops.idempotency_keys (created_at);

-- 0001_infra_leases
create table ops.leases (
  name text primary key,
  holder text not null,
  token bigint not null,
  expires_at timestamptz not null
);

-- 0001_mail_mails
create table ops.mails (
  id uuid primary key,
  person_id uuid not null,
  -- the only address that it may go to, also one that is not verified, as a keyed fingerprint; null: the verified one
  address_id uuid,
  -- encrypted with the key of the person; null once it was sent or given up
  content text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- a worker is sending it until then
  sending_until timestamptz,
  -- null: it waits
  outcome text,
  ended_at timestamptz,
  check ((outcome is null) = (content is not null)),
  check ((outcome is null) = (ended_at is null))
);
create index mails_person on ops.mails (person_id);
create index mails_expires_at on ops.mails (expires_at);

-- 0001_mail_undeliverable_mail
create table ops.undeliverable_mail (
  person_id uuid primary key,
  -- a keyed fingerprint of the address that was refused
  address_id uuid not null,
  code integer not null,
  at timestamptz not null default now()
);
create index undeliverable_mail_at on ops.undeliverable_mail (at desc, person_id);

-- 0001_notifications_notifications
-- one row a person, locked by every change of their list: so the list changes in the order of the numbers
create table ops.notification_inboxes (
  person_id uuid primary key,
  last_seq bigint not null,
  -- all up to this number were marked as read at once
  read_up_to bigint not null default 0
);
create table ops.notifications (
  id uuid primary key,
  person_id uuid not null,
  seq bigint not null,
  -- of the declaration
  name text not null,
  kind text not null,
  params jsonb not null,
  -- whose name the text shows
  of_person uuid,
  -- when it happened
  at timestamptz not null,
  -- notices with one id replace each other: the newer one has the higher version
  version bigint not null,
  -- how many it stands for; 0: for itself alone
  count integer not null,
  read_at timestamptz,
  -- a deleted one stays, without what it said, so that it is not added again
  deleted_at timestamptz
);
create index notifications_listed on ops.notifications (person_id, seq) where deleted_at is null;
create index notifications_unread on ops.notifications (person_id) where deleted_at is null and read_at is null;
create index notifications_at on ops.notifications (at);

-- 0001_operators_reports_and_what_was_told
create table ops.process_reports (
  process text primary key,
  roles text not null,
  seen_at timestamptz not null,
  concerns jsonb not null,
  -- of what it has told operators while it could not reach this table
  told jsonb not null
);
create table ops.operators_told (
  id integer primary key check (id = 1),
  told_by text not null,
  held_until timestamptz not null,
  memory jsonb not null
);

-- 0001_partners_api_key_usage
create table ops.api_key_usage (key_id uuid primary key, last_used_at timestamptz not null);

-- 0001_passes_pass_purchases
create table ops.pass_purchases (
  purchase_id uuid primary key,
  -- as it was sold
  valid_from date not null,
  valid_to date not null
);
create index pass_purchases_valid_to on ops.pass_purchases (valid_to);

-- 0001_payments_reconciliation
-- payments that a run looks at: those that are open, and those that moved lately
create table ops.watched_payments (
  payment_id uuid primary key,
  open boolean not null,
  moved_at timestamptz not null
);
create index watched_payments_moved on ops.watched_payments (moved_at) where not open;
-- what a run that is under way has to do, and has done
create table ops.reconciliation_checks (
  run_id uuid not null,
  payment_id uuid not null,
  answered boolean,
  primary key (run_id, payment_id)
);

-- 0001_payments_settings_changes
create table ops.payment_settings_changes (
  -- of the event
  id uuid primary key,
  owner_id uuid not null,
  changed text not null,
  changed_at timestamptz not null,
  actor_kind text not null,
  actor_id text not null,
  actor_role text not null
);
create index payment_settings_changes_at on ops.payment_settings_changes (changed_at);

-- 0001_payments_webhook_inbox
create table ops.webhook_inbox (
  -- the same for every delivery of one notification
  id uuid primary key,
  provider text not null,
  -- payment, or a method that is being saved
  subject text not null,
  -- of a payment; of a saving, whose id may be its token, a one-way name for it
  provider_id text not null,
  status text not null default 'new' check (status in ('new', 'done', 'manual_review')),
  reason text,
  received_at timestamptz not null default now()
);
create index webhook_inbox_open on ops.webhook_inbox (received_at) where status <> 'done';

-- 0001_privacy_erasure_certificates
create table ops.erasure_certificates (
  id uuid primary key,
  requested_at timestamptz not null,
  -- when all steps had been taken; the read models follow up to the position
  done_at timestamptz,
  commit numeric,
  prepare numeric
);
create index erasure_certificates_requested on ops.erasure_certificates (requested_at desc, id);
create table ops.erased_parts (
  certificate_id uuid not null,
  holder text not null,
  outcome text not null,
  count integer not null,
  primary key (certificate_id, holder)
);

-- 0001_projections_parked
create table ops.parked (
  model text not null,
  stream text not null,
  revision bigint not null,
  event_id uuid not null,
  type text not null,
  reason text not null,
  parked_at timestamptz not null default now(),
  primary key (model, stream)
);

-- 0001_projections_read_models
create table ops.read_models (
  name text primary key,
  version integer not null,
  epoch integer not null default 1,
  rebuilt_at timestamptz
);

-- 0001_projections_rebuilds
create table ops.rebuilds (
  model text not null,
  mode text not null check (mode in ('rebuild', 'verify')),
  version integer not null,
  status text not null check (status in ('running', 'cancelling', 'cancelled', 'failed', 'done')),
  commit numeric,
  prepare numeric,
  events bigint not null,
  target numeric not null,
  started_at timestamptz not null,
  updated_at timestamptz not null,
  detail text,
  primary key (model, mode)
);

-- 0001_promotions_first_bookings
create table ops.first_bookings (
  user_id uuid primary key,
  booking_id uuid not null,
  -- false: claimed by a booking that is not paid yet
  is_paid boolean not null
);
create index first_bookings_booking on ops.first_bookings (booking_id) where not is_paid;

-- 0001_push_push
create table ops.push_devices (
  -- derived from the service and the token
  id uuid primary key,
  person_id uuid not null,
  -- the sign-in on the device: when it ends, so do its messages
  session_id uuid not null,
  -- who delivers: fcm, apns or web
  service text not null,
  platform text not null,
  -- of apns: a token of one is unknown to the other
  environment text not null,
  -- of web: the address of the subscription
  token text not null,
  -- of web: what messages are encrypted with
  keys jsonb,
  app_version text,
  -- app_version as numbers that compare
  version_rank integer[],
  language text,
  registered_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now()
);
create index push_devices_person on ops.push_devices (person_id, last_seen_at);
create index push_devices_session on ops.push_devices (session_id);
-- what segments ask about the people who have devices, as the log tells
create table ops.push_people (
  person_id uuid primary key,
  role text not null,
  language text not null,
  account_revision bigint not null,
  -- the version of the marketing policy that the person consents to
  marketing text,
  consent_revision bigint not null
);
-- kinds of messages that a person does not want pushed
create table ops.push_muted (
  person_id uuid not null,
  kind text not null,
  primary key (person_id, kind)
);
create table ops.push_messages (
  id text primary key,
  -- null: a broadcast
  person_id uuid,
  kind text not null,
  -- {language: {title, body}}
  texts jsonb not null,
  link text not null,
  urgency text not null,
  collapse_key text,
  expires_at timestamptz not null,
  -- open, paused or closed
  state text not null default 'open',
  created_at timestamptz not null default now(),
  -- of a broadcast: the last device that it was queued for; all were, when it is the greatest id
  queued_to uuid,
  -- of a broadcast: of the stream that state is as of
  revision bigint
);
create index push_messages_person on ops.push_messages (person_id) where person_id is not null;
create index push_messages_broadcasts on ops.push_messages (id) where person_id is null and state = 'open';
create index push_messages_created on ops.push_messages (created_at);
create table ops.push_deliveries (
  message_id text not null,
  device_id uuid not null,
  person_id uuid not null,
  service text not null,
  is_broadcast boolean not null,
  -- the next attempt
  next_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- null: not known yet
  outcome text,
  reason text,
  settled_at timestamptz,
  primary key (message_id, device_id)
);
create index push_deliveries_direct on ops.push_deliveries (service, next_at)
  where outcome is null and not is_broadcast;
create index push_deliveries_broadcast on ops.push_deliveries (message_id, service, next_at)
  where outcome is null and is_broadcast;
create index push_deliveries_person on ops.push_deliveries (person_id);

-- 0001_resort_weather
create table ops.resort_weather (
  station text primary key,
  weather jsonb not null,
  read_at timestamptz not null default now()
);

-- 0001_stories_views
create table ops.story_views (
  story_id uuid not null,
  person_id uuid not null,
  seen_at timestamptz not null,
  liked_at timestamptz,
  primary key (story_id, person_id)
);
create index story_views_person on ops.story_views (person_id);

-- 0001_tracking_points
create table ops.track_points (
  account_id uuid not null,
  session_id uuid not null,
  -- when the device was there
  recorded_at timestamptz not null,
  lat double precision not null,
  lon double precision not null,
  seq integer not null,
  alt real not null,
  acc real not null,
  speed real,
  -- the week of the session's day, modulo 32
  slot smallint not null,
  -- of every account, so that its points are found when it is erased
  primary key (account_id, session_id, seq, slot)
) partition by list (slot);
do $$ begin
  for slot in 0..31 loop
    execute format('create table %s partition of ops.track_points for values in (%s)', 'ops.track_points_' || slot, slot);
  end loop;
end $$;

-- 0001_voice_voices
create table ops.recorded_voices (
  recording_id uuid not null,
  person_id uuid not null,
  recorded_at timestamptz not null,
  primary key (recording_id, person_id)
);
create index recorded_voices_person on ops.recorded_voices (person_id);

-- 0001_webcams_pictures
create table ops.webcam_pictures (
  webcam_id uuid primary key,
  picture bytea not null,
  type text not null,
  etag text not null,
  taken_at timestamptz not null default now()
);

-- 0002_accounts_running_attempts
-- how many of the count have begun and not ended; the last one of them began at begun_at
alter table ops.attempts add column running integer not null default 0;
alter table ops.attempts add column begun_at timestamptz;

-- 0002_accounts_session_proofs
-- When the person last proved who they are, after the sign-in that started the session.
alter table ops.sessions add column proved_at timestamptz;

-- 0002_analytics_conversions
create table ops.analytics_conversions (
  -- derived from the event of the log
  id uuid primary key,
  name text not null,
  item_type text not null,
  item_id uuid not null,
  amount_minor bigint not null,
  currency text not null,
  at timestamptz not null,
  -- null: the person did not consent, was erased, or it was too long ago
  account_id uuid
);
create index analytics_conversions_name on ops.analytics_conversions (name, at);
create index analytics_conversions_account on ops.analytics_conversions (account_id) where account_id is not null;

-- 0002_bookings_count_unpaid
create function ops.count_unpaid(asked jsonb) returns boolean[] language plpgsql as $$
declare
  lock_key bigint;
  new record;
  is_counted boolean;
  counted boolean[] := '{}';
begin
  for lock_key in
    select distinct hashtextextended('unpaid ' || account, 0) from jsonb_to_recordset(asked) as (account uuid) order by 1
  loop
    perform pg_advisory_xact_lock(lock_key);
  end loop;
  for new in
    select * from rows from (jsonb_to_recordset(asked)
      as (account uuid, ids uuid[], booked_as uuid, until timestamptz, now_is timestamptz, most integer)) with ordinality
    order by ordinality
  loop
    is_counted := (select count(distinct booked_as) from ops.unpaid_bookings as u
      where u.user_id = new.account and u.booked_as <> new.booked_as and u.until > new.now_is) < new.most;
    counted := counted || is_counted;
    if is_counted then
      insert into ops.unpaid_bookings (booking_id, user_id, booked_as, until)
      select id, new.account, new.booked_as, new.until from unnest(new.ids) as of_it (id)
      on conflict (booking_id) do update set until = excluded.until;
    end if;
  end loop;
  return counted;
end $$;

-- 0002_chat_gone_messages
create table ops.chat_gone_messages (
  thread_id uuid not null,
  seq bigint not null,
  until timestamptz not null,
  primary key (thread_id, seq)
);
create index on ops.chat_gone_messages (until);

-- 0002_commands_erasures
create table ops.erasures (
  person_id uuid primary key,
  requested_at timestamptz not null,
  done_at timestamptz not null
);

-- 0002_commands_indexes_of_next_and_parked
create index jobs_next on ops.jobs (run_at) where run_at < 'infinity';
create index jobs_parked on ops.jobs (kind, id) where run_at = 'infinity';
drop index ops.jobs_run_at;

-- 0002_consents_consenting_people
drop table ops.marketing_people;
create table ops.consenting_people (
  person_id uuid not null,
  purpose text not null,
  -- of the text that they consent to; null: they do not
  policy_version text,
  -- of the answer
  revision bigint not null,
  primary key (person_id, purpose)
);
create index consenting_people_version on ops.consenting_people (purpose, policy_version, person_id)
  where policy_version is not null;

-- 0002_eventstore_log_identity
create table ops.log (
  one boolean primary key default true check (one),
  first_event_id text not null,
  first_position text not null
);
-- the last event up to the checkpoint; null while none was handled since release 0.1.0
alter table ops.checkpoints add column event_id text, add column stream text, add column revision bigint;

-- 0002_friends_live_positions
create unlogged table ops.live_positions (
  person_id uuid primary key,
  until timestamptz not null,
  -- null: all friends
  shared_with uuid[],
  position jsonb,
  -- when the person was there
  at timestamptz
);

-- 0002_friends_pairs_of_others
create index friend_pairs_other_id on ops.friend_pairs (other_id);

-- 0002_http_rate_counts
create unlogged table ops.rate_counts (
  minute integer not null,
  key uuid not null,
  count integer not null,
  primary key (minute, key)
);

-- 0002_http_repeated_requests
alter table ops.idempotency_keys
  -- null: as earlier releases derived it, from request_hash
  add column command_id uuid,
  -- what was received with a form, as a fingerprint
  add column content uuid,
  add column etag text;

-- 0002_mail_sent_to
-- where it was sent last, as a keyed fingerprint of the address
alter table ops.mails add column sent_to uuid;

-- 0002_mail_undeliverable_causes
-- refused: by the mail server; bounced: it came back later; complained: the reader called it spam
alter table ops.undeliverable_mail add column cause text not null default 'refused';
alter table ops.undeliverable_mail alter column code drop not null;

-- 0002_notifications_preferences
create table ops.notification_preferences (person_id uuid primary key, preferences jsonb not null);

-- 0002_payments_watched_while_held
alter table ops.watched_payments
  -- money of it waits here for an owner
  add column held boolean not null default false,
  -- when the provider was asked about it last
  add column asked_at timestamptz;
drop index ops.watched_payments_moved;
create index watched_payments_moved on ops.watched_payments (moved_at) where not open and not held;

-- 0002_privacy_export_archives
create table ops.export_archives (
  id uuid primary key,
  person_id uuid not null,
  -- removed: its bytes are being deleted, or will be
  status text not null check (status in ('waiting', 'ready', 'removed')),
  requested_at timestamptz not null,
  -- by a worker that is alive
  claimed_until timestamptz,
  entries integer not null default 0,
  entries_done integer not null default 0,
  size bigint,
  expires_at timestamptz
);
create index export_archives_person on ops.export_archives (person_id);
create unique index export_archives_waiting on ops.export_archives (person_id) where status = 'waiting';

-- 0002_privacy_pending_erasures
-- while the person can still take it back: when it begins
alter table ops.erasure_certificates add column due_at timestamptz;

-- 0002_projections_parked_unreadable
alter table ops.parked add column unreadable boolean not null default false;

-- 0002_push_words_for_others
-- of a message to one person: whose name the texts have; null: nobody's, or they are forgotten
alter table ops.push_messages add column of_person uuid;
create index push_messages_of_person on ops.push_messages (of_person) where of_person is not null;
update ops.push_messages m set texts = '{}' where person_id is not null
  and not exists (select from ops.push_deliveries where message_id = m.id and outcome is null);

-- 0002_resort_queue_alerts
create table ops.queue_alerts (
  person_id uuid not null,
  lift_id uuid not null,
  -- another one each time that it is set
  id uuid not null,
  below_minutes integer not null,
  expires_at timestamptz not null,
  -- the event that the person was told of; null: not told yet
  told_by uuid,
  primary key (person_id, lift_id)
);
create index queue_alerts_lift on ops.queue_alerts (lift_id);

-- 0002_sos_inbox
create table ops.sos_inbox (
  id uuid primary key,
  account_id uuid not null,
  at timestamptz not null,
  -- encrypted JSON
  request text not null
);

-- 0002_tracking_open_sessions
create table ops.track_open_sessions (
  session_id uuid primary key,
  account_id uuid not null
);
create index track_open_sessions_account on ops.track_open_sessions (account_id);

-- 0002_voice_unknown_reports
create table ops.unknown_voice_reports (
  -- of the room, the recording and the kind: repeated reports are counted
  id uuid primary key,
  event text not null,
  room text not null,
  egress_id text,
  times integer not null default 1,
  first_at timestamptz not null,
  last_at timestamptz not null
);
create index unknown_voice_reports_newest on ops.unknown_voice_reports (last_at);

-- 0003_accounts_last_known
create table ops.known_accounts (
  account_id uuid primary key,
  revision bigint not null,
  -- the identity streams that lead to it
  identities uuid[] not null,
  -- encrypted JSON
  state text not null
);
create index known_accounts_identities on ops.known_accounts using gin (identities);

-- 0003_analytics_events_by_kind
drop index ops.analytics_events_name;
create index analytics_events_name on ops.analytics_events (name, at) include (account_id, received_at, seq, day, kind);

-- 0003_bookings_booked_times
create table ops.booked_times (
  -- the booking's; of a change that is being made, one of its own
  id uuid primary key,
  booking_id uuid not null,
  user_id uuid not null,
  listing_id uuid not null,
  kind text not null,
  -- what is at the same time at another place of the kind overlaps; null: nothing does
  place text,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  is_free boolean not null,
  -- the end of its hold, or of the booking once it is paid: it does not count from then on
  until timestamptz not null
);
create index booked_times_user on ops.booked_times (user_id);
create index booked_times_booking on ops.booked_times (booking_id);
create index booked_times_until on ops.booked_times (until);

create function ops.count_bookings(asked jsonb) returns jsonb language plpgsql as $$
declare
  lock_key bigint;
  new record;
  item record;
  other uuid;
  refusal jsonb;
  answers jsonb := '[]';
begin
  for lock_key in
    select distinct hashtextextended('unpaid ' || account, 0) from jsonb_to_recordset(asked) as (account uuid) order by 1
  loop
    perform pg_advisory_xact_lock(lock_key);
  end loop;
  for new in
    select * from rows from (jsonb_to_recordset(asked)
      as (account uuid, ids uuid[], booked_as uuid, until timestamptz, now_is timestamptz, most integer,
        most_free integer, times jsonb)) with ordinality
    order by ordinality
  loop
    refusal := null;
    begin
      for item in
        select * from rows from (jsonb_to_recordset(new.times)
          as (id uuid, booking uuid, listing uuid, kind text, place text, starts_at timestamptz, ends_at timestamptz,
            is_free boolean, nth integer)) with ordinality
        order by ordinality
      loop
        other := (select t.booking_id from ops.booked_times as t
          where t.user_id = new.account and t.kind = item.kind and t.booking_id <> item.booking
            and t.until > new.now_is and t.place <> item.place
            and t.starts_at < item.ends_at and t.ends_at > item.starts_at
          order by t.starts_at, t.id limit 1);
        if other is not null then
          refusal := jsonb_build_object('why', 'overlapping', 'other', other, 'index', item.nth);
          raise exception using errcode = 'HB001';
        end if;
        if item.is_free and (select count(distinct t.booking_id) from ops.booked_times as t
          where t.user_id = new.account and t.listing_id = item.listing and t.booking_id <> item.booking
            and t.until > new.now_is and t.is_free) >= new.most_free then
          refusal := jsonb_build_object('why', 'free', 'listing', item.listing, 'index', item.nth);
          raise exception using errcode = 'HB001';
        end if;
        insert into ops.booked_times as t
          (id, booking_id, user_id, listing_id, kind, place, starts_at, ends_at, is_free, until)
        values (item.id, item.booking, new.account, item.listing, item.kind, item.place, item.starts_at, item.ends_at,
          item.is_free, new.until)
        on conflict (id) do update set until = greatest(t.until, excluded.until);
      end loop;
      if (select count(distinct booked_as) from ops.unpaid_bookings as u
        where u.user_id = new.account and u.booked_as <> new.booked_as and u.until > new.now_is) >= new.most then
        refusal := jsonb_build_object('why', 'unpaid');
        raise exception using errcode = 'HB001';
      end if;
      insert into ops.unpaid_bookings (booking_id, user_id, booked_as, until)
      select id, new.account, new.booked_as, new.until from unnest(new.ids) as of_it (id)
      on conflict (booking_id) do update set until = excluded.until;
    exception when sqlstate 'HB001' then
      null;
    end;
    answers := answers || jsonb_build_array(refusal);
  end loop;
  return answers;
end $$;

-- 0003_commands_done_jobs
-- for whoever looks for what a request led to; nothing depends on it, so that a crash may empty it
create unlogged table ops.done_jobs (
  kind text not null,
  id text not null,
  correlation_id text not null,
  attempts integer not null,
  -- of an attempt before the last one
  last_error text,
  done_at timestamptz not null
);
create index done_jobs_correlation_id on ops.done_jobs using hash (correlation_id);
create index done_jobs_done_at on ops.done_jobs using brin (done_at);

-- 0003_commands_snapshots
create table ops.snapshots (
  stream text primary key,
  -- the last event that is part of the state
  revision bigint not null,
  event_id uuid not null,
  -- of the aggregate's declaration
  version integer not null,
  state text not null,
  written_at timestamptz not null default now()
);

-- 0003_eventstore_vault_master_keys
-- of the master key that wrapped it; null for keys of release 0.1.0 until they are wrapped again
alter table ops.vault_keys add column master_key_id text;
create table ops.vault (name text primary key, value text not null);

-- 0003_mail_attempts
-- tells the worker that sends it now from one that sent it before
alter table ops.mails add column attempts integer not null default 0;

-- 0003_notifications_titles_of_sellers
create index notifications_of_sellers on ops.notifications ((params ->> 'owner_id')) where params ? 'owner_id';

-- 0003_payments_next_to_check
-- a run finds what it has not checked yet without looking at what it has
create index reconciliation_checks_next on ops.reconciliation_checks (run_id) where answered is null;

-- 0003_payments_settings_changes_of_owners
create index payment_settings_changes_owner_id on ops.payment_settings_changes (owner_id);

-- 0003_privacy_made_by_jobs
comment on column ops.export_archives.claimed_until is
  'the job that makes an archive has the claim. Written by the former release, dropped by the next one';

-- 0003_privacy_outcomes_of_parts
-- one holder may have several: some cards are removed, others wait for their provider
alter table ops.erased_parts drop constraint erased_parts_pkey,
  add primary key (certificate_id, holder, outcome);

-- 0003_projections_read_model_groups
-- The group whose batches go into the table. Release 0.1.0 had one for all.
alter table ops.read_models add column consumer text not null default 'read-models';

-- 0003_push_doubted_devices
-- when the service last began to say that the token is dead, in words that somebody else could have written
alter table ops.push_devices add column doubted_at timestamptz;

-- 0003_resort_queue_counts
create table ops.lift_passages (
  event_id uuid primary key,
  lift_id uuid not null,
  pass_id uuid not null,
  -- who bought the pass
  user_id uuid not null,
  passed_at timestamptz not null
);
create index lift_passages_lift on ops.lift_passages (lift_id, passed_at);
create index lift_passages_time on ops.lift_passages (passed_at);
create index lift_passages_user on ops.lift_passages (user_id);
create table ops.lift_statuses (
  lift_id uuid not null,
  since timestamptz not null,
  status text not null,
  primary key (lift_id, since)
);
-- the lower stations of lifts that are open
create table ops.lift_stations (
  lift_id uuid primary key,
  lon double precision not null,
  lat double precision not null
);

-- 0003_sos_inbox_incidents
-- what the person was told; null in rows of before, whose own id it is
alter table ops.sos_inbox add column incident_id uuid;
create index sos_inbox_account_id on ops.sos_inbox (account_id, at, id);

-- 0003_tracking_mock_locations
alter table ops.track_points add column mock boolean;

-- 0004_accounts_admins
create table ops.admins (account_id uuid primary key);

-- 0004_commands_claims
-- which process works on it, by a name of the claim, and until when: as run_at, unless the job was set anew since
alter table ops.jobs add column claim uuid, add column claimed_until timestamptz;
create index jobs_claimed on ops.jobs (claimed_until) where claimed_until is not null;

-- 0004_commands_outside_erasures
create table ops.outside_erasures (
  -- also of the key that "sealed" is encrypted with
  id uuid primary key,
  certificate_id uuid not null,
  kind text not null,
  -- in the words of the certificate
  holder text not null,
  sealed text not null,
  -- when the erasure was requested
  since timestamptz not null
);
create index outside_erasures_certificate on ops.outside_erasures (certificate_id);

-- 0004_commands_sealed_snapshots
-- those of rooms had what sellers say in plain
delete from ops.snapshots where stream like 'room-%';

-- 0004_eventstore_log_id
alter table ops.log add column log_id text, alter column first_event_id drop not null, alter column first_position drop not null;

-- 0004_mail_refused_mails
-- after an attempt of which it is not known whether it arrived: not before then
alter table ops.mails add column not_before timestamptz;
-- refused by the mail server for a reason of its own: the words are kept until an operator sends the e-mail again
alter table ops.mails add column refused_at timestamptz;
alter table ops.mails add column refused_cause text;
-- the reply code of the mail server
alter table ops.mails add column refused_code integer;
-- the words of the mail server, encrypted with the key of the person
alter table ops.mails add column refused_reply text;
create index mails_refused_at on ops.mails (refused_at desc, id) where refused_at is not null and outcome is null;

-- 0004_notifications_unread_kept
-- nobody changes them meanwhile, so that none is missed; in the order in which changes of lists lock
lock table ops.notification_inboxes in access exclusive mode;
lock table ops.notifications in share row exclusive mode;
alter table ops.notification_inboxes add column unread integer not null default 0;
update ops.notification_inboxes i set unread = n.unread from (
  select person_id, count(*) as unread from ops.notifications
  where deleted_at is null and read_at is null group by person_id
) n where n.person_id = i.person_id;
-- whoever changes notifications keeps the number, a process of an earlier release, too
create function ops.keep_unread() returns trigger language plpgsql as $keep$
declare
  become uuid[];
  were uuid[];
  one record;
begin
  if tg_op <> 'DELETE' then
    become := array(select person_id from rows_after where deleted_at is null and read_at is null);
  end if;
  if tg_op <> 'INSERT' then
    were := array(select person_id from rows_before where deleted_at is null and read_at is null);
  end if;
  for one in
    select person_id, sum(change) as more
    from (select unnest(become), 1 union all select unnest(were), -1) as unread (person_id, change)
    group by person_id having sum(change) <> 0 order by person_id
  loop
    update ops.notification_inboxes set unread = unread + one.more where person_id = one.person_id;
  end loop;
  return null;
end $keep$;
create trigger added_unread after insert on ops.notifications
  referencing new table as rows_after for each statement execute function ops.keep_unread();
create trigger changed_unread after update on ops.notifications
  referencing old table as rows_before new table as rows_after for each statement execute function ops.keep_unread();
create trigger deleted_unread after delete on ops.notifications
  referencing old table as rows_before for each statement execute function ops.keep_unread();

-- 0004_privacy_erasure_corrections
-- what was found, and erased, after a certificate was given
create table ops.erasure_corrections (
  id uuid primary key default gen_random_uuid(),
  certificate_id uuid not null,
  holder text not null,
  outcome text not null,
  count integer not null,
  at timestamptz not null default now()
);
create index erasure_corrections_certificate on ops.erasure_corrections (certificate_id);

-- 0004_push_quiet_hours
-- when a person is not disturbed, by the clocks of a time zone
create table ops.push_quiet_hours (
  person_id uuid primary key,
  quiet_hours jsonb not null
);
insert into ops.push_quiet_hours
  select person_id, preferences -> 'quiet_hours' from ops.notification_preferences
  where jsonb_typeof(preferences -> 'quiet_hours') = 'object';
-- null in rows of before: those to one person have waited already
alter table ops.push_messages add column passes_quiet_hours boolean;
-- consents are asked of ops.consenting_people; processes of before go on writing these columns
alter table ops.push_people alter column consent_revision set default -1;

-- 0004_tracking_prints
create table ops.track_prints (
  session_id uuid primary key,
  account_id uuid not null,
  day date not null,
  -- when the device recorded
  recorded_from timestamptz not null,
  recorded_to timestamptz not null,
  -- hashes of places: see printOf in domain/tracking/plausibility.ts
  print integer[] not null,
  -- decides which of two tracks is the copy
  seen_at timestamptz not null default clock_timestamp()
);
create index track_prints_print on ops.track_prints using gin (print);
create index track_prints_account on ops.track_prints (account_id, recorded_from);
create index track_prints_day on ops.track_prints (day);

-- 0005_accounts_known_identifiers
-- which change of its identifiers the account was last known by; null: kept by an earlier release
alter table ops.known_accounts add column identifier_revision bigint;

-- 0005_commands_checked_erasures
-- when it was looked for what is left; null: not yet
alter table ops.erasures add column checked_at timestamptz;

-- 0005_eventstore_erased_people
-- read models ask with each batch which of its people are erased
create index vault_keys_erased on ops.vault_keys (person_id) where wrapped_key is null;

-- 0005_mail_sent_by_jobs
comment on column ops.mails.sending_until is
  'unused: the job that sends an e-mail has the claim. Written by the former release, dropped by the next one';

-- 0005_notifications_lists_by_index
-- all of a person, for export and erasure; and of these, the list
create index notifications_of_person on ops.notifications (person_id, (deleted_at is null), seq);
drop index ops.notifications_listed;
create index notifications_of_kind on ops.notifications (person_id, kind, seq) where deleted_at is null;
drop index ops.notifications_unread;
create index notifications_unread on ops.notifications (person_id, seq) where deleted_at is null and read_at is null;
create index notifications_unread_of_kind on ops.notifications (person_id, kind, seq)
  where deleted_at is null and read_at is null;
create index notifications_unread_in_place on ops.notifications
  (person_id, name, (coalesce(params ->> 'thread_id', params ->> 'topic_id')), ((params ->> 'seq')::bigint))
  where deleted_at is null and read_at is null and params ? 'seq';

-- 0005_push_lanes
-- the jobs that send what is queued; they run again for ever
insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id)
select 'push_lane', lane || ' ' || service, now(), now(), '{}', 'push'
from unnest(array['direct', 'broadcast']) as lane, unnest(array['fcm', 'apns', 'web']) as service
on conflict do nothing;

-- 0005_tracking_no_altitude
-- null: the device does not know it
alter table ops.track_points alter column alt drop not null;

-- 0006_tracking_summaries_again
-- what tracks come to is computed in another way: again for all that may still have points, one after the other
insert into ops.jobs (kind, id, due_at, run_at, data, correlation_id)
select 'track_summary', session_id, due_at, due_at, '{}', session_id
from (
  select session_id, now() + interval '1 second' * row_number() over (order by day desc, session_id) as due_at
  from ops.track_prints
) tracks
on conflict do nothing;

insert into ops.migrations (name, timestamp) values
  ('0001_accounts_attempts', '2026-01-01T00:00:00.000Z'),
  ('0001_accounts_oauth_states', '2026-01-01T00:00:00.000Z'),
  ('0001_accounts_sandbox_messages', '2026-01-01T00:00:00.000Z'),
  ('0001_accounts_sessions', '2026-01-01T00:00:00.000Z'),
  ('0001_accounts_sms_codes', '2026-01-01T00:00:00.000Z'),
  ('0001_analytics_events', '2026-01-01T00:00:00.000Z'),
  ('0001_badges_facts', '2026-01-01T00:00:00.000Z'),
  ('0001_bookings_unpaid', '2026-01-01T00:00:00.000Z'),
  ('0001_calls_heartbeats', '2026-01-01T00:00:00.000Z'),
  ('0001_catalog_owned_listings', '2026-01-01T00:00:00.000Z'),
  ('0001_chat_group_members', '2026-01-01T00:00:00.000Z'),
  ('0001_commands_jobs', '2026-01-01T00:00:00.000Z'),
  ('0001_consents_marketing_people', '2026-01-01T00:00:00.000Z'),
  ('0001_content_event_guests', '2026-01-01T00:00:00.000Z'),
  ('0001_eventstore_checkpoints', '2026-01-01T00:00:00.000Z'),
  ('0001_eventstore_vault_keys', '2026-01-01T00:00:00.000Z'),
  ('0001_favorites_watches', '2026-01-01T00:00:00.000Z'),
  ('0001_files_files', '2026-01-01T00:00:00.000Z'),
  ('0001_friends_pairs', '2026-01-01T00:00:00.000Z'),
  ('0001_http_idempotency_keys', '2026-01-01T00:00:00.000Z'),
  ('0001_infra_leases', '2026-01-01T00:00:00.000Z'),
  ('0001_mail_mails', '2026-01-01T00:00:00.000Z'),
  ('0001_mail_undeliverable_mail', '2026-01-01T00:00:00.000Z'),
  ('0001_notifications_notifications', '2026-01-01T00:00:00.000Z'),
  ('0001_operators_reports_and_what_was_told', '2026-01-01T00:00:00.000Z'),
  ('0001_partners_api_key_usage', '2026-01-01T00:00:00.000Z'),
  ('0001_passes_pass_purchases', '2026-01-01T00:00:00.000Z'),
  ('0001_payments_reconciliation', '2026-01-01T00:00:00.000Z'),
  ('0001_payments_settings_changes', '2026-01-01T00:00:00.000Z'),
  ('0001_payments_webhook_inbox', '2026-01-01T00:00:00.000Z'),
  ('0001_privacy_erasure_certificates', '2026-01-01T00:00:00.000Z'),
  ('0001_projections_parked', '2026-01-01T00:00:00.000Z'),
  ('0001_projections_read_models', '2026-01-01T00:00:00.000Z'),
  ('0001_projections_rebuilds', '2026-01-01T00:00:00.000Z'),
  ('0001_promotions_first_bookings', '2026-01-01T00:00:00.000Z'),
  ('0001_push_push', '2026-01-01T00:00:00.000Z'),
  ('0001_resort_weather', '2026-01-01T00:00:00.000Z'),
  ('0001_stories_views', '2026-01-01T00:00:00.000Z'),
  ('0001_tracking_points', '2026-01-01T00:00:00.000Z'),
  ('0001_voice_voices', '2026-01-01T00:00:00.000Z'),
  ('0001_webcams_pictures', '2026-01-01T00:00:00.000Z'),
  ('0002_accounts_running_attempts', '2026-01-01T00:00:00.000Z'),
  ('0002_accounts_session_proofs', '2026-01-01T00:00:00.000Z'),
  ('0002_analytics_conversions', '2026-01-01T00:00:00.000Z'),
  ('0002_bookings_count_unpaid', '2026-01-01T00:00:00.000Z'),
  ('0002_chat_gone_messages', '2026-01-01T00:00:00.000Z'),
  ('0002_commands_erasures', '2026-01-01T00:00:00.000Z'),
  ('0002_commands_indexes_of_next_and_parked', '2026-01-01T00:00:00.000Z'),
  ('0002_consents_consenting_people', '2026-01-01T00:00:00.000Z'),
  ('0002_eventstore_log_identity', '2026-01-01T00:00:00.000Z'),
  ('0002_friends_live_positions', '2026-01-01T00:00:00.000Z'),
  ('0002_friends_pairs_of_others', '2026-01-01T00:00:00.000Z'),
  ('0002_http_rate_counts', '2026-01-01T00:00:00.000Z'),
  ('0002_http_repeated_requests', '2026-01-01T00:00:00.000Z'),
  ('0002_mail_sent_to', '2026-01-01T00:00:00.000Z'),
  ('0002_mail_undeliverable_causes', '2026-01-01T00:00:00.000Z'),
  ('0002_notifications_preferences', '2026-01-01T00:00:00.000Z'),
  ('0002_payments_watched_while_held', '2026-01-01T00:00:00.000Z'),
  ('0002_privacy_export_archives', '2026-01-01T00:00:00.000Z'),
  ('0002_privacy_pending_erasures', '2026-01-01T00:00:00.000Z'),
  ('0002_projections_parked_unreadable', '2026-01-01T00:00:00.000Z'),
  ('0002_push_words_for_others', '2026-01-01T00:00:00.000Z'),
  ('0002_resort_queue_alerts', '2026-01-01T00:00:00.000Z'),
  ('0002_sos_inbox', '2026-01-01T00:00:00.000Z'),
  ('0002_tracking_open_sessions', '2026-01-01T00:00:00.000Z'),
  ('0002_voice_unknown_reports', '2026-01-01T00:00:00.000Z'),
  ('0003_accounts_last_known', '2026-01-01T00:00:00.000Z'),
  ('0003_analytics_events_by_kind', '2026-01-01T00:00:00.000Z'),
  ('0003_bookings_booked_times', '2026-01-01T00:00:00.000Z'),
  ('0003_commands_done_jobs', '2026-01-01T00:00:00.000Z'),
  ('0003_commands_snapshots', '2026-01-01T00:00:00.000Z'),
  ('0003_eventstore_vault_master_keys', '2026-01-01T00:00:00.000Z'),
  ('0003_mail_attempts', '2026-01-01T00:00:00.000Z'),
  ('0003_notifications_titles_of_sellers', '2026-01-01T00:00:00.000Z'),
  ('0003_payments_next_to_check', '2026-01-01T00:00:00.000Z'),
  ('0003_payments_settings_changes_of_owners', '2026-01-01T00:00:00.000Z'),
  ('0003_privacy_made_by_jobs', '2026-01-01T00:00:00.000Z'),
  ('0003_privacy_outcomes_of_parts', '2026-01-01T00:00:00.000Z'),
  ('0003_projections_read_model_groups', '2026-01-01T00:00:00.000Z'),
  ('0003_push_doubted_devices', '2026-01-01T00:00:00.000Z'),
  ('0003_resort_queue_counts', '2026-01-01T00:00:00.000Z'),
  ('0003_sos_inbox_incidents', '2026-01-01T00:00:00.000Z'),
  ('0003_tracking_mock_locations', '2026-01-01T00:00:00.000Z'),
  ('0004_accounts_admins', '2026-01-01T00:00:00.000Z'),
  ('0004_commands_claims', '2026-01-01T00:00:00.000Z'),
  ('0004_commands_outside_erasures', '2026-01-01T00:00:00.000Z'),
  ('0004_commands_sealed_snapshots', '2026-01-01T00:00:00.000Z'),
  ('0004_eventstore_log_id', '2026-01-01T00:00:00.000Z'),
  ('0004_mail_refused_mails', '2026-01-01T00:00:00.000Z'),
  ('0004_notifications_unread_kept', '2026-01-01T00:00:00.000Z'),
  ('0004_privacy_erasure_corrections', '2026-01-01T00:00:00.000Z'),
  ('0004_push_quiet_hours', '2026-01-01T00:00:00.000Z'),
  ('0004_tracking_prints', '2026-01-01T00:00:00.000Z'),
  ('0005_accounts_known_identifiers', '2026-01-01T00:00:00.000Z'),
  ('0005_commands_checked_erasures', '2026-01-01T00:00:00.000Z'),
  ('0005_eventstore_erased_people', '2026-01-01T00:00:00.000Z'),
  ('0005_mail_sent_by_jobs', '2026-01-01T00:00:00.000Z'),
  ('0005_notifications_lists_by_index', '2026-01-01T00:00:00.000Z'),
  ('0005_push_lanes', '2026-01-01T00:00:00.000Z'),
  ('0005_tracking_no_altitude', '2026-01-01T00:00:00.000Z'),
  ('0006_tracking_summaries_again', '2026-01-01T00:00:00.000Z');
