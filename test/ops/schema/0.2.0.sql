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

-- 0001_catalog_owned_listings
create table ops.owned_listings (
  id uuid primary key,
  kind text not null,
  owner_id uuid not null
);
create index owned_listings_owner on ops.owned_listings (owner_id);

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

-- 0001_partners_api_key_usage
create table ops.api_key_usage (key_id uuid primary key, last_used_at timestamptz not null);

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

-- 0002_accounts_session_proofs
-- When the person last proved who they are, after the sign-in that started the session.
alter table ops.sessions add column proved_at timestamptz;

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

-- 0002_eventstore_log_identity
create table ops.log (
  one boolean primary key default true check (one),
  first_event_id text not null,
  first_position text not null
);
-- the last event up to the checkpoint; null while none was handled since release 0.1.0
alter table ops.checkpoints add column event_id text, add column stream text, add column revision bigint;

-- 0002_http_rate_counts
create unlogged table ops.rate_counts (
  minute integer not null,
  key uuid not null,
  count integer not null,
  primary key (minute, key)
);

-- 0002_projections_parked_unreadable
alter table ops.parked add column unreadable boolean not null default false;

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

insert into ops.migrations (name, timestamp) values
  ('0001_accounts_attempts', '2026-01-01T00:00:00.000Z'),
  ('0001_accounts_oauth_states', '2026-01-01T00:00:00.000Z'),
  ('0001_accounts_sandbox_messages', '2026-01-01T00:00:00.000Z'),
  ('0001_accounts_sessions', '2026-01-01T00:00:00.000Z'),
  ('0001_accounts_sms_codes', '2026-01-01T00:00:00.000Z'),
  ('0001_bookings_unpaid', '2026-01-01T00:00:00.000Z'),
  ('0001_catalog_owned_listings', '2026-01-01T00:00:00.000Z'),
  ('0001_commands_jobs', '2026-01-01T00:00:00.000Z'),
  ('0001_eventstore_checkpoints', '2026-01-01T00:00:00.000Z'),
  ('0001_eventstore_vault_keys', '2026-01-01T00:00:00.000Z'),
  ('0001_http_idempotency_keys', '2026-01-01T00:00:00.000Z'),
  ('0001_infra_leases', '2026-01-01T00:00:00.000Z'),
  ('0001_partners_api_key_usage', '2026-01-01T00:00:00.000Z'),
  ('0001_payments_reconciliation', '2026-01-01T00:00:00.000Z'),
  ('0001_payments_settings_changes', '2026-01-01T00:00:00.000Z'),
  ('0001_payments_webhook_inbox', '2026-01-01T00:00:00.000Z'),
  ('0001_projections_parked', '2026-01-01T00:00:00.000Z'),
  ('0001_projections_read_models', '2026-01-01T00:00:00.000Z'),
  ('0001_projections_rebuilds', '2026-01-01T00:00:00.000Z'),
  ('0002_accounts_session_proofs', '2026-01-01T00:00:00.000Z'),
  ('0002_commands_erasures', '2026-01-01T00:00:00.000Z'),
  ('0002_commands_indexes_of_next_and_parked', '2026-01-01T00:00:00.000Z'),
  ('0002_eventstore_log_identity', '2026-01-01T00:00:00.000Z'),
  ('0002_http_rate_counts', '2026-01-01T00:00:00.000Z'),
  ('0002_projections_parked_unreadable', '2026-01-01T00:00:00.000Z'),
  ('0003_accounts_last_known', '2026-01-01T00:00:00.000Z'),
  ('0003_commands_snapshots', '2026-01-01T00:00:00.000Z'),
  ('0003_eventstore_vault_master_keys', '2026-01-01T00:00:00.000Z');
