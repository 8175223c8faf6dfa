/** The one look of all e-mails: the same words as plain text and as HTML, readable on light and dark screens. */
import { beginningOf } from '../../domain/core/storable.ts';
import { html, htmlText } from '../../infra/html.ts';
import { typedLine, typedLines } from '../../infra/typedText.ts';
import type { MailContent } from './queue.ts';

/** On one line, also of a text that was stored before texts were cleaned where they come in. */
export const oneLine = (text: string): string => typedLine(text).replace(/\s+/g, ' ');

const SUBJECT_MAX = 200;

const FOOTERS = {
  ru: { why: 'Вы получили это письмо, потому что у вас есть учётная запись в', end: 'Отписаться от рассылки' },
  en: { why: 'You get this e-mail because you have an account at', end: 'Unsubscribe from news and offers' },
} as const;

/**
 * The absolute address of a path.
 * @throws Error for a path that leads elsewhere: links of e-mails are ours
 */
const addressOf = (path: string, publicUrl: string): string => {
  const address = new URL(path, publicUrl);
  if (!path.startsWith('/') || address.origin !== new URL(publicUrl).origin)
    throw new Error('the link of an e-mail must be a path of this system');
  return address.href;
};

export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Sender {
  readonly publicUrl: string;
  readonly senderName: string;
  /** Why somebody gets the e-mail who has no account, up to the name of the sender. */
  readonly why?: string;
}

/** @param unsubscribeUrl only of marketing */
export const rendered = (
  { subject, paragraphs, link, language }: MailContent,
  { publicUrl, senderName, why: given }: Sender,
  unsubscribeUrl: string | null,
): Rendered => {
  const title = beginningOf(oneLine(subject), SUBJECT_MAX);
  const href = link && addressOf(link.path, publicUrl);
  const label = link && oneLine(link.text);
  const footer = FOOTERS[language];
  const why = `${given ?? footer.why} ${senderName}.`;
  const shown = paragraphs.map(typedLines);
  const text = [
    ...shown,
    ...(href ? [`${label}: ${href}`] : []),
    `--\n${why}${unsubscribeUrl ? `\n${footer.end}: ${unsubscribeUrl}` : ''}`,
  ].join('\n\n');
  const page = html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif">
<div style="max-width:560px;margin:0 auto">
<h1 style="font-size:20px;line-height:1.3;margin:0 0 16px">${title}</h1>
${shown.map((each) => html`<p style="margin:0 0 16px;white-space:pre-line">${each}</p>`)}
${href && html`<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:10px 20px;border-radius:6px;background:#0b57d0;color:#ffffff;text-decoration:none">${label}</a></p>`}
<hr style="border:0;border-top:1px solid #808080;margin:24px 0 12px">
<p style="margin:0;font-size:13px;opacity:0.75">${why}${unsubscribeUrl && html`<br><a href="${unsubscribeUrl}">${footer.end}</a>`}</p>
</div></body></html>
`;
  return { subject: title, text: `${text}\n`, html: htmlText(page) };
};
