/** What goes from the rows of listings when their owner is erased: all that is sealed in their events. */
import type { TObject } from '@sinclair/typebox';
import { catalogPurpose } from '../../domain/catalog/index.ts';
import { fieldsIn } from '../../eventstore/personalPaths.ts';

/** The personal data of rows with these columns, which belong to their `owner_id`. */
export const personalOfOwner = (columns: TObject) => {
  const fields = fieldsIn(columns);
  const paths = (areTexts: boolean) => [
    ...new Set(fields.filter(({ isText }) => isText === areTexts).map(({ path }) => path.join('.'))),
  ];
  return {
    whose: 'owner_id',
    texts: paths(true),
    values: paths(false),
    why: catalogPurpose,
    retention: 'account',
  } as const;
};
