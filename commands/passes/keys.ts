/** The keys that sign passes. Gates verify with the public ones, without asking anybody. */
import { createHash, createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';

interface SigningKey {
  /** 8 hex digits: the start of the SHA-256 of the public key. */
  readonly id: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** The 32 bytes of the public key, base64url. */
  readonly publicText: string;
}

export interface PassKeys {
  /** Signs new codes. */
  readonly current: SigningKey;
  /** All whose codes are valid, the current one first. */
  readonly all: readonly SigningKey[];
}

/** RFC 8410: the header of an Ed25519 private key of 32 bytes in PKCS #8. */
const PKCS8_HEADER = Buffer.from('302e020100300506032b657004220420', 'hex');

const signingKey = (secret: string): SigningKey => {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'codes of ski passes', 32));
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEADER, seed]), format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey);
  const publicText = publicKey.export({ format: 'jwk' }).x as string;
  const id = createHash('sha256').update(publicText, 'base64url').digest('hex').slice(0, 8);
  return { id, privateKey, publicKey, publicText };
};

/** @param previous the secret before: its codes stay valid while it is configured */
export const passKeysOf = (secret: string, previous?: string): PassKeys => {
  const current = signingKey(secret);
  return { current, all: previous === undefined ? [current] : [current, signingKey(previous)] };
};
