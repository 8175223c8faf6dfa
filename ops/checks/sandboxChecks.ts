/** Whether real services are used, and no part of the sandbox. */
import { endpointOf, isThisMachine } from '../../infra/endpoints.ts';
import { addressesIn, bySetting } from './addresses.ts';
import type { Finding } from './check.ts';
import { type Given, isGiven, listOf, type SettingsCheck, settingOf } from './settingsCheck.ts';

/** By the host and the port, whatever the scheme: the sandbox is one server, with another port for e-mails. */
const sandboxed = (given: Given): Finding[] => {
  const sandbox = endpointOf(String(settingOf(given, 'SANDBOX_URL')));
  const ports = [settingOf(given, 'SANDBOX_PORT'), settingOf(given, 'SANDBOX_SMTP_PORT')];
  const isSandbox = ({ host, port }: { readonly host: string; readonly port: number }): boolean =>
    (sandbox !== undefined && host === sandbox.host && (port === sandbox.port || ports.includes(port))) ||
    (isThisMachine(host) &&
      (ports.includes(port) || (sandbox !== undefined && isThisMachine(sandbox.host) && port === sandbox.port)));
  return bySetting(addressesIn(given).filter(({ endpoint }) => isSandbox(endpoint))).map(({ setting }) => ({
    wrong: isGiven(given, setting)
      ? `${setting} is an address of the sandbox`
      : `${setting} is not set, and stands for the sandbox`,
    toDo: `Set ${setting} to the address of the real service`,
  }));
};

export const sandboxChecks: readonly SettingsCheck[] = [
  {
    name: 'sandbox_role',
    asks: 'Is there no sandbox in production?',
    mayHappen: 'it accepts test cards, and shows the codes of text messages',
    find: (given) =>
      listOf(given, 'ROLE').includes('sandbox')
        ? [{ wrong: 'ROLE sandbox is not allowed with NODE_ENV=production', toDo: 'Remove it from ROLE' }]
        : [],
  },
  {
    name: 'sandbox_addresses',
    asks: 'Are all services real ones?',
    mayHappen: 'it takes test cards for money, and sends nothing',
    find: sandboxed,
  },
  {
    name: 'stand_ins',
    asks: 'Are accounts at services your own?',
    mayHappen: 'money and messages go to an account that is not yours, or are refused',
    find: (given) =>
      Object.entries(given.declarations)
        .filter(([, { neededBy }]) => !neededBy || given.values[neededBy] !== undefined)
        .filter(([name, schema]) => schema.standIn && given.values[name] === schema.default)
        .map(([name]) => ({ wrong: `${name} is not set`, toDo: `Set ${name} to your own` })),
  },
];
