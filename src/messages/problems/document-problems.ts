/** The words of the problems of supporting documents. */
import type {
  DocumentFileFault,
  DocumentFileFaults,
  DocumentProblems,
} from '../../domain/problems/document-problems.ts';
import { kindWords, sizeWords } from '../../domain/rows/document.ts';
import type { ProblemTable } from '../audience.ts';
import { fieldName } from '../field-words.ts';
import { counted, grouped } from '../format/numbers.ts';
import { timeWords } from '../format/times.ts';

const unreadable = {
  'not-opened': 'cannot be opened; check its permissions',
  damaged: 'begins like a PDF, but was cut off or damaged; save it again',
  encrypted: 'is an encrypted PDF, which nobody at the service can open; save it without a password',
} as const;

function ofType(facts: DocumentFileFaults['DOCUMENT_TYPE']): string {
  switch (facts.why) {
    case 'not-plain':
      return 'is not a plain file';
    case 'empty':
      return 'is empty: nothing was saved in it';
    case 'ending':
      return `is named ${facts.ending} and holds a ${kindWords([facts.kind])}; programs cannot open it under this name; rename it`;
    case 'content':
      return `is not ${kindWords(facts.kinds)} by its content${facts.bySetting ? ', as the setting documents.kinds asks' : ''}; save it as one of these`;
  }
}

const tooLarge = ({ sizeBytes, maxBytes, bySetting }: DocumentFileFaults['DOCUMENT_TOO_LARGE']) =>
  `is ${grouped(sizeBytes)} bytes; at most ${grouped(maxBytes)} (${sizeWords(maxBytes)}) are accepted${bySetting ? ' (the setting documents.maxSize)' : ''}: make it smaller`;

/** Returns the end of a sentence that begins with the file's name. */
export function documentFileWords(fault: DocumentFileFault): string {
  switch (fault.code) {
    case 'DOCUMENT_UNREADABLE':
      return unreadable[fault.facts.why];
    case 'DOCUMENT_TYPE':
      return ofType(fault.facts);
    case 'DOCUMENT_TOO_LARGE':
      return tooLarge(fault.facts);
  }
}

export const documentProblems: ProblemTable<DocumentProblems> = {
  DOCUMENT_OUTSIDE: ({ name, folder }, audience) =>
    audience === 'page'
      ? `document '${name}' is named with a folder, but folders are not uploaded; write only the name of the document`
      : `document '${name}' is not under ${folder}; put it there, or name the folder with --documents`,
  DOCUMENT_MISSING: ({ name, folder, hasFolder, within }, audience) => {
    if (audience === 'page')
      return hasFolder ? `document '${name}' was not uploaded yet` : 'no document was uploaded yet';
    if (!hasFolder) return `the documents folder ${folder} does not exist`;
    return `document '${name}' was not found under ${folder}${within === null ? '' : `; did you mean '${within}'?`}`;
  },
  DOCUMENT_AMBIGUOUS: ({ name, rows, total }, to) =>
    `document '${name}' fits ${counted(total, 'row')} (${rows.join(', ')}${total > rows.length ? ', …' : ''}): their ${fieldName('row_id', to)} is the same, or differs only in capitals; name the document in the documents column`,
  DOCUMENT_UNREADABLE: ({ name, why }) => `document '${name}' ${unreadable[why]}`,
  DOCUMENT_TYPE: (facts) => `document '${facts.name}' ${ofType(facts)}`,
  DOCUMENT_AGAIN: ({ name, row, batch, paidAt }) =>
    `document '${name}' is the file that row ${row} of batch ${batch} (on ${timeWords(paidAt)}) had; check that it is not an earlier invoice`,
  DOCUMENT_TOO_LARGE: (facts) => `document '${facts.name}' ${tooLarge(facts)}`,
};
