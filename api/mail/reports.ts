/** Reports of the mail provider about e-mails that came back. */
import { ForgedMailReport, MailReport, receiveMailReport } from '../../commands/mail/reports.ts';
import { HttpError } from '../http/errors.ts';
import { NO_CONTENT, route } from '../http/route.ts';

const receive = route('POST /api/v1/webhooks/email', {
  id: 'receiveMailReport',
  ignoresKey: 'a report is known by its `webhook-id`',
  access: 'signed',
  openQuery: 'The sender chooses the address, and a notification that is refused is lost.',
  rate: 'notification',
  summary: 'Receive a report of the mail provider',
  description:
    'A webhook as of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature` sign the body with `MAIL_WEBHOOK_SECRET`. A permanent bounce or a complaint stops e-mails to the address until the account has another one, or an admin clears it. Reports about e-mails that are not ours are ignored.',
  signedBody: MailReport,
  ...NO_CONTENT,
  errors: ['not_signed'],
  handle: async ({ request }, app) => {
    const signed = { headers: request.headers, rawBody: request.rawBody ?? '' };
    try {
      await receiveMailReport(app, signed, () => request.countVerified('mail'));
      return null;
    } catch (error) {
      if (error instanceof ForgedMailReport)
        throw new HttpError('not_signed', 'This report was not signed with the secret of this system, or is too old.');
      throw error;
    }
  },
});

export const reportRoutes = [receive];
