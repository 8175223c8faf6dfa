/** Opening, stopping and closing many lifts or slopes at once. */
import { Type } from '@sinclair/typebox';
import { type FacilityKind, overrideAll } from '../../commands/resort/facilities.ts';
import { Uuid } from '../../domain/core/schema.ts';
import type { ReadModel } from '../../projections/engine/readModel.ts';
import { resortChanges } from '../../projections/resort/changes.ts';
import type { App } from '../http/app.ts';
import type { Harm } from '../http/harm.ts';
import { type DeclaredRoute, route } from '../http/route.ts';
import { Operating, overrideOf } from './facilityBodies.ts';

interface Bulk<Details> {
  readonly kind: FacilityKind<Details>;
  readonly model: ReadModel;
  readonly harm: Harm;
  readonly allOf: (
    app: App,
    at: string,
  ) => Promise<readonly { readonly id: string; readonly retired_at: string | null }[]>;
}

const { status, until, reason } = Operating;
/** A mountain has hundreds of slopes. */
const MOST_IDS = 500;

export const bulkRoute = <Details>({ kind, model, harm, allOf }: Bulk<Details>): DeclaredRoute => {
  const plural = `${kind.noun}s` as const;
  return route(`POST /api/v1/resort/${plural}/status`, {
    id: kind.noun === 'lift' ? 'setLiftStatuses' : 'setSlopeStatuses',
    access: 'admin',
    harm,
    summary: `Open, stop or close many ${plural}`,
    description: `All ${plural}, or those that \`ids\` names: for example all of them for wind. \`auto\` gives them back to their schedules. Opened without \`until\`, each follows its schedule again when it closes next, at the latest at midnight of the resort. Each ${kind.noun} is changed on its own; repeating the request completes one that was interrupted.`,
    body: Type.Object({
      status: Type.Required(Type.Object({ status })).properties.status,
      until,
      reason,
      ids: Type.Optional(Type.Array(Uuid, { minItems: 1, maxItems: MOST_IDS, uniqueItems: true })),
    }),
    reply: Type.Object({ changed: Type.Array(Uuid, { description: `The ${plural} that have changed.` }) }),
    errors: ['not_found', 'invalid'],
    projections: [model, resortChanges],
    handle: async ({ body: { ids, ...body }, context }, app) => {
      const chosen =
        ids ?? (await allOf(app, context.at)).filter(({ retired_at }) => retired_at === null).map(({ id }) => id);
      return { changed: await overrideAll(app, context, kind, chosen, overrideOf(body) ?? null) };
    },
  });
};
