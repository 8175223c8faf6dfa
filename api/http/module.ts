/** What a module contributes to the HTTP API. `api/modules.ts` lists the modules; everything else follows from this. */
import type { Service } from './access.ts';
import type { ErrorMapping } from './errors.ts';
import type { DeclaredRoute, Route } from './route.ts';

/** The manifest of a module: `api/<module>/index.ts`. */
export interface ApiModule {
  /** The service that answers the routes of this module: the `x-service` header. */
  readonly service: Service;
  readonly routes: readonly DeclaredRoute[];
  /** How errors that only this module throws are answered. */
  readonly errors?: ErrorMapping;
}

/** All routes of the modules, each with the service of its module. */
export const routesOf = (modules: readonly ApiModule[]): Route[] =>
  modules.flatMap(({ service, routes }) => routes.map((route) => ({ ...route, service })));
