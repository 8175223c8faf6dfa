/** Health, OpenAPI document and documentation page. Metrics have a port of their own (`ops/probe.ts`). */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { rateKeyOf } from '../../infra/network.ts';
import { type Service, services } from './access.ts';
import type { App } from './app.ts';
import type { Run } from './endpoint.ts';
import { HttpError } from './errors.ts';
import { openApi } from './openapi.ts';
import type { RateLimits } from './rateLimits.ts';
import type { Route } from './route.ts';
import type { Routing } from './routing.ts';
import { OF_DOCUMENTS } from './securityHeaders.ts';

const DOCS_PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Resort booking platform API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script></body></html>`;
const DOCS_START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', deepLinking: true, tryItOutEnabled: true });`;
const DOCS_ASSETS: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css',
  'swagger-ui-bundle.js': 'text/javascript',
};
const assets = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** However often it is asked for, the health of the stores is asked once at a time, and is this old at most. */
const HEALTH_FOR_MS = 250;
export const cached = (ask: App['health']): App['health'] => {
  let answer: ReturnType<App['health']> | undefined;
  const forget = () => {
    answer = undefined;
  };
  return () => {
    answer ??= ask().finally(() => setTimeout(forget, HEALTH_FOR_MS).unref());
    return answer;
  };
};

export const mountDocuments = (routing: Routing<Run>, app: App, routes: readonly Route[], limits: RateLimits): void => {
  const { version } = app.http;
  const get = (address: string, run: Run) => routing.mount(address, 'GET', run);
  const limited =
    (run: Run): Run =>
    (ctx, params) => {
      ctx.set('content-security-policy', OF_DOCUMENTS);
      limits.count([{ policy: 'documents', to: rateKeyOf(ctx.ip) }], (name, value) => ctx.set(name, value));
      return run(ctx, params);
    };
  const ask = cached(app.health);
  const health = (service: Service): Run => {
    const text = { ok: '', unavailable: '' };
    for (const status of ['ok', 'unavailable'] as const) text[status] = JSON.stringify({ service, version, status });
    return async (ctx) => {
      ctx.state.service = service;
      const status = await ask();
      const faults = app.remarks?.() ?? [];
      const isDegraded = status === 'ok' && faults.length > 0;
      ctx.status = status === 'ok' ? 200 : 503;
      ctx.res.setHeader('cache-control', 'no-store');
      ctx.res.setHeader('content-type', 'application/json; charset=utf-8');
      ctx.body = isDegraded ? JSON.stringify({ service, version, status: 'degraded', faults }) : text[status];
    };
  };
  for (const path of ['/health', '/ready']) get(path, health('platform'));
  for (const service of services) get(`/api/v1/${service}/health`, health(service));

  let document: string | undefined;
  get(
    '/openapi.json',
    limited((ctx) => {
      document ??= JSON.stringify(openApi(routes, version));
      ctx.type = 'application/json';
      ctx.body = document;
    }),
  );
  get(
    '/docs',
    limited((ctx) => {
      ctx.type = 'html';
      ctx.body = DOCS_PAGE;
    }),
  );
  get(
    '/docs/:asset',
    limited(async (ctx, { asset = '' }) => {
      if (asset === 'start.js') {
        ctx.type = 'text/javascript';
        ctx.body = DOCS_START;
        return;
      }
      const type = Object.hasOwn(DOCS_ASSETS, asset) ? DOCS_ASSETS[asset] : undefined;
      if (!type) throw new HttpError('no_such_path', 'This document does not exist.');
      ctx.type = type;
      ctx.set('cache-control', 'public, max-age=86400');
      ctx.body = await readFile(path.join(assets, asset));
    }),
  );
};
