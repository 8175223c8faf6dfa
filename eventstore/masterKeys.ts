/**
 * The keys of the configuration. The master key wraps the keys of people and can be rotated; the fingerprint key finds
 * e-mail addresses and phone numbers again and never changes, because streams are named by it.
 */
import { createHmac } from 'node:crypto';

/** 32 bytes in base64 each. */
export interface MasterKeys {
  readonly master: string;
  /** Still unwraps, while keys are wrapped again. */
  readonly previous?: string | undefined;
  /** The master key unless given. */
  readonly fingerprint?: string | undefined;
}

export interface MasterKey {
  /** Names the key, and does not reveal it. */
  readonly id: string;
  readonly key: Buffer;
}

const read = (name: string, text: string): MasterKey => {
  const key = Buffer.from(text, 'base64');
  if (key.length !== 32) throw new Error(`${name} must be 32 bytes in base64`);
  return { id: createHmac('sha256', key).update('key id').digest('hex').slice(0, 16), key };
};

export const masterKeys = ({ master, previous, fingerprint }: MasterKeys) => {
  const current = read('VAULT_MASTER_KEY', master);
  const former = previous === undefined ? [] : [read('VAULT_MASTER_KEY_PREVIOUS', previous)];
  return {
    current,
    all: [current, ...former],
    fingerprint: fingerprint === undefined ? current : read('VAULT_FINGERPRINT_KEY', fingerprint),
  };
};
