/** HTML templates that prevent injection: every inserted value is escaped unless it is a template itself. */
import { createHash } from 'node:crypto';

const MARKUP = Symbol('markup');
export interface Html {
  readonly [MARKUP]: string;
}
type Value = Html | string | number | false | null | undefined | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeText = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

const render = (value: Value): string => {
  if (value === false || value === undefined || value === null) return '';
  if (typeof value === 'string' || typeof value === 'number') return escapeText(String(value));
  return Array.isArray(value) ? value.map(render).join('') : (value as Html)[MARKUP];
};

export const html = (strings: TemplateStringsArray, ...values: readonly Value[]): Html => ({
  [MARKUP]: strings.map((text, index) => text + render(values[index])).join(''),
});

/** The text of a template, to be sent. */
export const htmlText = (template: Html): string => template[MARKUP];

/** A style sheet for a page, and what its content security policy says of it. @param css written here: it is not escaped */
export const styleSheet = (css: string): { readonly style: Html; readonly source: string } => ({
  style: { [MARKUP]: `<style>${css}</style>` },
  source: `'sha256-${createHash('sha256').update(css).digest('base64')}'`,
});
