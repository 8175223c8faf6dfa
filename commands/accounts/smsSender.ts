/** The port that sends text messages. */
export interface SmsSender {
  /** @throws when the message cannot be handed over */
  send(phone: string, text: string): Promise<void>;
}
