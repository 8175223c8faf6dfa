/** The state of an owner's account, and how it is kept as a snapshot. */
import { type Static, Type } from '@sinclair/typebox';
import { snapshot } from '../core/decider.ts';
import { ImmutableMap } from '../core/immutableMap.ts';
import { PackedIds, RecentIds } from '../core/recentIds.ts';
import { Minor, OneOf, Uuid } from '../core/schema.ts';
import { Entry } from './ledger.ts';

export const Payout = Type.Object({ payoutId: Uuid, ownerId: Uuid, amountMinor: Minor, ...Entry });

/** `requestedBy`: the admin who asked for it; absent before that was recorded. */
export const RequestedPayout = Type.Composite([Payout, Type.Object({ requestedBy: Type.Optional(Uuid) })]);

export const payoutStatuses = ['requested', 'paid', 'failed'] as const;
export type PayoutStatus = (typeof payoutStatuses)[number];

/** `told`: the bank's reference once it is paid, or why it failed. */
const KnownPayout = Type.Composite([
  RequestedPayout,
  Type.Object({ status: OneOf(payoutStatuses), told: Type.Optional(Type.String()) }),
]);

export interface OwnerAccount {
  /** The available balance without what is reserved for refunds; negative when the owner owes money. */
  readonly availableMinor: number;
  /** Reserved for refunds that are under way, by refund. */
  readonly reserved: ImmutableMap<number>;
  /** Events that it knows of. */
  readonly causes: RecentIds;
  readonly payouts: ImmutableMap<Static<typeof KnownPayout>>;
}

const Packed = Type.Object({
  availableMinor: Type.Integer(),
  reserved: Type.Record(Type.String(), Type.Integer()),
  causes: PackedIds,
  payouts: Type.Array(KnownPayout),
});

const pack = ({ availableMinor, reserved, causes, payouts }: OwnerAccount): Static<typeof Packed> => ({
  availableMinor,
  reserved: Object.fromEntries(reserved),
  causes: causes.pack(),
  payouts: [...payouts].map(([, payout]) => payout),
});

const unpack = ({ availableMinor, reserved, causes, payouts }: Static<typeof Packed>): OwnerAccount => ({
  availableMinor,
  reserved: ImmutableMap.from(Object.entries(reserved)),
  causes: RecentIds.unpack(causes),
  payouts: ImmutableMap.from(payouts.map((payout) => [payout.payoutId, payout])),
});

export const ownerAccountSnapshot = snapshot({ version: 2, packed: Packed, pack, unpack });
