/** The sender for production: one HTTP call to whatever gateway the operator runs or rents. */
import { deepestCause, OutsideFault } from '../../infra/outsideFault.ts';
import { SmsRefused, type SmsSender } from './smsSender.ts';

const TIMEOUT_MS = 8_000;
/** The only status that is about the number. Others may be about the token, the address of the gateway, or the load. */
const NEVER = 422;

/** @param url takes `POST {"to": "+…", "text": "…"}` with the token as bearer, and answers 2xx once it has taken over */
export const createGatewaySms = (url: string, token: string): SmsSender => ({
  async send(phone, text) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: phone, text }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new OutsideFault(`the SMS gateway cannot be asked: ${deepestCause(error)}`, { cause: error });
    });
    await response.body?.cancel();
    const { ok, status } = response;
    if (!ok) throw new SmsRefused(`the SMS gateway answered ${status}`, { isFinal: status === NEVER });
  },
});

/**
 * Used where no gateway is configured and the sandbox is not allowed: a code that anybody can read does not prove a
 * phone number.
 */
export const noSms: SmsSender = {
  send: () => Promise.reject(new OutsideFault('no text messages are sent: SMS_GATEWAY_URL is not set')),
};
