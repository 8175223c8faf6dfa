/** The interface spells the path in three ways. Each operation of guests is declared once. */
import type { DeclaredRoute } from '../http/route.ts';

/** Path → what operation ids call it. */
const spellings = { 'ski-pass': 'SkiPass', pass: 'Pass', skipass: 'Skipass' } as const;
type Spelling = keyof typeof spellings;

export const inEverySpelling = (
  declare: (spelling: Spelling, name: (typeof spellings)[Spelling]) => DeclaredRoute,
): DeclaredRoute[] => (Object.keys(spellings) as Spelling[]).map((spelling) => declare(spelling, spellings[spelling]));
