/** Fields and replies that the products of the resort share. */
import { Type } from '@sinclair/typebox';
import type { Identified } from '../../commands/catalog/listings.ts';
import { listingStatuses, type OpenListing } from '../../domain/catalog/listing.ts';
import { Currency, OneOf } from '../../domain/core/schema.ts';
import { toSnake } from '../../infra/naming.ts';

/** An amount in major units, small enough to be exact in minor units of every currency. */
export const Amount = (maximum: number) => Type.Number({ exclusiveMinimum: 0, maximum });
export const Price = Amount(1e7);
export const fixed = {
  timezone: Type.String({ minLength: 1, maxLength: 64, description: 'IANA name. Dates are in this zone.' }),
  currency: Currency,
};
export const status = OneOf(listingStatuses, { description: 'A `closed` product is not listed and not sold.' });

/** The columns of a product after a change. */
export const columnsOf = <D extends object>({ ownerId, ...listing }: Identified<OpenListing<D>>) => toSnake(listing);

/** Revalidated on every use, so that an admin sees a change at once. */
export const cache = { maxAge: 0 };
