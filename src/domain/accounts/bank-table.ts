/**
 * Banks by country: names, other names in sheets, and codes. Codes are text, so that zeros stay: "051001".
 *
 * Only append to these lists. A bank's id is its folded official name, and row digests contain the id. A renamed entry
 * would make paid rows look new. If a bank changes its name, keep the entry and add an alias.
 */
import { fold } from '../rows/text.ts';

export const bankCountries = ['SouthAfrica', 'Nigeria', 'Kenya'] as const;
export type BankCountry = (typeof bankCountries)[number];

export interface Bank {
  readonly id: string;
  readonly country: BankCountry;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly branchCode: string | null;
  /** A CBN code in Nigeria, or a clearing code in Kenya. Null in South Africa, which has only branch codes. */
  readonly code: string | null;
  /** False if no source confirmed the entry. A failed account check is then by default only a warning. */
  readonly confirmed: boolean;
}

// Sources, read on 2026-11-20. South Africa: ourpower.co.za, loanhub24.co.za and searchi.co.za, which agree.
// Nigeria: CBN NUBAN proposals v0.4 (2010) and public code lists. Kenya: developers.kulmipay.com.

/** `code|official name|alias|alias…`; a leading `?` marks an entry that no source confirmed. */
const southAfrica = [
  '632005|Absa Bank|Absa|Absa Group|Amalgamated Banks of South Africa',
  '430000|African Bank',
  '410105|Access Bank South Africa|Access Bank|Access Bank SA|Grobank',
  '888000|Bank Zero|Bank Zero Mutual Bank',
  '462005|Bidvest Bank|Bidvest',
  '470010|Capitec Bank|Capitec',
  '679000|Discovery Bank|Discovery',
  '250655|First National Bank|FNB|FNB South Africa|First National Bank South Africa|FNB RMB|RMB|Rand Merchant Bank|FirstRand Bank|FirstRand',
  '580105|Investec Bank|Investec|Investec Private Bank',
  '198765|Nedbank|Nedbank South Africa|Ned Bank',
  '460005|Postbank|South African Postbank|SA Post Bank|Post Bank|South African Post Office',
  '051001|Standard Bank|Standard Bank of South Africa|Standard Bank South Africa|Standard Bank SA|SBSA|Standardbank|Std Bank',
  '678910|TymeBank|Tyme|GoTyme|GoTyme Bank|Tyme Bank',
  '450105|Mercantile Bank|Mercantile|Capitec Business|Capitec Business Bank',
  '683000|Sasfin Bank|Sasfin',
  '?223626|Grindrod Bank|Grindrod',
  '?800000|Al Baraka Bank|Al Baraka|Albaraka Bank',
  '?570100|HBZ Bank|HBZ|Habib Overseas Bank Zurich',
  '?|Old Mutual Bank|OM Bank|Old Mutual',
];

const nigeria = [
  '044|Access Bank|Access|Access Diamond|Access Bank Nigeria|Access Bank Diamond',
  '023|Citibank Nigeria|Citibank|Citi|Citi Bank',
  '050|Ecobank Nigeria|Ecobank|Eco Bank',
  '070|Fidelity Bank|Fidelity',
  '011|First Bank of Nigeria|First Bank|FirstBank|FBN|First Bank Nigeria',
  '214|First City Monument Bank|FCMB|FCMB Bank',
  '058|Guaranty Trust Bank|GTBank|GTB|GT Bank|GTCO|Guaranty Trust|GTBank Nigeria|Guarantee Trust Bank',
  '082|Keystone Bank|Keystone',
  '076|Polaris Bank|Polaris|Skye Bank',
  '101|Providus Bank|Providus',
  '221|Stanbic IBTC Bank|Stanbic IBTC|Stanbic|Stanbic IBTC Bank Nigeria',
  '068|Standard Chartered Bank Nigeria|Standard Chartered|Standard Chartered Bank|Stanchart',
  '232|Sterling Bank|Sterling',
  '100|SunTrust Bank|SunTrust|SunTrust Bank Nigeria',
  '032|Union Bank of Nigeria|Union Bank|Union Bank Nigeria|UBN',
  '033|United Bank for Africa|UBA|UBA Nigeria|United Bank of Africa|United Bank for Africa Nigeria',
  '215|Unity Bank|Unity',
  '035|Wema Bank|Wema|ALAT by Wema|ALAT',
  '057|Zenith Bank|Zenith|Zenith Bank Nigeria',
  '559|Coronation Merchant Bank|Coronation|Coronation Bank',
  '?103|Globus Bank|Globus',
  '?102|Titan Trust Bank|Titan Trust|Titan Bank',
  '?104|Parallex Bank|Parallex',
  '?105|PremiumTrust Bank|PremiumTrust',
  '?106|Signature Bank|Signature',
  '?107|Optimus Bank|Optimus',
  '?301|Jaiz Bank|Jaiz',
  '?302|TAJ Bank|TAJ',
  '?303|Lotus Bank|Lotus',
  '?304|Alternative Bank|The Alternative Bank|AltBank',
];

const kenya = [
  '01|KCB Bank Kenya|KCB|KCB Bank|Kenya Commercial Bank',
  '02|Standard Chartered Bank Kenya|Standard Chartered|Standard Chartered Bank|Stanchart',
  '03|Absa Bank Kenya|Absa|Absa Bank|Barclays Bank of Kenya|Barclays',
  '06|Bank of Baroda Kenya|Bank of Baroda|Baroda',
  '07|NCBA Bank Kenya|NCBA|NCBA Bank',
  '10|Prime Bank|Prime Bank Kenya',
  '11|Co-operative Bank of Kenya|Co-operative Bank|Co-op Bank|Coop Bank',
  '12|National Bank of Kenya|National Bank|NBK',
  '14|M-Oriental Bank|M Oriental|Oriental Bank',
  '16|Citibank Kenya|Citibank|Citi|Citibank NA Kenya',
  '17|Habib Bank AG Zurich Kenya|Habib AG|Habib Bank AG Zurich|Habib Bank',
  '18|Middle East Bank Kenya|Middle East Bank|MEB',
  '19|Bank of Africa Kenya|Bank of Africa|BOA',
  '23|Consolidated Bank of Kenya|Consolidated Bank|Consolidated',
  '25|Credit Bank|Credit Bank Kenya',
  '31|Stanbic Bank Kenya|Stanbic|Stanbic Bank|CfC Stanbic',
  '35|African Banking Corporation|ABC Bank|ABC|ABC Bank Kenya',
  '43|Ecobank Kenya|Ecobank|Eco Bank',
  '49|Spire Bank|Spire',
  '50|Paramount Bank|Paramount',
  '51|Kingdom Bank|Kingdom',
  '53|Guaranty Trust Bank Kenya|GTBank|GTBank Kenya|Guaranty Trust Bank',
  '54|Victoria Commercial Bank|Victoria',
  '55|Guardian Bank|Guardian',
  '57|I&M Bank|I&M|I and M Bank|I&M Bank Kenya',
  '60|SBM Bank Kenya|SBM|SBM Bank',
  '61|HFC|HF Group|Housing Finance|HFC Bank|Housing Finance Company of Kenya',
  '63|Diamond Trust Bank Kenya|DTB|Diamond Trust Bank|DTB Kenya|Diamond Trust',
  '65|CIB Kenya|CIB|Commercial International Bank Kenya|Mayfair CIB Bank',
  '66|Sidian Bank|Sidian|K-Rep Bank',
  '68|Equity Bank Kenya|Equity|Equity Bank',
  '70|Family Bank|Family|Family Bank Kenya',
  '72|Gulf African Bank|Gulf African',
  '74|Premier Bank Kenya|Premier Bank|First Community Bank',
  '75|DIB Bank Kenya|DIB|DIB Kenya|Dubai Islamic Bank Kenya|DIB Bank',
  '76|UBA Kenya|UBA|UBA Kenya Bank|United Bank for Africa Kenya',
  '78|Kenya Women Microfinance Bank|KWFT|KWFT Bank|Kenya Women Finance Trust',
  '79|Faulu Microfinance Bank|Faulu|Faulu Bank|Faulu Kenya',
];

export const bankTable: { readonly [C in BankCountry]: readonly Bank[] } = {
  SouthAfrica: southAfrica.map((line) => bankOfLine('SouthAfrica', line)),
  Nigeria: nigeria.map((line) => bankOfLine('Nigeria', line)),
  Kenya: kenya.map((line) => bankOfLine('Kenya', line)),
};

function bankOfLine(country: BankCountry, line: string): Bank {
  const confirmed = !line.startsWith('?');
  const [digits = '', name = '', ...aliases] = (confirmed ? line : line.slice(1)).split('|');
  const code = digits === '' ? null : digits;
  return {
    id: fold(name),
    country,
    name,
    aliases,
    branchCode: country === 'SouthAfrica' ? code : null,
    code: country === 'SouthAfrica' ? null : code,
    confirmed,
  };
}
