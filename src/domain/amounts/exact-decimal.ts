/** Reads decimals of bank files as bigints, so that sums are exact. */

/** The most decimal places. Control sums of ISO 20022 have at most 17. */
const places = 18;
const decimal = /^[+-]?(\d{1,30})(?:\.(\d{0,18}))?$/;

/** Returns a decimal times 10^18 as a bigint; null for any other text. */
export function exactDecimal(text: string): bigint | null {
  const match = decimal.exec(text);
  if (match === null) return null;
  const units = BigInt(match[1]! + (match[2] ?? '').padEnd(places, '0'));
  return text.startsWith('-') ? -units : units;
}

export function decimalText(units: bigint): string {
  const digits = units.toString().padStart(places + 1, '0');
  const fraction = digits.slice(-places).replace(/0+$/, '');
  return digits.slice(0, -places) + (fraction === '' ? '' : `.${fraction}`);
}
