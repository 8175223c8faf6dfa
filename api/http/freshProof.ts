/**
 * Operations that a stolen token alone must not be enough for: the session must have proved who it is lately, by signing
 * in or by `POST /auth/confirm`.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { PROOF_TTL } from '../../infra/tokens.ts';
import type { Caller, User } from './caller.ts';

export const FRESH_MINUTES = PROOF_TTL / 60;

/** `true`: always needed. A list: when the body has one of these fields. */
export type FreshProof = true | readonly string[];

export const isFresh = ({ provedAt }: Pick<User, 'provedAt'>): boolean => provedAt > Date.now() - PROOF_TTL * 1_000;

const isNeeded = (needed: FreshProof | undefined, body: unknown): boolean => {
  if (needed === undefined || needed === true) return needed === true;
  return typeof body === 'object' && body !== null && needed.some((field) => Object.hasOwn(body, field));
};

/** @throws Rejected `fresh_proof_required`. Other callers than users have no sessions: their secret is the proof. */
export const requireFreshProof = (needed: FreshProof | undefined, caller: Caller, body: unknown): void => {
  if (caller?.kind !== 'user' || !isNeeded(needed, body) || isFresh(caller)) return;
  throw new Rejected(
    'fresh_proof_required',
    'Confirm that it is you with POST /auth/confirm (password, or a code sent to your phone), or sign in again. Then repeat the request.',
  );
};

/** What the description of an operation says about it; empty when it needs none. */
export const freshProofNote = (needed: FreshProof | undefined): string => {
  if (needed === undefined) return '';
  const when = needed === true ? '' : ` to change ${needed.map((field) => `\`${field}\``).join(' or ')}`;
  return `Requires a sign-in or \`POST /auth/confirm\` within the last ${FRESH_MINUTES} minutes${when}.`;
};
