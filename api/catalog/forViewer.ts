/**
 * What replies show of listings to people who are signed in, beside what everybody sees. The stored forms of listings
 * are the same for all, so this is put in when they are sent, read once for a whole list. A module above registers it
 * (`catalogWith`).
 */
import { type TObject, type TProperties, Type } from '@sinclair/typebox';
import { type JsonText, withFields } from '../../infra/jsonText.ts';
import type { ReadDb } from '../../projections/engine/readDb.ts';
import type { User } from '../http/caller.ts';

export interface ForViewer {
  /** Optional fields: those who are not signed in do not get them. */
  readonly fields: TProperties;
  /** The fields of each of these listings, for this account. @param kind their category: `hotel` */
  read(db: ReadDb, viewerId: string, kind: string, ids: readonly string[]): Promise<(id: string) => object>;
}

/** A reply about a listing with the fields for the viewer. */
export const withViewerFields = <S extends TObject>(schema: S, { fields }: ForViewer): S => {
  const { properties, required: _, type: __, ...options } = schema;
  return Type.Object({ ...properties, ...fields }, options) as TObject as S;
};

/** Adds the fields for the viewer to listings that are shown as everybody sees them, in the same order. */
export const addForViewer = async <T extends object>(
  db: ReadDb,
  more: ForViewer,
  viewer: User | null,
  kind: string,
  listings: readonly { readonly id: string; readonly shown: JsonText<T> }[],
): Promise<JsonText<T>[]> => {
  if (!viewer) return listings.map(({ shown }) => shown);
  const ids = listings.map(({ id }) => id);
  const fieldsOf = await more.read(db, viewer.id, kind, ids);
  return listings.map(({ id, shown }) => withFields(shown, fieldsOf(id)));
};
