/** Webhooks, signed as LiveKit signs them, and sent as networks send them. */
import { createHash, randomUUID } from 'node:crypto';
import type { Static } from '@sinclair/typebox';
import { AccessToken } from 'livekit-server-sdk';
import { OneOf } from '../../../domain/core/schema.ts';
import type { Logger } from '../../../infra/log.ts';

export interface WebhookSettings {
  readonly apiKey: string;
  readonly apiSecret: string;
  readonly webhookUrl: string;
}

/** `reversed`: those of a moment in the opposite order · `lost`: not at all */
export const WebhookMode = OneOf(['once', 'doubled', 'reversed', 'lost']);
export type WebhookMode = Static<typeof WebhookMode>;

const TIMEOUT_MS = 5_000;
/** Reversed webhooks wait for others this long. */
const GATHER_MS = 300;

export interface Webhooks {
  setMode(mode: WebhookMode): void;
  send(event: string, about: object): void;
}

export const createWebhooks = ({ apiKey, apiSecret, webhookUrl }: WebhookSettings, log: Logger): Webhooks => {
  let mode: WebhookMode = 'once';
  let waiting: string[] = [];
  const post = async (body: string): Promise<void> => {
    const token = new AccessToken(apiKey, apiSecret, { ttl: 300 });
    token.sha256 = createHash('sha256').update(body).digest('base64');
    const headers = { 'content-type': 'application/webhook+json', authorization: await token.toJwt() };
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      const { status } = await fetch(webhookUrl, { method: 'POST', headers, body, signal });
      if (status >= 300) log.warn({ status }, 'a webhook of the voice server was refused');
    } catch (error) {
      log.warn({ err: error }, 'a webhook of the voice server did not arrive');
    }
  };
  const repeat = async (body: string, times: number): Promise<void> => {
    for (let time = 0; time < times; time += 1) await post(body);
  };
  const flush = async (): Promise<void> => {
    const bodies = waiting.toReversed();
    waiting = [];
    for (const body of bodies) await post(body);
  };
  return {
    setMode: (next) => {
      mode = next;
    },
    send: (event, about) => {
      const created_at = String(Math.floor(Date.now() / 1_000));
      const body = JSON.stringify({ event, id: `EV_${randomUUID()}`, created_at, ...about });
      if (mode === 'lost') return;
      if (mode === 'reversed') {
        if (waiting.push(body) === 1) setTimeout(() => void flush(), GATHER_MS).unref();
        return;
      }
      void repeat(body, mode === 'doubled' ? 2 : 1);
    },
  };
};
