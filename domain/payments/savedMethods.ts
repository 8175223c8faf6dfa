/**
 * The saved payment methods of a person: cards and bank accounts whose tokens a payment provider issued, and
 * preferences without a token, which lead to the provider's page. There is one stream for each person, with the
 * person's id. Tokens and the provider's references are personal and secret: encrypted in the log, and shown to no
 * auditor.
 */
import { type Static, Type } from '@sinclair/typebox';
import { type Decider, type EventDeclarations, type EventsOf, notFound, Rejected } from '../core/decider.ts';
import { Nullable, Personal, textOrNull, Uuid } from '../core/schema.ts';
import { PaymentMethod } from './paymentEvents.ts';

const Secret = Nullable(Personal(Type.String({ minLength: 1 })));
const MethodId = Type.Object({ methodId: Uuid });

const savedMethodsEvents = {
  /**
   * `referenceSecret`: the provider's id of the saved method. Null, as is `provider`, for a preference that only we
   * store.
   */
  PaymentMethodRequested: {
    data: Type.Object({
      methodId: Uuid,
      method: PaymentMethod,
      provider: Nullable(Type.String()),
      referenceSecret: Secret,
    }),
    person: 'stream',
  },
  /** `tokenSecret`: what payments name; null for a preference. `exp` is `MM/YY`. Cards are never known but masked. */
  PaymentMethodActivated: {
    data: Type.Object({
      methodId: Uuid,
      tokenSecret: Secret,
      brand: Nullable(Type.String()),
      last4: Nullable(Personal(Type.String())),
      exp: Nullable(Personal(Type.String())),
    }),
    person: 'stream',
  },
  PaymentMethodFailed: { data: Type.Object({ methodId: Uuid, code: Nullable(Type.String()) }) },
  DefaultPaymentMethodChanged: { data: Type.Object({ methodId: Uuid, former: Nullable(Uuid) }) },
  /** The method cannot be charged from now on, even while the provider still knows it. */
  PaymentMethodRemoved: { data: MethodId },
  /** The provider has deleted the method, so that its token is no longer needed. */
  PaymentMethodForgotten: { data: MethodId },
} as const satisfies EventDeclarations;
export type SavedMethodsEvent = EventsOf<typeof savedMethodsEvents>;

/** What the person sees of the method. */
export const methodStatuses = ['requires_action', 'active', 'failed'] as const;
export type MethodStatus = (typeof methodStatuses)[number];

type Requested = Readonly<Static<typeof savedMethodsEvents.PaymentMethodRequested.data>>;
type Activated = Readonly<Static<typeof savedMethodsEvents.PaymentMethodActivated.data>>;

export interface SavedMethod extends Requested, Activated {
  /** `removed` until the provider has confirmed the deletion, then `forgotten`. */
  readonly status: MethodStatus | 'removed' | 'forgotten';
  /** Why it was not saved, in the provider's short code. */
  readonly failureCode: string | null;
}

export interface SavedMethods {
  /** In the order in which they were added. */
  readonly methods: readonly SavedMethod[];
  /** The default among the active methods; set as soon as any is active. */
  readonly defaultId: string | null;
}

export type SavedMethodsCommand =
  | ({ readonly type: 'RequestMethod' } & Requested)
  /** Saves a method without a token. Nothing happens when there is one of its kind. */
  | { readonly type: 'PreferMethod'; readonly methodId: string; readonly method: Requested['method'] }
  | ({ readonly type: 'ActivateMethod' } & Activated)
  | { readonly type: 'FailMethod'; readonly methodId: string; readonly code: string | null }
  | { readonly type: 'SetDefault'; readonly methodId: string }
  | { readonly type: 'RemoveMethod'; readonly methodId: string }
  | { readonly type: 'ForgetMethod'; readonly methodId: string };

/** Most methods that a person keeps, those waiting to be confirmed included. */
export const MAX_METHODS = 20;

/** @throws Rejected `conflict` when no further method may be added */
export const assertRoom = ({ methods }: SavedMethods): void => {
  const kept = methods.filter(({ status }) => status === 'active' || status === 'requires_action');
  if (kept.length >= MAX_METHODS)
    throw new Rejected('conflict', `At most ${MAX_METHODS} payment methods can be saved. Remove one first.`);
};

const find = (state: SavedMethods, methodId: string): SavedMethod | undefined =>
  state.methods.find((method) => method.methodId === methodId);

export const isKnown = (state: SavedMethods, methodId: string): boolean => find(state, methodId) !== undefined;

/** A method, whatever its status. @throws Rejected `not_found` */
export const recordOf = (state: SavedMethods, methodId: string): SavedMethod => {
  const found = find(state, methodId);
  if (!found) throw notFound('payment method');
  return found;
};

const isGone = ({ status }: SavedMethod): boolean => status === 'removed' || status === 'forgotten';

/** @throws Rejected `not_found`, also for one that was removed */
export const methodOf = (state: SavedMethods, methodId: string): SavedMethod & { readonly status: MethodStatus } => {
  const { status, ...found } = recordOf(state, methodId);
  if (status === 'removed' || status === 'forgotten')
    throw new Rejected('not_found', 'This payment method was removed.');
  return { ...found, status };
};

/** The preference of a kind, if there is one. */
export const preferenceOf = ({ methods }: SavedMethods, kind: Requested['method']): SavedMethod | undefined =>
  methods.find(({ method, status, provider }) => method === kind && status === 'active' && provider === null);

const decide = (command: SavedMethodsCommand, state: SavedMethods): SavedMethodsEvent[] => {
  switch (command.type) {
    case 'RequestMethod': {
      const { type, ...data } = command;
      if (find(state, data.methodId)) return [];
      assertRoom(state);
      return [{ type: 'PaymentMethodRequested', data }];
    }
    case 'PreferMethod':
      return prefer(command, state);
    case 'ActivateMethod': {
      const { type, ...data } = command;
      return recordOf(state, data.methodId).status === 'requires_action' ? activated(data, state) : [];
    }
    case 'FailMethod': {
      const { type, ...data } = command;
      if (recordOf(state, data.methodId).status !== 'requires_action') return [];
      return [{ type: 'PaymentMethodFailed', data }];
    }
    case 'SetDefault': {
      const { methodId } = command;
      if (methodOf(state, methodId).status !== 'active')
        throw new Rejected('invalid_transition', 'Only an active payment method can be the default.');
      return methodId === state.defaultId ? [] : [defaultChanged(methodId, state)];
    }
    case 'RemoveMethod':
      return remove(command.methodId, state);
    case 'ForgetMethod': {
      const { methodId } = command;
      if (recordOf(state, methodId).status !== 'removed') return [];
      return [{ type: 'PaymentMethodForgotten', data: { methodId } }];
    }
  }
};

const prefer = (
  { methodId, method }: Extract<SavedMethodsCommand, { type: 'PreferMethod' }>,
  state: SavedMethods,
): SavedMethodsEvent[] => {
  if (find(state, methodId) || preferenceOf(state, method)) return [];
  assertRoom(state);
  const data = { methodId, method, provider: null, referenceSecret: null };
  const masked = { brand: null, last4: null, exp: null };
  return [{ type: 'PaymentMethodRequested', data }, ...activated({ methodId, tokenSecret: null, ...masked }, state)];
};

/** The first that is active becomes the default. */
const activated = (data: Activated, state: SavedMethods): SavedMethodsEvent[] => [
  { type: 'PaymentMethodActivated', data },
  ...(state.defaultId === null ? [defaultChanged(data.methodId, state)] : []),
];

const defaultChanged = (methodId: string, { defaultId: former }: SavedMethods): SavedMethodsEvent => ({
  type: 'DefaultPaymentMethodChanged',
  data: { methodId, former },
});

/** The newest other that is active takes over from the default. */
const remove = (methodId: string, state: SavedMethods): SavedMethodsEvent[] => {
  if (isGone(recordOf(state, methodId))) return [];
  const next = state.methods.findLast((other) => other.status === 'active' && other.methodId !== methodId);
  const passesOn = methodId === state.defaultId && next !== undefined;
  return [
    ...(passesOn ? [defaultChanged(next.methodId, state)] : []),
    { type: 'PaymentMethodRemoved', data: { methodId } },
  ];
};

const evolve = (state: SavedMethods, event: SavedMethodsEvent): SavedMethods => {
  const { methodId } = event.data;
  const changed = (change: Partial<SavedMethod>): SavedMethods => ({
    ...state,
    methods: state.methods.map((method) => (method.methodId === methodId ? { ...method, ...change } : method)),
  });
  switch (event.type) {
    case 'PaymentMethodRequested': {
      // The placeholder of an erased or unreadable secret must not be sent to a provider.
      const referenceSecret = textOrNull(event.data.referenceSecret);
      const added: SavedMethod = { ...unknown, ...event.data, referenceSecret, status: 'requires_action' };
      return { ...state, methods: [...state.methods, added] };
    }
    case 'PaymentMethodActivated':
      return changed({ ...event.data, tokenSecret: textOrNull(event.data.tokenSecret), status: 'active' });
    case 'PaymentMethodFailed':
      return changed({ ...noSecrets, status: 'failed', failureCode: event.data.code });
    case 'DefaultPaymentMethodChanged':
      return { ...state, defaultId: methodId };
    case 'PaymentMethodRemoved':
      return { ...changed({ status: 'removed' }), defaultId: state.defaultId === methodId ? null : state.defaultId };
    case 'PaymentMethodForgotten':
      return changed({ ...noSecrets, status: 'forgotten' });
  }
};

const noSecrets = { referenceSecret: null, tokenSecret: null } as const;
const unknown = { tokenSecret: null, brand: null, last4: null, exp: null, failureCode: null } as const;

export const savedMethods: Decider<SavedMethods, SavedMethodsCommand, SavedMethodsEvent> = {
  category: 'savedMethods',
  short: 'a person saves a method now and then',
  events: savedMethodsEvents,
  initial: { methods: [], defaultId: null },
  decide,
  evolve,
};
