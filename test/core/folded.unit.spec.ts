import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldedList, foldedText, listedText, wordsIn } from '../../domain/core/folded.ts';

describe('the form in which texts are compared', () => {
  it.each([
    ['Мегёв', 'мегев'],
    ['Мегёв'.normalize('NFD'), 'мегев'],
    [' Мегёв\u00a0 ', 'мегев'],
    ['МЕГЁВ', 'мегев'],
    ['Майский', 'майский'],
    ['МАЙСКИЙ'.normalize('NFD'), 'майский'],
    ['Маиский', 'маиский'],
    ['Megève', 'megeve'],
    ['Łódź', 'lodz'],
    ['Straße', 'strasse'],
    ['İstanbul', 'istanbul'],
    ['ＲＯＳＡ　Khutor', 'rosa khutor'],
    ['Роза\n\tХутор', 'роза хутор'],
    ['ガス', 'ガス'],
    ['', ''],
  ])('of %j is %j', (text, form) => {
    expect(foldedText(text)).toBe(form);
  });

  it('is the same for composed, decomposed and capital letters, and folding again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const form = foldedText(text);
        expect(foldedText(form)).toBe(form);
        expect(foldedText(text.normalize('NFD'))).toBe(form);
        expect(foldedText(text.normalize('NFC'))).toBe(form);
        expect(foldedText(` ${text}\u2003`)).toBe(form);
      }),
    );
  });

  it('finds texts of a list as wholes', () => {
    const list = foldedList(['Грузинская', 'Кафе «Ёлки»']);
    expect(list).toContain(listedText('кафе «елки»'));
    expect(list).not.toContain(listedText('елки'));
  });

  it('has words of letters and digits only', () => {
    expect(wordsIn(' Отель «Ёлки-2», ⑴ <a> ')).toEqual(['отель', 'елки', '2', '1', 'a']);
  });
});
