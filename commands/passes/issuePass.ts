/** Issues the code of a pass: to a phone, or to be printed. */
import { addDays, instantIn } from '../../domain/core/dates.ts';
import { notFound, Rejected } from '../../domain/core/decider.ts';
import { kindOf } from '../../domain/files/folders.ts';
import { validUntil } from '../../domain/passes/admission.ts';
import type { ClosedDate } from '../../domain/passes/closures.ts';
import { pass } from '../../domain/passes/pass.ts';
import { type CommandContext, followUp } from '../core/handle.ts';
import { removeUnused, withFiles } from '../files/attachFiles.ts';
import type { FileUse } from '../files/fileUses.ts';
import { loadPurchase } from '../purchases/purchases.ts';
import { closedDates } from './closures.ts';
import { signCode } from './codes.ts';
import type { PassDeps } from './deps.ts';
import { divide, loadPass, type PassOf } from './dividePurchase.ts';

export interface Issue {
  readonly purchaseId: string;
  /** Of the passes of the purchase, from 1. */
  readonly number: number;
  /** The Ed25519 public key of the phone, 32 bytes in base64url; null: a printed code. */
  readonly deviceKey: string | null;
  /** The code with this serial was lost: it is replaced. */
  readonly replaces?: number;
  /** Absent: no change. */
  readonly holder?: { readonly name: string | null; readonly photoId: string | null };
}

export interface IssuedPass extends PassOf {
  /** The signed code, without a time code. */
  readonly code: string;
  readonly closed: readonly ClosedDate[];
}

type Deps = Pick<PassDeps, 'aggregates' | 'passKeys'>;

const usageOf = (passId: string) => ({ kind: 'pass', id: passId });

/** Whether the pass shows the file. */
export const passUse: FileUse<Pick<Deps, 'aggregates'>> = async ({ aggregates }, { id, fileId }) => {
  const { state } = await aggregates.load(pass, id);
  return state.status === 'open' && state.photoId === fileId;
};

const codeFor = ({ passKeys }: Deps, { passId, pass: of }: PassOf, closed: readonly ClosedDate[]): string => {
  const { serial, areas, ageGroup, unit, count, deviceKey, timezone } = of;
  const until = instantIn(timezone, addDays(validUntil(of, closed), 1), '00:00');
  return signCode(passKeys, { passId, serial, from: of.startsAt, until, areas, ageGroup, unit, count, deviceKey });
};

/**
 * Attaches a new photo to the pass before a command that may be refused. Then the photo is detached again.
 * @throws Rejected `not_found`, `conflict`, `invalid` for a photo that is none, and what `work` throws
 */
const withPhoto = async (
  deps: Deps,
  context: CommandContext,
  { passId, pass: before }: PassOf,
  photoId: string | null,
  work: () => Promise<unknown>,
): Promise<void> => {
  const ids = photoId !== null && photoId !== before.photoId ? [photoId] : [];
  const attaching = { ids, ownerId: before.userId, folder: 'documents', usage: usageOf(passId) } as const;
  await withFiles(deps, context, attaching, async (photos) => {
    if (photos.some(({ mime }) => kindOf(mime) !== 'image'))
      throw new Rejected('invalid', 'The photo must be a picture.', { fields: ['holder/photo_id'] });
    await work();
  });
};

/** The new photo is attached. The one before is deleted. */
const changeHolder = async (
  deps: Deps,
  context: CommandContext,
  { passId, pass: before }: PassOf,
  { name: holderName, photoId }: NonNullable<Issue['holder']>,
): Promise<void> => {
  const command = { type: 'ChangeHolder', holderName, photoId } as const;
  await deps.aggregates.handle(pass, passId, command, followUp(context, 'holder'));
  const removed = before.photoId !== null && before.photoId !== photoId ? [before.photoId] : [];
  const using = { ids: removed, usage: usageOf(passId) };
  await removeUnused(deps, context, using, (attached) => passUse(deps, attached));
};

/**
 * Issues a pass of a paid purchase of the actor. The same phone gets the same code again, with the dates as they are
 * now; another phone gets a new one, and the code before opens no gate any more. A refused request leaves the code as it is.
 * @throws Rejected `not_found`; `invalid` for a wrong key or photo, `conflict` for a photo that is used elsewhere;
 * `invalid_transition` unless it is paid and not given back
 */
export const issuePass = async (deps: Deps, context: CommandContext, request: Issue): Promise<IssuedPass> => {
  const { purchaseId, number, deviceKey, replaces, holder } = request;
  const purchase = await loadPurchase(deps, purchaseId);
  if (purchase.userId !== context.actor.id || purchase.serviceType !== 'ski_pass')
    throw notFound('purchase of ski passes');
  const { status } = purchase;
  if (status !== 'paid')
    throw new Rejected('invalid_transition', `Passes are issued while the purchase is paid. It is ${status}.`, {
      status,
    });
  const found = (await divide(deps, context, purchaseId, purchase))[number - 1];
  if (!found) throw new Rejected('not_found', `This purchase has ${purchase.quantity} passes.`);
  const { passId } = found;
  const { at } = context;
  const command = { type: 'IssuePass', deviceKey, at, ...(replaces !== undefined && { replaces }) } as const;
  const issue = () => deps.aggregates.handle(pass, passId, command, followUp(context, 'issue'));
  await withPhoto(deps, context, found, holder?.photoId ?? null, issue);
  if (holder) await changeHolder(deps, context, found, holder);
  const issued = await loadPass(deps, passId);
  const closed = await closedDates(deps);
  return { ...issued, code: codeFor(deps, issued, closed), closed };
};
