/** The roles of accounts. */
import type { Static } from '@sinclair/typebox';
import { OneOf } from '../core/schema.ts';

/** Roles that sell at the resort. */
export const sellerRoles = ['hotelier', 'tour_operator', 'transfer_provider', 'instructor', 'restaurant'] as const;
export const roles = ['tourist', ...sellerRoles, 'admin'] as const;
export const Role = OneOf(roles);
export type Role = Static<typeof Role>;

export const isSeller = (role: Role): boolean => role !== 'tourist' && role !== 'admin';

/** Role names that clients may send: `restaurateur` is an alias of `restaurant`. */
export const RoleName = OneOf([...roles, 'restaurateur'] as const);
export const SellerRoleName = OneOf([...sellerRoles, 'restaurateur'] as const);
export const roleNamed = <R extends Role>(name: R | 'restaurateur'): R | 'restaurant' =>
  name === 'restaurateur' ? 'restaurant' : name;
