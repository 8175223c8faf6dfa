/**
 * Account numbers at banks in Russia: the ninth digit is a key over the whole number and the bank's BIK, so that a typing
 * error is found. By the Bank of Russia's order No. 515 of 8 September 1997, «Порядок расчёта контрольного ключа в номере
 * лицевого счёта».
 */
const WEIGHTS = [7, 1, 3];

/** Correspondent accounts, and all others in the Bank of Russia's own offices, go by the office's number in the BIK. */
const isAtBankOfRussia = (bik: string, accountNumber: string): boolean =>
  accountNumber.startsWith('30101') || /00[012]$/.test(bik);

/** Whether an account number (20 digits) can be one of the bank with this BIK (9 digits): its key is right. */
export const fitsBik = (bik: string, accountNumber: string): boolean => {
  if (!/^\d{9}$/.test(bik) || !/^\d{20}$/.test(accountNumber)) return false;
  const bank = isAtBankOfRussia(bik, accountNumber) ? `0${bik.slice(4, 6)}` : bik.slice(6);
  const weighted = [...bank, ...accountNumber].map((digit, i) => Number(digit) * (WEIGHTS[i % 3] ?? 0));
  // Stryker disable next-line ArithmeticOperator: what ten divides, it also divides with a minus before it
  const sum = weighted.reduce((total, each) => total + each, 0);
  return sum % 10 === 0;
};

/** The form that may be shown: its last four digits. */
export const maskedNumber = (accountNumber: string): string => accountNumber.replaceAll(/\d(?=\d{4})/g, '*');
