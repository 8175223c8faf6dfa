/** Small pages for people who come from an e-mail, without scripts and without anything that is loaded. */
import type { Context } from 'koa';
import { type Html, html, htmlText, styleSheet } from '../../infra/html.ts';
import { StreamOf, StreamReply } from '../http/streamed.ts';

const { style, source } = styleSheet(
  'body{font:17px/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem;color-scheme:light dark}button{font:inherit;padding:.5rem 1.25rem}',
);
const POLICY = `default-src 'none'; style-src ${source}; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The schema of a reply that is a page. */
export const PageReply = StreamOf('text/html');

export class Page extends StreamReply {
  readonly #title: string;
  readonly #body: Html;
  constructor(title: string, body: Html) {
    super();
    this.#title = title;
    this.#body = body;
  }

  override send(ctx: Context): void {
    ctx.status = 200;
    ctx.type = 'html';
    ctx.set('cache-control', 'no-store');
    ctx.set('content-security-policy', POLICY);
    ctx.body = htmlText(html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">
<title>${this.#title}</title>${style}</head><body><h1>${this.#title}</h1>${this.#body}</body></html>
`);
  }
}
