/** Forms with a file, as uploads send them. */

/** A small PDF in the field `file`, and these fields before it. */
export function newFormWith(fields: { readonly [name: string]: string }): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new Blob(['%PDF-1.7 x']), 'a.pdf');
  return form;
}
