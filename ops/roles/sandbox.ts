/** Payment provider, text messages and e-mails, as they are on a machine that has neither. */
import { fileStoreOf } from '../../commands/files/connect.ts';
import { tbankPassword, webhookUrl } from '../../commands/payments/connect.ts';
import { livekitOf, voiceWebhookUrl } from '../../commands/voice/connect.ts';
import { createPool } from '../../infra/postgres.ts';
import { startSandbox } from '../sandbox/server.ts';
import { storesOf } from '../wiring.ts';
import type { StartRole } from './role.ts';

export const start: StartRole = async (config, log) => {
  const { databaseUrl } = storesOf(config);
  const pool = createPool(databaseUrl, { max: 2, applicationName: 'sandbox', log });
  const voice = livekitOf(config);
  const sandbox = await startSandbox({
    port: config.SANDBOX_PORT,
    host: config.HOST,
    publicUrl: config.SANDBOX_PUBLIC_URL,
    rolesUrl: config.SANDBOX_URL,
    dataDir: config.DATA_DIR,
    webhookUrl: webhookUrl(config, 'yookassa'),
    webhookSecret: config.PAYMENT_WEBHOOK_SECRET,
    credentials: { shopId: config.YOOKASSA_SHOP_ID, secretKey: config.YOOKASSA_SECRET_KEY },
    tbank: {
      terminalKey: config.TBANK_TERMINAL_KEY,
      password: tbankPassword(config) ?? '',
      webhookUrl: webhookUrl(config, 'tbank'),
    },
    ...(voice && { voice: { ...voice, webhookUrl: voiceWebhookUrl(config), storage: fileStoreOf(config, log) } }),
    pool,
    smtpPort: config.SANDBOX_SMTP_PORT,
    log,
  });
  return {
    address: sandbox.address,
    stop: async () => {
      await sandbox.stop();
      await pool.end();
    },
  };
};
