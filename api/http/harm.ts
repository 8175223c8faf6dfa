/**
 * Which harm an operation can do in the hands of somebody who has stolen a token. Each harm asks for a fresh proof: the
 * session must have proved who it is lately, by signing in or by `POST /auth/confirm`. Nothing else decides it.
 */
import { Rejected } from '../../domain/core/decider.ts';
import { PROOF_TTL } from '../../infra/tokens.ts';
import type { Access } from './access.ts';
import type { Caller, User } from './caller.ts';

/** The harms, and what each one means. */
export const harms = {
  money: 'moves money, or changes prices, rates or bank accounts that money follows',
  rights: 'changes what somebody may do, or who may sign in',
  safety: 'misleads many people at once, or closes what they rely on',
  content: 'shows what is about others (their words, positions, addresses), or takes their words away',
  account: 'takes over, copies or ends the account of the caller',
} as const;
export type HarmKind = keyof typeof harms;

/**
 * A harm; or one that is done only by a body with one of these fields, or only by admins, who see more than others; or none, and why: what stops an operation for
 * admins, sellers or auditors from hurting anybody.
 */
export type Harm =
  | HarmKind
  | { readonly of: HarmKind; readonly fields: readonly string[] }
  | { readonly of: HarmKind; readonly by: 'admin' }
  | { readonly none: string };

/** Whoever may call these acts on what is their own. All other operations must say which harm they can do. */
type OfAnybody = 'public' | 'user' | 'emergency' | 'signed';
const ofAnybody: readonly Access[] = ['public', 'user', 'emergency', 'signed'] satisfies readonly OfAnybody[];
export const mustSayHarm = (access: Access): boolean => !ofAnybody.includes(access);
/** What a declaration with this access has to say. */
export type SaysHarm<A extends Access> = [A] extends [OfAnybody] ? { readonly harm?: Harm } : { readonly harm: Harm };
/** Of operations in many modules. */
export const SHOWS_FIGURES = { none: 'shows figures and ids, nothing that people wrote' } as const satisfies Harm;
/** Sellers change prices and rules many times a day. */
export const OFFERS = {
  none: 'offers of sellers: what is booked keeps its price, and a change can be changed back',
} as const satisfies Harm;

export const FRESH_MINUTES = PROOF_TTL / 60;

export const isFresh = ({ provedAt }: Pick<User, 'provedAt'>): boolean => provedAt > Date.now() - PROOF_TTL * 1_000;

/**
 * Whether somebody is an admin and has proved it lately. Operations for everybody that show admins more of others than
 * guests see ask this: without the proof, an admin sees what guests see.
 */
export const isProvenAdmin = (caller: Caller): boolean =>
  caller?.kind === 'user' && caller.role === 'admin' && isFresh(caller);

/** What asks for a proof; undefined: nothing. Without fields, every request does. */
export const provedFor = (
  harm: Harm | undefined,
): { readonly of: HarmKind; readonly fields?: readonly string[]; readonly by?: 'admin' } | undefined => {
  if (typeof harm === 'string') return { of: harm };
  return harm && 'of' in harm ? harm : undefined;
};

const hasOneOf = (fields: readonly string[], body: unknown): boolean =>
  typeof body === 'object' && body !== null && fields.some((field) => Object.hasOwn(body, field));

/**
 * Call it before the body is read, and again with the body. Other callers than users have no sessions: their secret is
 * the proof.
 * @throws Rejected `fresh_proof_required`
 */
export const requireFreshProof = (harm: Harm | undefined, caller: Caller, body?: unknown): void => {
  if (caller?.kind !== 'user' || isFresh(caller)) return;
  const proved = provedFor(harm);
  if (!proved || (proved.fields && !hasOneOf(proved.fields, body))) return;
  if (proved.by !== undefined && caller.role !== proved.by) return;
  throw new Rejected(
    'fresh_proof_required',
    'Confirm that it is you with POST /auth/confirm (password, or a code sent to your phone), or sign in again. Then repeat the request.',
  );
};

/** What the description of an operation says about the proof; empty when it needs none. */
export const freshProofNote = (harm: Harm | undefined): string => {
  const proved = provedFor(harm);
  if (!proved) return '';
  if (proved.by) return `Admins need a sign-in or \`POST /auth/confirm\` within the last ${FRESH_MINUTES} minutes.`;
  const when = proved.fields ? ` to change ${proved.fields.map((field) => `\`${field}\``).join(' or ')}` : '';
  return `Requires a sign-in or \`POST /auth/confirm\` within the last ${FRESH_MINUTES} minutes${when}.`;
};

/** In one cell of a table: `money`, `account: email, phone`, `content: by admins`, `none: …`; empty when nothing is declared. */
export const harmText = (harm: Harm | undefined): string => {
  if (harm === undefined || typeof harm === 'string') return harm ?? '';
  if ('none' in harm) return `none: ${harm.none}`;
  return `${harm.of}: ${'by' in harm ? `by ${harm.by}s` : harm.fields.join(', ')}`;
};
