/**
 * The key of a seller encrypts the texts of what they offer. It is not the key of a person: a team may own the listings
 * later. Today a seller is one account, so the key goes with that account.
 */
import { derivedId } from '../infra/ids.ts';
import type { PersonKey, Vault } from './vault.ts';

/** The id of the seller's key in the vault. @param owner the account that owns the listings */
export const sellerOf = (owner: string): string => derivedId('seller', owner);

/**
 * The key of an owner's seller among keys that were read for both ids. A seller whose owner was erased before sellers had
 * keys is erased, too.
 */
export const sellerKeyIn = (keys: ReadonlyMap<string, PersonKey>, owner: string): PersonKey | undefined =>
  keys.get(sellerOf(owner)) ?? (keys.get(owner) === 'erased' ? 'erased' : undefined);

/** The seller's key, made at its first use. */
export const sellerKeyToWrite = async (
  vault: Pick<Vault, 'keyToWrite' | 'keysToRead'>,
  owner: string,
): Promise<PersonKey> =>
  sellerKeyIn(await vault.keysToRead([sellerOf(owner), owner]), owner) ?? vault.keyToWrite(sellerOf(owner));
