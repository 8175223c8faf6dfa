/** What a module contributes to the HTTP API. `api/modules.ts` lists the modules; everything else follows from this. */
import type { Service } from './access.ts';
import type { App } from './app.ts';
import type { AppModule, OpenedModule } from './appModule.ts';
import type { Caller } from './caller.ts';
import type { ErrorMapping } from './errors.ts';
import type { DeclaredRoute, Route } from './route.ts';
import { onlyShown } from './takenBack.ts';

/** Refuses a caller for whom a part of the product is closed. @throws Rejected `module_closed` */
export type Guard = (
  app: App,
  module: AppModule,
  who: { readonly caller: Caller; readonly ip: string },
) => Promise<void>;

/** The manifest of a module: `api/<module>/index.ts`. */
export interface ApiModule {
  /** The service that answers the routes of this module: the `x-service` header. */
  readonly service: Service;
  readonly routes: readonly DeclaredRoute[];
  /** The part of the product that its operations are; undefined: one that is always there, such as signing in. */
  readonly opens?: AppModule;
  /** How errors that only this module throws are answered. */
  readonly errors?: ErrorMapping;
  /** Begins what each process of the API keeps in memory for this module. */
  readonly start?: (app: App & { readonly databaseUrl: string }) => Promise<{ stop(): Promise<void> }>;
  /** Adds to the operations of all modules, by what they declare, such as which things of a reply can be favourites. */
  readonly extend?: (route: DeclaredRoute) => DeclaredRoute;
  /** Is asked before every operation of a person that belongs to a part of the product. */
  readonly guard?: Guard;
}

/** All routes of the modules, each with the service of its module. */
export const routesOf = (modules: readonly ApiModule[]): Route[] => {
  const extensions = modules.flatMap(({ extend = [] }) => extend);
  const extended = (route: DeclaredRoute) => extensions.reduce((each, extend) => extend(each), route);
  const routes = modules.flatMap(({ service, routes: declared, opens }) =>
    declared.map((route) => ({ ...extended(route), service, ...(opens && { module: opens }) })),
  );
  const shownAt = new Map(routes.filter(({ method }) => method === 'GET').map(({ path, spec }) => [path, spec.reply]));
  return routes.map((route) => {
    const shown = route.method === 'PUT' ? shownAt.get(route.path) : undefined;
    return shown ? { ...route, spec: { ...route.spec, ignored: onlyShown(shown, route.spec.body) } } : route;
  });
};

/** The parts of the product, in the order of the modules. */
export const openedBy = (modules: readonly ApiModule[]): OpenedModule[] =>
  modules.flatMap(({ opens, routes }) =>
    opens ? [{ ...opens, accesses: new Set(routes.map(({ access }) => access)) }] : [],
  );
