/** Sentences of the command line as the page says them: flags and commands give way to what a person does there. */

const instead: readonly (readonly [RegExp, string])[] = [
  [/Choose one with --sheet NAME, or correct the names\./g, 'Choose one of them here, or correct the names.'],
  [
    /Choose one with --sheet NAME, and `payrun check` prints a map to start from; or see `payrun template`\./g,
    'Choose one of them here.',
  ],
  [/Choose one with --sheet NAME/g, 'Choose one of them here'],
  [/,? or (?:read|pay) hidden \w+ too with --include-hidden|,? or add --include-hidden/g, ''],
  [
    /,? or say how the sheet writes numbers with --number-format/g,
    ', or say here, where columns are matched, how the sheet writes numbers',
  ],
  [/,? or say with --map (where it stands|what they count|what it counts)/g, ', or match the columns here and say $1'],
  [/--map can say so/g, 'say so where columns are matched'],
  [/say so with --map/g, 'say so where columns are matched'],
  [/; `payrun template` writes a sheet with the right ones/g, ''],
  [/(document '[^']*') was not found under \S.*$/gm, '$1 was not handed in yet'],
  [
    /(document '[^']*') is not under [^;]*; put it there, or name the folder with --documents/g,
    '$1 is named with a folder that is not handed in; write its name alone',
  ],
  [/the documents folder .* does not exist/g, 'no document was handed in yet'],
  [/, who is none of the makers of .*$/gs, ', who is no preparer any more. A preparer makes a new plan of the sheet.'],
  [/`payrun banks[^`]*` lists them/g, 'the list of banks has them'],
  [/:? *`?payrun [a-z]+ [^;`\n]*`?/g, ''],
  [/ (?:with|by) --[a-z-]+(?: [A-Z]+)?\b/g, ''],
];

export function forPage(words: string): string {
  return instead
    .reduce((text, [pattern, other]) => text.replaceAll(pattern, other), words)
    .split('\n')
    .filter((line) => !/^\s*(?:Make one|Have it approved)\b/.test(line))
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join(' ');
}
