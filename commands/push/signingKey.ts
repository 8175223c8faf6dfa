/** Private keys of push services, as their consoles give them out. */
import { importPKCS8 } from 'jose';
import { OutsideFault } from '../../infra/outsideFault.ts';

/** @param pem PKCS #8 @throws OutsideFault for a text that is no such key, without showing it */
export const signingKey = async (pem: string, algorithm: 'RS256' | 'ES256') => {
  try {
    return await importPKCS8(pem, algorithm);
  } catch {
    throw new OutsideFault(`the private key cannot be read: it must be PKCS #8 in PEM, for ${algorithm}`);
  }
};
