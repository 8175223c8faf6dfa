/**
 * Passwords that a guesser tries first. Written down here: the words at the top of every published count of breached
 * passwords (such as "123456", "password", "qwerty") of at least eight characters, or as the beginning of them, in the
 * languages of the resort's guests. Digits and signs around a word, and digits instead of letters, do not make it better.
 */
import { Rejected } from '../../domain/core/decider.ts';

const WORDS = new Set(
  `password passwort passwd passw motdepasse contrasena parol parolparol senha pass letmein welcome welcomeback admin
   administrator root login user guest master superuser default changeme secret topsecret private access system test
   testtest tester testing demo example sample temp temporary internet computer samsung google facebook instagram
   whatsapp telegram microsoft windows apple iphone android linkedin myspace vkontakte yandex youtube amazon netflix
   qwerty qwertyuiop qwertyui qwertyu qwerti qwertz qazwsx qazwsxedc zaqwsx zxcvbnm zxcvbn asdfghjkl asdfghjk asdfgh
   asdfasdf qweasd qweasdzxc qweqwe qwerqwer wasd azerty azertyuiop ytrewq poiuytrewq mnbvcxz lkjhgfdsa
   qqwwee aabbcc abcabc abcd abcdef abcdefg abcdefgh abcdefghi alphabet iloveyou iloveu loveyou lovely iloveme loveme
   forever sunshine princess dragon football baseball basketball superman batman spiderman pokemon starwars mustang
   monkey shadow michael jennifer jordan michelle jessica ashley daniel charlie andrew matthew joshua thomas robert
   william anthony nicole hannah samantha alexander alexandra aleksandr vladimir dmitriy sergey andrey natasha natalia
   anastasia ekaterina tatiana maxim nikita killer hunter trustno trustnoone whatever computer1 corvette mercedes ferrari
   porsche harley yamaha liverpool arsenal chelsea barcelona realmadrid manchester juventus spartak zenit dynamo rangers
   blessed freedom jesus jesuschrist angel angels babygirl butterfly flower flowers rainbow chocolate cookie banana
   orange purple yellow silver golden diamond summer winter spring autumn january february march april june july august
   september october november december monday friday sunday snowboard snowboarding skiing mountain mountains resort
   hotel holiday vacation booking privet zdravstvuy lubov lyubov solnce zvezda moskva russia rossiya cccp ussr ukraine
   germany deutschland france england america canada australia london berlin paris moscow newyork maria marina svetlana
   hello helloworld hallo bonjour hellohello goodbye thankyou please nothing something fuckyou fuckme asshole bitch
   pussy biteme hardcore matrix gandalf merlin phoenix eagle tigger tiger panther falcon wolf buster bailey maggie
   cheese pepper ginger coffee summertime internet1 information security secure passcode pincode nopassword newpassword
   mypassword yourpassword thepassword oldpassword passpass passwordpassword adminadmin rootroot useruser`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

const LEET: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1qaz2wsx3edc4rfv5tgb',
];
const reversed = (text: string): string => [...text].toReversed().join('');
const RUNS = ROWS.flatMap((row) => [row, reversed(row)]);

/** The letters of a word without what people put around it. */
const core = (text: string): string => text.replace(/^[^a-z]+|[^a-z]+$/g, '');

const spelled = (text: string): string => [...text].map((character) => LEET[character] ?? character).join('');

const isWord = (text: string): boolean =>
  [core(text), spelled(text), spelled(core(text)), core(spelled(text))].some((word) => WORDS.has(word));

/** Whether it is a few characters repeated (`11111111`, `abababab`), a run (`12345678`), or two of these. */
const isPattern = (text: string): boolean =>
  new Set(text).size <= 2 || /^(.{1,4})\1+$/.test(text) || RUNS.some((run) => run.includes(text)) || isTwoRuns(text);
const isTwoRuns = (text: string): boolean =>
  Array.from({ length: Math.max(0, text.length - 5) }, (_, i) => i + 3).some((cut) =>
    [text.slice(0, cut), text.slice(cut)].every(
      (part) => RUNS.some((run) => run.includes(part)) || new Set(part).size === 1,
    ),
  );

export interface Owner {
  readonly email?: string | null | undefined;
  readonly phone?: string | null | undefined;
}

/** Whether it is a password that a guesser tries first. */
export const isWeak = (password: string, { email, phone }: Owner = {}): boolean => {
  const text = password.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
  const own = [email, email?.split('@')[0], phone, phone?.replace(/\D/g, '')].map((each) => each?.toLowerCase());
  return isWord(text) || isPattern(text) || own.includes(text);
};

/** @throws Rejected `invalid` */
export const refuseWeak = (password: string, owner: Owner): void => {
  if (isWeak(password, owner))
    throw new Rejected(
      'invalid',
      'This password is among the first that are guessed. Choose another one, such as several unrelated words.',
    );
};
