/** The sender for production: one HTTP call to whatever gateway the operator runs or rents. */
import { Type } from '@sinclair/typebox';
import { isPage, jsonOf } from '../../infra/outside/answers.ts';
import { type Answer, exchange } from '../../infra/outside/exchange.ts';
import { deepestCause, OutsideFault } from '../../infra/outsideFault.ts';
import { validator } from '../../infra/validation.ts';
import { SmsRefused, type SmsSender } from './smsSender.ts';

const TIMEOUT_MS = 8_000;
/** The only status that is about the number. Others may be about the token, the address of the gateway, or the load. */
const NEVER = 422;
/** What proxies and portals do not answer. A 200 they do, so that it needs the gateway's own words. */
const TAKEN: readonly number[] = [201, 202, 204];
const isTakenOver = validator(Type.Object({ id: Type.Union([Type.String({ minLength: 1 }), Type.Number()]) }));

const isRefusal = validator(Type.Object({ error: Type.String() }));

/** About the number: nothing, or the gateway's `error`. Other JSON is of a framework or a proxy. */
const isNever = (answer: Answer): boolean =>
  answer.status === NEVER && (answer.body.length === 0 || isRefusal(jsonOf(answer)));
const isTaken = (answer: Answer): boolean =>
  TAKEN.includes(answer.status) ? !isPage(answer) : answer.status === 200 && isTakenOver(jsonOf(answer));

/**
 * @param url takes `POST {"to": "+…", "text": "…"}` with the token as bearer. Once it has taken a message over it answers
 *   201, 202 or 204, or 200 with JSON that has an `id`; 422 is for a number that it will never send to, without a body or with JSON that has an `error`.
 */
export const createGatewaySms = (url: string, token: string): SmsSender => ({
  async send(phone, text) {
    const answer = await exchange(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: phone, text }),
      timeoutMs: TIMEOUT_MS,
    }).catch((error: unknown) => {
      throw new OutsideFault(`the SMS gateway cannot be asked: ${deepestCause(error)}`, { cause: error });
    });
    if (isTaken(answer)) return;
    const { status } = answer;
    throw new SmsRefused(`the SMS gateway answered ${status}`, { isFinal: isNever(answer) });
  },
});

/**
 * Used where no gateway is configured and the sandbox is not allowed: a code that anybody can read does not prove a
 * phone number.
 */
export const noSms: SmsSender = {
  send: () => Promise.reject(new OutsideFault('no text messages are sent: SMS_GATEWAY_URL is not set')),
};
