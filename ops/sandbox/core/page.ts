/** The look of the sandbox's pages. */
import { type Html, html, htmlText, styleSheet } from '../../../infra/html.ts';

const { style, source } = styleSheet(`
:root { color-scheme: light dark; --ground: #eef2f6; --sheet: #fff; --ink: #16212e; --quiet: #5a6b7d; --line: #d5dde6;
  --accent: #0b63ce; --on-accent: #fff; --bad: #b3261e; --good: #19703d; --mark: #ffcf33; }
@media (prefers-color-scheme: dark) { :root { --ground: #10161d; --sheet: #1a232d; --ink: #eaf0f6; --quiet: #9fb0c1;
  --line: #334252; --accent: #7db4ff; --on-accent: #0b1726; --bad: #ff9d94; --good: #7ed9a0; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
.mark { padding: .7rem 1rem; text-align: center; font-weight: 700; color: #16212e;
  background: repeating-linear-gradient(-45deg, var(--mark) 0 1rem, #ffda66 1rem 2rem); }
.mark strong { display: block; font-size: 1.5rem; letter-spacing: .35em; line-height: 1.3; }
main { max-width: 27rem; margin: 2rem auto; padding: 0 1rem; }
main.wide { max-width: 60rem; }
.sheet { background: var(--sheet); border: 1px solid var(--line); border-radius: 1rem; padding: 1.75rem;
  box-shadow: 0 1px 2px #0001, 0 12px 32px #0000000f; margin-bottom: 1.5rem; overflow-x: auto; }
h1 { font-size: 1rem; font-weight: 600; color: var(--quiet); margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 1.25rem 0 .5rem; }
h1:first-child, h2:first-child { margin-top: 0; }
.amount { font-size: 2.4rem; font-weight: 700; letter-spacing: -.02em; line-height: 1.2; margin: .25rem 0 .5rem;
  font-variant-numeric: tabular-nums; }
.quiet { color: var(--quiet); font-size: .9rem; }
p { margin: .5rem 0; overflow-wrap: anywhere; }
form { margin-top: 1.25rem; }
label { display: block; font-weight: 600; font-size: .9rem; margin-bottom: 1rem; }
input { display: block; width: 100%; margin-top: .3rem; padding: .7rem .8rem; font: inherit; font-weight: 400; color: inherit;
  font-variant-numeric: tabular-nums; background: transparent; border: 1px solid var(--line); border-radius: .6rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; }
button, .button { display: block; width: 100%; padding: .85rem 1rem; margin-top: .75rem; font: inherit; font-weight: 600;
  text-align: center; text-decoration: none; cursor: pointer; border-radius: .6rem; border: 1px solid var(--accent);
  background: var(--accent); color: var(--on-accent); }
button.second { background: transparent; color: var(--accent); border-color: var(--line); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
[role=alert] { color: var(--bad); font-weight: 600; }
.good { color: var(--good); } .bad { color: var(--bad); }
.status { font-size: 1.25rem; font-weight: 700; }
details { margin-top: 1.25rem; } summary { cursor: pointer; color: var(--quiet); font-size: .9rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
iframe.mail { width: 100%; height: 26rem; border: 1px solid var(--line); border-radius: .6rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: .9rem/1.5 ui-monospace, monospace; }
code { font: .9em ui-monospace, monospace; white-space: nowrap; }
a { color: var(--accent); }
`);

/**
 * Content security policy of a page: its own style, and forms to this server. Browsers apply the list of form targets
 * to redirects as well.
 */
export const contentSecurityPolicy = (...redirectsTo: readonly string[]): string =>
  [
    "default-src 'none'",
    `style-src ${source}`,
    ['form-action', "'self'", ...new Set(redirectsTo.map(sourceOf))].join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

/** An app's own URL scheme has no origin: then the scheme itself is allowed. */
const sourceOf = (url: string): string => {
  const { origin, protocol } = new URL(url);
  return origin === 'null' ? protocol : origin;
};

/** A complete document that loads nothing from other servers. */
export const page = (title: string, body: Html, width: 'narrow' | 'wide' = 'narrow'): string =>
  htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
${style}
</head>
<body>
<header class="mark"><strong>SANDBOX</strong>No real money moves here.</header>
<main${width === 'wide' && html` class="wide"`}>
${body}
</main>
</body>
</html>
`);
