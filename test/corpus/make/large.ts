/** Writes the texts of the sheets that are made when they are read: `node test/corpus/make/large.ts`. */
import { large } from '../large.ts';
import { placeText } from './place.ts';

for (const [name, { about }] of Object.entries(large)) placeText({ name: `large/${name}`, about });
