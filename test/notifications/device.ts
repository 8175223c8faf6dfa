/** People whom push messages reach. */
import { randomUUID } from 'node:crypto';
import { registerDevice } from '../../commands/push/devices.ts';
import type { Node } from '../kit/deps.ts';

/** Gives the person a phone. @returns the person */
export const withDevice = async (node: Node, personId: string): Promise<string> => {
  const holder = { personId, sessionId: randomUUID() };
  const facts = { platform: 'android', environment: 'sandbox', appVersion: null, language: null } as const;
  await registerDevice(node, holder, { token: `phone-of-${randomUUID()}`, ...facts });
  return personId;
};
