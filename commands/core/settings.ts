/** Settings of the process that every module can read beside its own. */
import { type TProperties, Type } from '@sinclair/typebox';
import { choice, HTTP_URL, integer, list, ORIGIN, port, type SettingValues, text } from '../../infra/settings.ts';

export const coreSettings = {
  NODE_ENV: choice(
    ['development', 'test', 'production'],
    'development',
    '`production` refuses [what can lose data, money or privacy](operations.md#checks), and seeds no demo data.',
  ),
  SANDBOX_SMTP_PORT: port(
    8025,
    'Port at which the sandbox takes e-mails (SMTP); it shows them on `SANDBOX_PORT`. `all` takes another free one when it is taken.',
  ),
  PUBLIC_URL: text('http://localhost:{PORT}', {
    pattern: HTTP_URL,
    description: 'Address at which clients reach the API.',
  }),
  SANDBOX_URL: text('http://localhost:{SANDBOX_PORT}', {
    pattern: HTTP_URL,
    description: 'Address at which the roles reach the sandbox.',
  }),
  SANDBOX_PUBLIC_URL: text('{SANDBOX_URL}', {
    pattern: HTTP_URL,
    description: 'Address at which browsers and apps reach the sandbox.',
  }),
  RATE_LIMITS: Type.Number({
    default: 1,
    minimum: 0,
    maximum: 1_000_000,
    description: 'All rate limits are multiplied by this factor; none falls below 1. 0 = no limits.',
  }),
  DATA_DIR: text('.data', { minLength: 1, description: 'Directory of the embedded stores, uploads and `demo.json`.' }),
  POLICY_PARTS: integer(
    1,
    1,
    64,
    'In how many parts each policy is divided by stream, so that several workers share its events. The same for all processes.',
  ),
  PAYMENT_RETURN_URLS: list(
    ORIGIN,
    ['http://localhost:{PORT}'],
    'Origins that `X-Return-URL` may point to, comma-separated.',
  ),
};

/** What uses the settings of a module, and those of the process. `D`: the settings that the module declares. */
export interface WithSettings<D extends TProperties = Record<never, never>> {
  readonly settings: SettingValues<typeof coreSettings> & SettingValues<D>;
}
