/** What a check of settings is, and how it reads them. */
import type { TSchema } from '@sinclair/typebox';
import type { Check, Finding } from './check.ts';

/** All settings with their declarations and values, and the environment that they were read from. */
export interface Given {
  readonly declarations: Readonly<Record<string, TSchema>>;
  readonly values: Readonly<Record<string, unknown>>;
  readonly env: NodeJS.ProcessEnv;
}

export interface SettingsCheck extends Check {
  readonly find: (given: Given) => readonly Finding[];
}

type Value = string | number | undefined;
export const settingOf = ({ values }: Given, name: string): Value => values[name] as Value;
export const listOf = ({ values }: Given, name: string): readonly string[] => [values[name] ?? []].flat() as string[];

/** Whoever runs the installation has set it: it is not its default that is meant. */
export const isGiven = ({ env }: Given, name: string): boolean => Boolean(env[name]?.trim());
