/**
 * One-time codes, sent to a phone number or an e-mail address: six digits, valid for five minutes, five attempts, usable
 * once. Accounts are not read here, so the replies do not reveal whether there is one.
 */
import { createHmac, randomInt } from 'node:crypto';
import { Rejected } from '../../domain/core/decider.ts';
import { instantOf, MINUTE_MS } from '../../domain/core/instants.ts';
import { migrations } from '../../infra/migrations.ts';
import { inTransaction } from '../../infra/postgres.ts';
import type { CommandContext } from '../core/handle.ts';
import { limited } from './attempts.ts';
import type { AccountDeps } from './deps.ts';

/** One row an address, under a keyed fingerprint: the address itself is not here. */
export const smsMigrations = migrations('accounts', {
  '0001_sms_codes': `
    create table ops.sms_codes (
      phone_id uuid primary key,
      code_hash bytea,
      expires_at timestamptz not null,
      attempts_left integer not null,
      sent_at timestamptz[] not null
    );
  `,
  personalData: {
    'ops.sms_codes': {
      nothing: 'hashes under a keyed fingerprint of the number or e-mail address, for minutes',
      retention: [{ after: 'expires_at', hours: 1 }],
    },
  },
});

/** Whose code it is: where it was sent, and the device if it is known. */
export interface CodeHolder {
  /** The normalised phone number or e-mail address. */
  readonly to: string;
  readonly device?: string | undefined;
}

export interface CodeStatus {
  /** Identifies the address without revealing it, for asking about the status later. */
  readonly requestId: string;
  /** Seconds until another code can be sent; 0: now. */
  readonly canSendInS: number;
  /** Whether a code is out that can still be used. */
  readonly codeActive: boolean;
  readonly attemptsLeft: number;
}

const CODE_TTL_MS = 5 * MINUTE_MS;
const ATTEMPTS = 5;
/** Wait before the second code of a window; doubles with each further code. */
export const RESEND_MS = MINUTE_MS;
const WINDOW_MS = 10 * MINUTE_MS;
const PER_WINDOW = 3;

interface Row {
  readonly code_hash: Buffer | null;
  readonly expires_at: string;
  readonly attempts_left: number;
  readonly sent_at: readonly string[];
}

type Deps = Pick<AccountDeps, 'pool' | 'vault' | 'settings' | 'log'>;

/** The fingerprint has the name of the first kind of code. */
const codeId = (deps: Pick<Deps, 'vault'>, to: string): string => deps.vault.fingerprint('sms', to);
const hashOf = (deps: Pick<Deps, 'settings'>, to: string, code: string): Buffer =>
  createHmac('sha256', deps.settings.smsPepper).update(`${to}\u0000${code}`).digest();
const recent = (sentAt: readonly string[], now: number): number[] =>
  sentAt.map((at) => Date.parse(at)).filter((at) => at > now - WINDOW_MS);

/** When the next code may be sent, in milliseconds since 1970. `sent` ascends. */
const nextSending = (sent: readonly number[]): number => {
  const [first, last] = [sent[0], sent.at(-1)];
  if (first === undefined || last === undefined) return 0;
  const spaced = last + RESEND_MS * 2 ** (sent.length - 1);
  return sent.length < PER_WINDOW ? spaced : Math.max(spaced, first + WINDOW_MS);
};

const statusOf = (requestId: string, row: Row | undefined, now: number): CodeStatus => {
  const live = row !== undefined && row.code_hash !== null && Date.parse(row.expires_at) > now;
  const attemptsLeft = live ? row.attempts_left : 0;
  const wait = nextSending(recent(row?.sent_at ?? [], now)) - now;
  return { requestId, canSendInS: Math.max(0, Math.ceil(wait / 1_000)), codeActive: attemptsLeft > 0, attemptsLeft };
};

/**
 * How long the next code has to wait, in seconds. A device that signed in before waits only after the last one: strangers
 * who have codes sent to its number must not use up its turns.
 */
const waitFor = ({ device }: CodeHolder, row: Row | undefined, now: number): number => {
  const sent = recent(row?.sent_at ?? [], now);
  const next = device === undefined ? nextSending(sent) : (sent.at(-1) ?? 0) + RESEND_MS;
  return Math.max(0, Math.ceil((next - now) / 1_000));
};

export interface NewCode {
  readonly code: string;
  readonly status: CodeStatus;
}

/** Makes the next code of an address; the one before it is void. @throws Rejected `too_many_attempts` when it is too soon */
export const issueCode = async (
  deps: Deps,
  { at }: Pick<CommandContext, 'at'>,
  holder: CodeHolder,
): Promise<NewCode> => {
  const code = String(randomInt(1_000_000)).padStart(6, '0');
  const row = await replaceCode(deps, holder, code, Date.parse(at));
  return { code, status: statusOf(codeId(deps, holder.to), row, Date.parse(at)) };
};

const replaceCode = (deps: Deps, holder: CodeHolder, code: string, now: number): Promise<Row> =>
  inTransaction(deps.pool, async (client) => {
    const id = codeId(deps, holder.to);
    await client.query(
      `insert into ops.sms_codes (phone_id, expires_at, attempts_left, sent_at) values ($1, $2, 0, '{}')
       on conflict (phone_id) do nothing`,
      [id, instantOf(now)],
    );
    const found = await client.query<Row>('select * from ops.sms_codes where phone_id = $1 for update', [id]);
    const wait = waitFor(holder, found.rows[0], now);
    if (wait > 0)
      throw new Rejected('too_many_attempts', `The next code can be sent in ${wait} s.`, { retry_after_s: wait });
    const stored: Row = {
      code_hash: hashOf(deps, holder.to, code),
      expires_at: instantOf(now + CODE_TTL_MS),
      attempts_left: ATTEMPTS,
      sent_at: [...recent(found.rows[0]?.sent_at ?? [], now), now].map(instantOf),
    };
    await client.query(
      'update ops.sms_codes set code_hash = $2, expires_at = $3, attempts_left = $4, sent_at = $5 where phone_id = $1',
      [id, stored.code_hash, stored.expires_at, stored.attempts_left, stored.sent_at],
    );
    return stored;
  });

/** The status of the code with the id that `sendCode` returned. An unknown id has no active code. */
export const codeStatus = async (deps: Pick<Deps, 'pool'>, requestId: string, at: string): Promise<CodeStatus> => {
  const { rows } = await deps.pool.query<Row>('select * from ops.sms_codes where phone_id = $1', [requestId]);
  return statusOf(requestId, rows[0], Date.parse(at));
};

const LIVE = 'phone_id = $1 and code_hash is not null and attempts_left > 0 and expires_at > ';

/**
 * Verifies the code of an address and consumes it. A code allows five attempts. Attempts count only while there is a code
 * to guess, so that nobody can use up the attempts of a person who has not asked for one.
 * @throws Rejected `wrong_credentials`, `too_many_attempts`
 */
export const consumeCode = async (
  deps: Deps,
  context: CommandContext,
  { to, device }: CodeHolder,
  code: string,
): Promise<void> => {
  const id = codeId(deps, to);
  const live = await deps.pool.query(`select 1 from ops.sms_codes where ${LIVE} $2`, [id, context.at]);
  const right =
    live.rowCount === 1 &&
    (await limited(deps, context, 'code', { subject: to, device }, async () => {
      const { rows } = await deps.pool.query<{ fits: boolean }>(
        `with live as (select phone_id, code_hash = $2 as fits from ops.sms_codes where ${LIVE} $3 for update)
         update ops.sms_codes c set attempts_left = attempts_left - 1, code_hash = case when fits then null else code_hash end
         from live where c.phone_id = live.phone_id returning fits`,
        [id, hashOf(deps, to, code), context.at],
      );
      return rows[0]?.fits ? true : null;
    }));
  if (!right)
    throw new Rejected('wrong_credentials', 'The code is wrong, was already used, or has expired.', {
      fields: ['code', 'phone_code', 'email_code'],
    });
};
