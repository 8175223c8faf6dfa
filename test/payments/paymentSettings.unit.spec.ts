import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ERASED, ONLY_ONE } from '../../domain/core/schema.ts';
import { fitsBik, maskedNumber } from '../../domain/payments/bankAccount.ts';
import {
  chosenProvider,
  paymentSettings as decider,
  type PaymentSettingsEvent,
  type ProviderName,
} from '../../domain/payments/paymentSettings.ts';
import { isInn } from '../../domain/payments/taxDetails.ts';
import { paymentSettings } from '../../projections/payments/paymentSettings.ts';
import { specification } from '../kit/given.ts';
import { happened, projection } from '../kit/projected.ts';

const given = specification(decider);
const account = { bik: '044030827', accountNumber: '40702810900000002851', holder: 'Anna Orlova' };
const chosen = (provider: ProviderName | null): PaymentSettingsEvent => ({
  type: 'PaymentProviderChosen',
  data: { provider },
});
const accountSet: PaymentSettingsEvent = { type: 'NominalAccountSet', data: account };
const accountRemoved: PaymentSettingsEvent = { type: 'NominalAccountRemoved', data: {} };

describe('an account number', () => {
  it.each([
    ['the client of a bank, as order No. 515 works it out', '049805746', '40602810700000000025'],
    ['a correspondent account, as order No. 515 works it out', '049805000', '30101810800000000746'],
    ['the correspondent account of Sberbank', '044525225', '30101810400000000225'],
    ['that of another bank, by its own BIK', '044030827', '30101810200000000827'],
    ['a client of that bank', '044030827', '40702810900000002851'],
    ['a client of a bank that has 001 elsewhere in its BIK', '040012827', '40702810900000002851'],
    ['the treasury of Krasnodar, at an office of the Bank of Russia', '040349001', '40101810300000010013'],
    ['the treasury of Moscow, at another office', '044525000', '40101810845250010102'],
  ])('fits: %s', (_, bik, number) => {
    expect(fitsBik(bik, number)).toBe(true);
    // Every weight has an inverse, so that any one wrong digit is found.
    for (let i = 0; i < number.length; i += 1)
      for (let wrong = 1; wrong < 10; wrong += 1) {
        const digit = (Number(number[i]) + wrong) % 10;
        const typo = `${number.slice(0, i)}${digit}${number.slice(i + 1)}`;
        if (typo.startsWith('30101') === number.startsWith('30101')) expect(fitsBik(bik, typo), typo).toBe(false);
      }
  });

  it.each([
    ['of another bank', '044525225', '40702810900000002851'],
    ['too short', '044030827', '4070281090000000285'],
    ['too long', '044030827', '407028109000000028510'],
    ['no digits', '044030827', '4070281090000000285X'],
    ['no BIK', '44030827', '40702810900000002851'],
  ])('does not fit: %s', (_, bik, number) => expect(fitsBik(bik, number)).toBe(false));

  it('does not fit a BIK that is too long, whatever its key', () => {
    for (let key = 0; key < 10; key += 1)
      for (const bik of ['0044030827', '0440308270']) expect(fitsBik(bik, `40702810${key}00000002851`)).toBe(false);
  });

  it('is shown by its last four digits', () => {
    expect(maskedNumber(account.accountNumber)).toBe('****************2851');
    expect(maskedNumber(ERASED)).toBe(ERASED);
  });
});

const tax = { inn: '7707083893', name: 'ООО «Лиственница»', phone: '+78005553535', vat: 'none' } as const;
const taxSet: PaymentSettingsEvent = { type: 'TaxDetailsSet', data: tax };

describe('a tax number', () => {
  it.each(['7707083893', '7830002293', '500100732259'])('fits: %s', (inn) => expect(isInn(inn)).toBe(true));
  it.each(['7707083892', '500100732258', '500100732269'])('has a wrong digit: %s', (inn) =>
    expect(isInn(inn)).toBe(false),
  );
  it('has one check digit for a company, and two for a person', () => {
    const digit = fc.constantFrom(...'0123456789');
    const checked = (digits: string, checks: number) =>
      Array.from({ length: 10 ** checks }, (_, n) => `${digits}${String(n).padStart(checks, '0')}`).filter(isInn);
    fc.assert(
      fc.property(fc.string({ unit: digit, minLength: 10, maxLength: 10 }), (digits) => {
        expect(checked(digits.slice(1), 1)).toHaveLength(1);
        expect(checked(digits, 2)).toHaveLength(1);
      }),
    );
  });
});

describe('tax details', () => {
  it('are set and removed', () => {
    given([]).when({ type: 'ChangePaymentSettings', taxDetails: tax }).thenOnce([taxSet]);
    given([taxSet])
      .when({ type: 'ChangePaymentSettings', taxDetails: null })
      .thenOnce([{ type: 'TaxDetailsRemoved', data: {} }]);
  });
  it('need right check digits', () =>
    given([])
      .when({ type: 'ChangePaymentSettings', taxDetails: { ...tax, inn: '7707083892' } })
      .then('invalid'));
});

describe('settings', () => {
  it('of provider and account change together', () =>
    given([])
      .when({ type: 'ChangePaymentSettings', provider: 'tbank', nominalAccount: account })
      .thenOnce([chosen('tbank'), accountSet]));
  it('that are absent do not change', () =>
    given([chosen('tbank'), accountSet])
      .when({ type: 'ChangePaymentSettings', provider: 'yookassa' })
      .thenOnce([chosen('yookassa')]));
  it('are removed by null', () =>
    given([chosen('tbank'), accountSet])
      .when({ type: 'ChangePaymentSettings', provider: null, nominalAccount: null })
      .thenOnce([chosen(null), accountRemoved]));
  it('that do not exist are not removed', () =>
    given([]).when({ type: 'ChangePaymentSettings', provider: null, nominalAccount: null }).then([]));
  it('refuse an account number that does not match its BIK, and the whole change with it', () =>
    given([])
      .when({ type: 'ChangePaymentSettings', provider: 'tbank', nominalAccount: { ...account, bik: '044525225' } })
      .then('invalid'));
});

describe('the provider of a payment', () => {
  const of = (provider: ProviderName | null) => given([chosen(provider)]).state;
  const [none, tbank, yookassa] = [of(null), of('tbank'), of('yookassa')];
  const all = () => true;

  it('is the owner’s, otherwise the default, otherwise none', () => {
    expect(chosenProvider([tbank], yookassa, all)).toEqual({ name: 'tbank', reason: 'owner' });
    expect(chosenProvider([none], yookassa, all)).toEqual({ name: 'yookassa', reason: 'global' });
    expect(chosenProvider([], yookassa, all)).toEqual({ name: 'yookassa', reason: 'global' });
    expect(chosenProvider([none], none, all)).toBeNull();
  });

  it('is that of the owners who chose one, if all chose the same', () => {
    expect(chosenProvider([none, tbank, tbank], yookassa, all)).toEqual({ name: 'tbank', reason: 'owner' });
    expect(chosenProvider([yookassa, tbank], tbank, all)).toEqual({ name: 'tbank', reason: 'global' });
    expect(chosenProvider([yookassa, tbank], none, all)).toBeNull();
  });

  it('is one that is configured', () => {
    const isSetUp = (name: ProviderName) => name === 'yookassa';
    expect(chosenProvider([tbank], yookassa, isSetUp)).toEqual({ name: 'yookassa', reason: 'global' });
    expect(chosenProvider([tbank], tbank, isSetUp)).toBeNull();
  });
});

describe('the table of settings', () => {
  const rowsAfter = projection(paymentSettings);
  const OWNER = '018f0000-0000-7000-8000-00000000000a';
  const T = '2027-01-01T00:00:00.000Z';
  const of = (event: PaymentSettingsEvent, id = OWNER) => happened(decider.category, id, event, T);
  const row = {
    id: OWNER,
    provider: null,
    nominal_account_bik: '044030827',
    nominal_account_number: '****************2851',
    nominal_account_holder: 'Anna Orlova',
    tax: null,
    updated_at: T,
  };
  const noAccount = { nominal_account_bik: null, nominal_account_number: null, nominal_account_holder: null };

  it('has one row for each owner and one for the default, and no full account number', () => {
    const rows = rowsAfter([of(chosen('tbank'), ONLY_ONE), of(accountSet), of(chosen('yookassa'))]);
    expect(rows).toEqual([
      { ...row, ...noAccount, id: ONLY_ONE, provider: 'tbank' },
      { ...row, provider: 'yookassa' },
    ]);
    expect(JSON.stringify(rows)).not.toContain(account.accountNumber);
  });
  it('shows tax details until they are removed', () => {
    expect(rowsAfter([of(taxSet)])).toMatchObject([{ tax }]);
    expect(rowsAfter([of(taxSet), of({ type: 'TaxDetailsRemoved', data: {} })])).toMatchObject([{ tax: null }]);
  });
  it('deletes an account that was removed', () =>
    expect(rowsAfter([accountSet, accountRemoved].map((event) => of(event)))).toEqual([{ ...row, ...noAccount }]));
});
