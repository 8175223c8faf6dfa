/** Phones of people that do not exist, and what was sent to them. */
import type { Runtime } from '../kit/world.ts';

let phones = 0;
/** A number that no other spec of this process has. */
export const newPhone = (): string => {
  phones += 1;
  return `+7${7_000_000_000 + phones}`;
};

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
