/** Deletes the pictures that reviews do not show any more. A review that was edited again may show one again. */
import type { Recorded } from '../../domain/core/decider.ts';
import type { EventOf } from '../../domain/modules.ts';
import { type PolicyHandler, policy } from '../core/policy.ts';
import { removeUnused } from '../files/attachFiles.ts';
import { reviewUse, usageOf } from './fileUses.ts';

const removeDropped: PolicyHandler<Recorded<EventOf<'ReviewEdited' | 'ReviewDeleted'>>> = async (
  { streamId: id, data },
  { deps, context },
) => removeUnused(deps, context, { ids: data.dropped, usage: usageOf(id) }, (attached) => reviewUse(deps, attached));

export const reviewPolicy = policy('reviews', { ReviewEdited: removeDropped, ReviewDeleted: removeDropped });
