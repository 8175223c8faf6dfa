/** What the products of the resort have in common on the wire. */
import { Type } from '@sinclair/typebox';
import type { Identified } from '../../commands/catalog/hotels.ts';
import { listingStatuses, type OpenListing } from '../../domain/catalog/listing.ts';
import { Currency, OneOf } from '../../domain/core/schema.ts';
import { toSnake } from '../../infra/naming.ts';

/** Major units: whatever the currency, its minor units are then exact. */
export const Amount = (maximum: number) => Type.Number({ exclusiveMinimum: 0, maximum });
export const Price = Amount(1e7);
export const fixed = {
  timezone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA; dates are days in it' }),
  currency: Currency,
};
export const status = OneOf(listingStatuses, { description: '`closed`: not listed, not sold' });

/** Just after an admin has changed it. */
export const columnsOf = <D extends object>({ ownerId, ...listing }: Identified<OpenListing<D>>) => toSnake(listing);

/** Always asked again, cheaply: what somebody has just changed must show. */
export const cache = { maxAge: 0 };
