/** The permission matrix, assembled from the routes. Committed as `docs/permissions.md`. */
import { FRESH_MINUTES, harms, harmText } from './harm.ts';
import type { Route } from './route.ts';

const HEAD = `# Permissions

Every operation, who may call it, and the limit it has beside the general one. \`npm run permissions -- --write\` writes
this file from the route declarations; \`npm run check\` fails when it is out of date.

| access | who |
|---|---|
| \`public\` | anyone; a valid access token is recognised, an invalid one is ignored |
| \`user\` | anyone signed in |
| \`emergency\` | anyone signed in, also with an access token that expired within a day; requests for help, and positions after them, are never limited |
| \`provider\` | the selling roles and admins |
| \`admin\` | admins |
| \`seed\` | the holder of \`X-Admin-Token\`, or an admin |
| \`auditor\` | admins, or an API key with the scope \`audit:read\` |
| \`sensor\` | admins, or an API key with the scope \`snow:report\` |
| \`scope:…\` | an API key with that scope |
| \`signed\` | a sender whose signature is verified |

\`harm\`: what somebody could do with a stolen token. Each harm asks people for a fresh proof: they must have signed in or
confirmed (\`POST /auth/confirm\`) within the last ${FRESH_MINUTES} minutes; with fields: to change one of these. API keys and
\`X-Admin-Token\` have no sessions: their secret is the proof. Where an operation for admins, sellers or auditors can do no
harm, the table says why. Operations on what is the caller's own say nothing.

Admins may do and see more than others with some operations for everybody. Some ask them for a proof (\`by admins\`).
Removed posts and topics of the forums, what is kept of deleted ones, and hidden reviews are shown only to admins with a
fresh proof; without it, an admin sees there what everybody sees. Bookings, payments, purchases, trips, SOS requests and
the chats of the support ask for no proof: they are an admin's work all day, one at a time. The audit log, where the content of
all could be read in bulk, asks for a proof and hides what is personal unless \`X-Reason\` says why it must be seen.

Realtime channels ask for no proof: whoever works with one could not stay subscribed. \`sos_board\` must not hold up rescuers,
people write to the admins in the queue and the chats of the support, and \`provider_<id>\` shows an admin what happens to one
seller from then on.

| harm | the operation |
|---|---|
${Object.entries(harms)
  .map(([kind, means]) => `| \`${kind}\` | ${means} |`)
  .join('\n')}

| method | path | service | access | rate | harm |
|---|---|---|---|---|---|
`;

/** The matrix as Markdown, sorted by service and path. */
export const permissionTable = (routes: readonly Route[]): string => {
  const rows = routes
    .map(({ method, path, service, access, rate = '', harm }) => ({
      method,
      path,
      service,
      access,
      rate,
      harm: harmText(harm),
    }))
    .sort((a, b) => (`${a.service} ${a.path} ${a.method}` < `${b.service} ${b.path} ${b.method}` ? -1 : 1));
  return `${HEAD}${rows.map((row) => `| ${Object.values(row).join(' | ')} |`).join('\n')}\n`;
};
