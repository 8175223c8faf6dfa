/**
 * Finds the operation of a request. One router would try the expression of every address in turn, which takes longer than
 * most answers. So there is one for all addresses of as many segments that begin alike: on average it has three.
 */
import Router, { type RouterMiddleware } from '@koa/router';

export interface Routing<State> {
  /** Mounts what answers an address. Among addresses that fit the same path, the one that was mounted first answers. */
  mount(address: string, method: string, ...run: RouterMiddleware<State>[]): void;
  /** Answers a request, or calls `next` for one that fits no address; `ctx.matched` has what fits with other methods. */
  readonly dispatch: RouterMiddleware<State>;
}

/** Of a path: how many segments it has, and the first one that says what it is about. No parameter spans segments. */
const keyOf = (path: string): string => {
  const segments = path.toLowerCase().split('/');
  if (segments.length > 2 && segments.at(-1) === '') segments.pop();
  const subject = segments[1] === 'api' && segments.length > 3 ? 3 : 1;
  return `${segments.length} ${segments[subject]}`;
};

export const createRouting = <State>(): Routing<State> => {
  const routers = new Map<string, { readonly router: Router<State>; readonly dispatch: RouterMiddleware<State> }>();
  const open = (key: string) => {
    const router = new Router<State>();
    const entry = { router, dispatch: router.routes() as RouterMiddleware<State> };
    routers.set(key, entry);
    return entry;
  };
  return {
    mount: (address, method, ...run) => {
      const key = keyOf(address);
      if (key.includes(':')) throw new Error(`${address} begins with a parameter: no path could be found by it`);
      (routers.get(key) ?? open(key)).router.register(address, [method], run);
    },
    dispatch: (ctx, next) => routers.get(keyOf(ctx.path))?.dispatch(ctx, next) ?? next(),
  };
};
