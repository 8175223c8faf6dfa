/** The language of a reply: the query says it, otherwise the browser. */
import { Type } from '@sinclair/typebox';
import { PostLanguage, postLanguages } from '../../domain/content/post.ts';
import type { RequestFacts } from '../http/route.ts';

export const langQuery = {
  lang: Type.Optional({
    ...PostLanguage,
    description:
      'Language of the texts; `Accept-Language` by default. A text that is not translated comes in the other.',
  }),
};

/** The header that operations with texts read. */
export const languageHeader = { 'accept-language': 'The language of the texts, where `lang` is not sent.' };

/** The preferred language of `Accept-Language` that there are texts in; the first one when it names none of them. */
export const acceptedLanguage = (header: string): PostLanguage => {
  const wanted = header.split(',').map((part) => {
    const [range = '', ...parameters] = part.trim().toLowerCase().split(';');
    const q = parameters.map((each) => /^\s*q=([\d.]+)\s*$/.exec(each)?.[1]).find((value) => value !== undefined);
    return { name: range.split('-')[0], q: q === undefined ? 1 : Number(q) };
  });
  const found = wanted
    .toSorted((a, b) => b.q - a.q)
    .flatMap(({ name, q }) => postLanguages.filter((each) => each === name && q > 0));
  return found[0] ?? postLanguages[0];
};

/** Says to caches what the reply depends on. */
export const languageOf = (lang: PostLanguage | undefined, { header, setHeader }: RequestFacts): PostLanguage => {
  setHeader('vary', 'Accept-Language, Origin');
  return lang ?? acceptedLanguage(header('accept-language') ?? '');
};
