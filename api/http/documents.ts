/** Health, OpenAPI document and documentation page. Metrics have a port of their own (`ops/probe.ts`). */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { rateKeyOf } from '../../infra/network.ts';
import { services } from './access.ts';
import type { App } from './app.ts';
import { HttpError } from './errors.ts';
import { openApi } from './openapi.ts';
import type { RateLimits } from './rateLimits.ts';
import type { Route } from './route.ts';
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

/** The stores are asked at most once a second, however often the health is. */
const HEALTH_FOR_MS = 1_000;
const cached = (ask: App['health']): App['health'] => {
  let answer: ReturnType<App['health']> | undefined;
  let askedAt = 0;
  return () => {
    const now = performance.now();
    if (answer && now - askedAt < HEALTH_FOR_MS) return answer;
    askedAt = now;
    answer = ask();
    return answer;
  };
};

export const mountDocuments = (router: Router, app: App, routes: readonly Route[], limits: RateLimits): void => {
  const { version } = app.http;
  const limited: Middleware = (ctx, next) => {
    ctx.set('content-security-policy', OF_DOCUMENTS);
    limits.count([{ policy: 'documents', to: rateKeyOf(ctx.ip) }], (name, value) => ctx.set(name, value));
    return next();
  };
  const ask = cached(app.health);
  const health = (service: string) => async (ctx: Context) => {
    ctx.state.service = service;
    const status = await ask();
    ctx.status = status === 'ok' ? 200 : 503;
    ctx.set('cache-control', 'no-store');
    ctx.body = { service, version, status };
  };
  router.get('/health', health('platform'));
  for (const service of services) router.get(`/api/v1/${service}/health`, health(service));

  let document: string | undefined;
  router.get('/openapi.json', limited, (ctx) => {
    document ??= JSON.stringify(openApi(routes, version));
    ctx.type = 'application/json';
    ctx.body = document;
  });
  router.get('/docs', limited, (ctx) => {
    ctx.type = 'html';
    ctx.body = DOCS_PAGE;
  });
  router.get('/docs/:asset', limited, async (ctx) => {
    const asset = ctx.params.asset ?? '';
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
  });
};
