import { accountsPurpose } from '../../domain/accounts/index.ts';
import type { ExternalPersonalData } from '../../infra/personalData.ts';

/** The message was refused, so it was certainly not sent. After any other error it may have been. */
export class SmsRefused extends Error {
  override readonly name = 'SmsRefused';
  /** Whether this number will always be refused; otherwise a later attempt may succeed. */
  readonly isFinal: boolean;
  constructor(message: string, { isFinal = false } = {}) {
    super(message);
    this.isFinal = isFinal;
  }
}

/** The port that sends text messages. */
export interface SmsSender {
  /** @throws SmsRefused, or another error when it is not known whether the message was handed over */
  send(phone: string, text: string): Promise<void>;
}

export const smsGateway: ExternalPersonalData = {
  what: 'phone numbers and texts at the SMS gateway',
  where: 'provider',
  why: accountsPurpose,
  retention: { until: 'the contract with the gateway says' },
  exported: 'the person has them',
  erased: 'nothing is sent any more',
  seenBy: ['provider'],
};
