/** Why a flag is on or off for somebody. */
import { Type } from '@sinclair/typebox';
import { notFound } from '../../domain/core/decider.ts';
import { Nullable, OneOf, Uuid } from '../../domain/core/schema.ts';
import { evaluate, reasons } from '../../domain/flags/evaluate.ts';
import { explain } from '../../domain/flags/explain.ts';
import { Constraint, FlagKey, Parent, Strategy } from '../../domain/flags/flag.ts';
import { accountById } from '../../projections/accounts/accounts.ts';
import { flagRulesNow } from '../../projections/flags/rules.ts';
import { route } from '../http/route.ts';
import { appQuery, FlagState, nobodysContext, stateOf } from './flagContext.ts';

const Explanation = Type.Object(
  {
    ...FlagState.properties,
    reason: OneOf(reasons, { description: 'What decided.' }),
    detail: Type.String({ description: 'The same in words, with the strategy and the constraint.' }),
    parents: Type.Array(Type.Object({ parent: Parent, holds: Type.Boolean() })),
    strategies: Type.Array(
      Type.Object({
        strategy: Strategy,
        applies: Type.Boolean(),
        part: Nullable(Type.Integer({ description: 'The part of 100 of a rollout that the person is in.' })),
        missing_segments: Type.Array(Type.String()),
        constraints: Type.Array(
          Type.Object({
            constraint: Constraint,
            segment: Nullable(Uuid),
            value: Nullable(Type.String({ description: 'What the context has.' })),
            holds: Type.Boolean(),
          }),
        ),
      }),
      { description: 'Up to the one that applies.' },
    ),
  },
  { $id: 'FlagExplanation' },
);

const explained = route('GET /api/v1/admin/flags/:key/explain', {
  id: 'explainFlag',
  access: 'admin',
  harm: { none: 'shows rules, and ids of accounts' },
  summary: 'Explain why a flag is on or off for a user',
  description: 'The address and the session of the user are not known here; `session_id` stands for it.',
  params: Type.Object({ key: FlagKey }),
  query: Type.Object({ user_id: Uuid, session_id: Type.Optional(Uuid), ...appQuery }),
  reply: Explanation,
  errors: ['not_found'],
  handle: async ({ params: { key }, query: { user_id, session_id, ...properties }, context }, app) => {
    const [rules, account] = await Promise.all([flagRulesNow(app), accountById(app.db, user_id)]);
    if (!rules.flags.get(key)) throw notFound('flag');
    if (!account) throw notFound('user');
    const found = evaluate(rules, key, {
      ...nobodysContext(app, context.at),
      userId: user_id,
      role: account.toJSON().role,
      ...(session_id && { sessionId: session_id }),
      properties,
    });
    return {
      ...stateOf(found),
      reason: found.reason,
      detail: explain(found, rules),
      parents: [...found.parents],
      strategies: found.strategies.map(({ strategy, applies, part, missingSegments, constraints }) => ({
        strategy,
        applies,
        part,
        missing_segments: [...missingSegments],
        constraints: [...constraints],
      })),
    };
  },
});

export const explainRoutes = [explained];
