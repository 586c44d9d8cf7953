/** Random texts of all characters. */
import fc from 'fast-check';

const firstSurrogate = 0xd800;
const surrogates = 0x800;
const characterOf = (index: number) => String.fromCodePoint(index < firstSurrogate ? index : index + surrogates);

/** The unit `binary` of fast-check lists all its characters first, which takes a second and 100 MB of each worker. */
const character = fc.nat({ max: 0x10_ffff - surrogates }).map(characterOf, (text) => {
  const code = (text as string).codePointAt(0)!;
  const index = code < firstSurrogate ? code : code - surrogates;
  if (text !== characterOf(index)) throw new Error('not one character');
  return index;
});

export const anyText = (limits: fc.StringSharedConstraints = {}) => fc.string({ ...limits, unit: character });
