/** What an e-mail says. Where it goes is looked up when it is sent. */
import type { NotificationLanguage } from '../../domain/core/notification.ts';

export interface Attachment {
  /** The name of the file: `booking.ics`. */
  readonly name: string;
  /** The media type: `text/calendar; method=PUBLISH`. */
  readonly type: string;
  readonly content: string;
}

export interface Mail {
  /** Derived from what causes the e-mail: with the same id it is sent once. */
  readonly id: string;
  readonly subject: string;
  /** Plain texts, each a paragraph. */
  readonly paragraphs: readonly string[];
  /** Where it leads; `path` begins with a slash, under the public address of the system. */
  readonly link: { readonly text: string; readonly path: string } | null;
  readonly attachments: readonly Attachment[];
  /** Sent only to people who consent to marketing, with a way to unsubscribe. */
  readonly marketing: boolean;
  readonly language: NotificationLanguage;
  /** It is not sent any more after this instant (RFC 3339). */
  readonly expiresAt: string;
}
