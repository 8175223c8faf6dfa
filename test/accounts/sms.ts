/** Phones of people that do not exist, and what was sent to them. */
import { randomInt } from 'node:crypto';
import type { Runtime } from '../kit/world.ts';

/** Ten random digits behind a country code: unlikely to repeat within a run. */
export const newPhone = (): string => `+7${7_000_000_000 + randomInt(1_000_000_000)}`;

/** The code of the newest message to this phone, as the sandbox shows it. */
export const codeSentTo = async ({ sandbox }: Pick<Runtime, 'sandbox'>, phone: string): Promise<string> => {
  const response = await fetch(`${sandbox}/sms?phone=${encodeURIComponent(phone)}`, {
    signal: AbortSignal.timeout(5_000),
  });
  const { messages } = (await response.json()) as { messages: { text: string; code: string | null }[] };
  const code = messages[0]?.code;
  if (!code) throw new Error('nothing was sent to this phone');
  return code;
};
