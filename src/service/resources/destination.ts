/** Checks a merchant's destination against the fields that its country requires (interface 2.7). */
import { eachOf, quoted } from '../../base/words.ts';
import { accountLengths, checkAccount, ruleStrength } from '../../domain/accounts/account-number.ts';
import { type Bank, type BankCountry, bankTable, readBankCode } from '../../domain/accounts/bank.ts';
import { readLightning } from '../../domain/accounts/lightning.ts';
import type { MerchantCreate } from '../../wire/merchant.ts';
import { HttpRefusal } from '../http/call.ts';
import type { MerchantRow } from '../store/store.ts';
import { listedCode } from './reference.ts';

const nothing = eachOf(null, 'bank_name account_number bank_code network_provider contact_number lnurl');

type StoredDestination = Pick<MerchantRow, keyof typeof nothing>;

// The interface does not show the status of a refused POST /merchants, except for an unknown bank name
// (interface 4.16, 7). This service always answers 400.
const refuse = (message: string) => new HttpRefusal(400, message);

/** Returns only the fields that the merchant's country uses. Throws a Refusal for a wrong field. */
export function resolveDestination(merchant: MerchantCreate): StoredDestination {
  switch (merchant.country) {
    case 'SouthAfrica':
    case 'Nigeria':
      return bankDestination(merchant.country, merchant);
    case 'Kenya':
      // The interface does not show the fields of a bank merchant in Kenya (interface 2.7, 2.9). In this service such a
      // merchant has only bankName and accountNumber.
      return merchant.bankName !== undefined &&
        merchant.networkProvider === undefined &&
        merchant.contactNumber === undefined
        ? bankDestination('Kenya', merchant)
        : momoDestination(merchant);
    case 'BTC':
      return lightningDestination(merchant);
  }
}

function bankDestination(country: BankCountry, merchant: MerchantCreate): StoredDestination {
  const bank = resolveBank(country, merchant);
  const { accountNumber } = merchant;
  if (accountNumber === undefined) throw refuse('accountNumber is required for a bank payout');
  const { least, most } = accountLengths[country];
  if (!/^\d+$/.test(accountNumber) || accountNumber.length < least || accountNumber.length > most) {
    const count = least === most ? `${least}` : `${least} to ${most}`;
    throw refuse(`accountNumber ${quoted(accountNumber)} must be ${count} digits`);
  }
  // The interface does not show which check-digit rules apply (interface 4.16). This service applies the rules with a
  // published test value: the rules of Standard Bank and of Nigeria's deposit banks.
  if (ruleStrength(country, bank.id) === 'published' && checkAccount(country, bank.id, accountNumber) === 'fails')
    throw refuse(`accountNumber ${quoted(accountNumber)} fails the check digit of ${bank.name}`);
  return {
    ...nothing,
    bank_name: bank.name,
    account_number: accountNumber,
    // The interface does not show which merchants have a bankCode (interface 2.7, 4.18). In this service bank
    // merchants in Nigeria and Kenya have a bankCode, even if the caller gave only a name.
    bank_code: country === 'SouthAfrica' ? null : listedCode(bank),
  };
}

function resolveBank(country: BankCountry, { bankName, bankCode }: MerchantCreate): Bank {
  const byName = bankName === undefined ? undefined : namedBank(country, bankName);
  const byCode = country === 'Nigeria' && bankCode !== undefined ? codedBank(country, bankCode) : undefined;
  if (byName !== undefined && byCode !== undefined && byName.id !== byCode.id)
    throw refuse(`bankCode ${quoted(bankCode!)} is ${byCode.name}, not ${byName.name}`);
  const bank = byName ?? byCode;
  if (bank !== undefined) return bank;
  throw refuse(`${country === 'Nigeria' ? 'bankName or bankCode' : 'bankName'} is required for a bank payout`);
}

function namedBank(country: BankCountry, name: string): Bank {
  const bank = bankTable[country].find((listed) => listed.name === name);
  if (bank === undefined)
    throw refuse(`bankName ${quoted(name)} is not a bank in ${country}: see GET /utils/banks/${country}`);
  return bank;
}

function codedBank(country: BankCountry, code: string): Bank {
  const bank = readBankCode(country, code);
  if (bank === 'ambiguous')
    throw refuse(`bankCode ${quoted(code)} means different banks in different lists; give bankName`);
  if (bank === 'unknown') throw refuse(`bankCode ${quoted(code)} is not a bank in ${country}`);
  return bank;
}

function momoDestination({ networkProvider, contactNumber }: MerchantCreate): StoredDestination {
  if (networkProvider === undefined) throw refuse('networkProvider is required for Kenya');
  // The interface does not show the values of networkProvider (interface 2.7). This service accepts MOMO and momo.
  if (networkProvider.toUpperCase() !== 'MOMO') throw refuse(`networkProvider ${quoted(networkProvider)} must be MOMO`);
  if (contactNumber === undefined) throw refuse('contactNumber is required for Kenya');
  if (!/^\+254\d{9}$/.test(contactNumber))
    throw refuse(`contactNumber ${quoted(contactNumber)} must be +254 and nine digits`);
  return { ...nothing, network_provider: networkProvider, contact_number: contactNumber };
}

// The interface does not show the longest lnurl (interface 2.7). This service accepts at most 4,096 characters.
const longestLnurl = 4096;

function lightningDestination({ lnurl }: MerchantCreate): StoredDestination {
  if (lnurl === undefined) throw refuse('lnurl is required for BTC');
  if (lnurl.length > longestLnurl) throw refuse(`lnurl is longer than ${longestLnurl} characters`);
  const reading = readLightning(lnurl);
  if (reading.value === undefined) throw refuse('lnurl is neither a Lightning Address nor an LNURL');
  return { ...nothing, lnurl };
}
