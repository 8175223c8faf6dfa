/** Runs the operation of a request with an `Idempotency-Key`: what it answers, refusals too, is kept for a repeat. */
import { derivedId } from '../../infra/ids.ts';
import type { App } from './app.ts';
import { actorOf } from './authenticate.ts';
import type { Caller } from './caller.ts';
import type { Answered } from './errors.ts';
import { type Answer, type KeyedRequest, once, type Worked } from './idempotency.ts';

/** Refusals after which the same request can succeed: they are not kept under its key. */
const canPass = ({ status, code }: Answered['problem']): boolean =>
  status >= 500 || status === 429 || status === 408 || code === 'fresh_proof_required';

/** @param problemOf how an error is answered */
export const runOnce = async (
  app: App,
  caller: Caller,
  asked: Omit<KeyedRequest, 'caller' | 'person'>,
  problemOf: (error: unknown) => Answered['problem'],
  run: (commandId: string) => Promise<Worked>,
): Promise<Answer & { readonly replayed: boolean }> => {
  const who = actorOf(caller).id;
  const person = caller?.kind === 'user' ? caller.id : derivedId('caller', who);
  return once(app, { caller: who, person, ...asked }, (commandId) =>
    run(commandId).catch((error: unknown): Worked => {
      const problem = problemOf(error);
      if (canPass(problem) || asked.digest) throw error; // a form that is refused may have arrived damaged
      return { status: problem.status, reply: problem, position: null, etag: null };
    }),
  );
};
