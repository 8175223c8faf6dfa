/** What the commands on people in need require. */
export type { AccountDeps as SosDeps } from '../accounts/deps.ts';
