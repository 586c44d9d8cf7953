/** Measures the columns of a text for `--help`. The library does it for all emoji, and took a quarter of each start. */
import { stripVTControlCharacters } from 'node:util';

export default (text: string): number => stripVTControlCharacters(text).length;
