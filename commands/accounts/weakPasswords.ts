/**
 * Passwords that a guesser tries first. zxcvbn estimates how many guesses a password takes, from 49,000 leaked passwords,
 * runs on keyboards, dates, repetitions, digits instead of letters, and what belongs to the account.
 */
import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';
import { Rejected } from '../../domain/core/decider.ts';

/** Words that guests and staff of this resort would take, and Russian ones that no other spelling finds in the list. */
const OURS = `snowboard snowboarding skiing skipass mountain mountains resort hotel holiday vacation booking
  горы горнолыжка сноуборд отпуск гостиница отель курорт краснаяполяна розахутор эльбрус шерегеш любовь любимый
  люблютебя ятебялюблю тебялюблю медвежонок администратор начальник`.split(/\s+/);

/** Below 10^6 guesses; from there on an online guesser needs years, since failed attempts are slowed down. */
const ACCEPTED_SCORE = 2;
/** Estimating takes longer with each character: what a password of this length begins with says enough. */
const ESTIMATED_CHARACTERS = 64;

/** The keys of a Russian keyboard, and what an English one writes with them. */
const RUSSIAN_KEYS = 'йцукенгшщзхъфывапролджэячсмитьбюё';
const ENGLISH_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`";
const LATIN = 'a,b,v,g,d,e,zh,z,i,y,k,l,m,n,o,p,r,s,t,u,f,h,c,ch,sh,sch,,y,,e,u,ya,e'.split(',');
const CYRILLIC = 'абвгдежзийклмнопрстуфхцчшщъыьэюяё';

const mapped = (text: string, from: string, to: ArrayLike<string>): string =>
  [...text].map((character) => to[from.indexOf(character)] ?? character).join('');

/** As typed; and of Russian letters, as an English keyboard writes them, and in Latin letters: so they are in the list. */
const spellingsOf = (text: string): string[] => [
  ...new Set([text, mapped(text, RUSSIAN_KEYS, ENGLISH_KEYS), mapped(text, CYRILLIC, LATIN)]),
];

/** Made with the first password that somebody chooses: it takes 70 ms and 15 MB. */
let estimator: ZxcvbnFactory | undefined;
const estimate = (text: string, own: string[]): number => {
  estimator ??= new ZxcvbnFactory({ dictionary: { ...dictionary, ours: OURS }, graphs: adjacencyGraphs });
  return estimator.check(text, own).score;
};

export interface Owner {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

const ownTextsOf = ({ email, phone }: Owner): string[] =>
  [email, email?.split('@')[0], phone?.replace(/\D/g, '')].flatMap((text) => (text ? [text.toLowerCase()] : []));

/** Whether it is a password that a guesser tries first. Letter case and spaces make it no better. */
export const isWeak = (password: string, owner: Owner = {}): boolean => {
  const text = password.normalize('NFKC').toLowerCase().replace(/\s+/g, '').slice(0, ESTIMATED_CHARACTERS);
  const own = ownTextsOf(owner);
  return spellingsOf(text).some((spelling) => estimate(spelling, own) < ACCEPTED_SCORE);
};

/** @throws Rejected `invalid` */
export const refuseWeak = (password: string, owner: Owner): void => {
  if (isWeak(password, owner))
    throw new Rejected(
      'invalid',
      'This password is among the first that are guessed. Choose another one, such as several unrelated words.',
      { fields: ['new_password', 'password'] },
    );
};
