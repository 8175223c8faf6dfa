/** Devices that signed in before. Limits on guessing by strangers do not stop them. */
import { newId } from '../../infra/ids.ts';
import { signDeviceToken, verifyDeviceToken } from '../../infra/tokens.ts';
import type { AccountDeps } from './deps.ts';

type Deps = Pick<AccountDeps, 'settings'>;

/** The id of the device whose token this is; undefined without a valid token of this account. */
export const deviceOf = async (
  { settings }: Deps,
  token: string | undefined,
  accountId: string | undefined,
): Promise<string | undefined> => {
  if (token === undefined || accountId === undefined) return undefined;
  const device = await verifyDeviceToken(settings, token);
  return device?.accountId === accountId ? device.deviceId : undefined;
};

/** A token for the device that has just signed in. It keeps its id, and with it the count of its failures. */
export const deviceToken = async (deps: Deps, accountId: string, former: string | undefined): Promise<string> => {
  const deviceId = (await deviceOf(deps, former, accountId)) ?? newId();
  return signDeviceToken(deps.settings, { accountId, deviceId });
};
