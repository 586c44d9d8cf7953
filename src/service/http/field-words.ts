/** Turns the codes of the wire's schemas into the words of the service's answers and of its description. */
const words = new Map(
  Object.entries({
    'bank-name': 'SouthAfrica, Nigeria: as GET /utils/banks lists it',
    'account-number': 'SouthAfrica, Nigeria: digits alone, with a right check digit',
    'bank-code': 'Nigeria: in place of bankName, or with it',
    'network-provider': 'Kenya: MOMO',
    'contact-number': 'Kenya: the phone that is paid, +254…',
    lnurl: 'BTC: a Lightning Address or LNURL',
    'kenyan-prefix': 'must start with +254',
    'kenyan-number': 'must be +254 and nine digits',
    'country-code': 'must be an ISO 3166-1 alpha-3 code, such as ZAF',
    date: 'must be a date, as YYYY-MM-DD',
    lightning: 'must be a Lightning Address or LNURL',
  }),
);

/** Returns the text itself if it is no code of a schema here, such as a text of the schema library. */
export const fieldWords = (code: string): string => words.get(code) ?? code;
