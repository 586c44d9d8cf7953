/** Shows the documents that a sheet's rows name, and uploads or removes them. */
import { useState } from 'preact/hooks';
import type { Upload } from '../api.ts';
import { Ask, Failure, Heading, say } from './parts.tsx';
import { pathOf, watchPage } from './route.ts';
import { may, post, postFile, sentence } from './server.ts';
import { count, isPaying, oneOrMany, size } from './words.ts';

export function Documents(props: {
  readonly upload: Upload;
  readonly address: string;
  readonly onChange: (upload: Upload) => void;
}) {
  const { upload, address, onChange } = props;
  const [sending, setSending] = useState<string | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const canAdd = may('preparer') && upload.state !== 'batch' && !isPaying(upload);
  if (!canAdd && upload.documents.length === 0) return null;
  const add = async (input: HTMLInputElement) => {
    setFailure(null);
    const isStillHere = watchPage();
    try {
      const added: string[] = [];
      for (const file of Array.from(input.files ?? [])) {
        setSending(file.name);
        onChange(await postFile<Upload>(`${address}/documents`, file));
        added.push(file.name);
        say(`${oneOrMany(added.length, `${file.name} was`, `${count(added.length)} documents were`)} added.`);
      }
    } catch (error) {
      if (isStillHere()) setFailure(sentence(error));
      else say(`Not all documents of ${upload.file} were added: ${sentence(error)}`);
    }
    setSending(null);
    input.value = '';
  };
  const remove = async ({ name, file }: Upload['documents'][number]) => {
    onChange(await post<Upload>(`${address}/documents/${encodeURIComponent(name)}/remove`, { file }));
    say(`${name} was removed.`);
  };
  return (
    <section>
      <Heading id="documents">Documents</Heading>
      {upload.documents.length === 0 ? (
        <p>
          None yet. If a row names an invoice or a contract in its column of documents, add the file here, under the
          same name. Payments above 50,000 ZAR need a document. Several payments to one account also need one, if they
          are above that amount together.
        </p>
      ) : (
        <DocumentList upload={upload} address={address} onRemove={canAdd ? remove : null} />
      )}
      {canAdd && (
        <p>
          <label for="document-files">Add documents (PDF, PNG or JPEG):</label>{' '}
          <input
            id="document-files"
            type="file"
            multiple
            accept=".pdf,.png,.jpg,.jpeg,.tif,.tiff"
            aria-disabled={sending !== null}
            onChange={(event) => void add(event.currentTarget)}
          />
        </p>
      )}
      {sending !== null && (
        <p role="status">
          Sending {sending} … <progress aria-label={`Sending ${sending}`} />
        </p>
      )}
      {failure !== null && <Failure>{failure}</Failure>}
    </section>
  );
}

export function DocumentList(props: {
  readonly upload: Upload;
  readonly address: string;
  readonly onRemove?: ((one: Upload['documents'][number]) => Promise<void>) | null;
}) {
  const { upload, address, onRemove = null } = props;
  return (
    <ul>
      {upload.documents.map(({ name, bytes, file }) => (
        <li key={name}>
          {may('viewer') ? (
            name
          ) : (
            <a href={`${address}/documents/${encodeURIComponent(name)}`} download>
              {name}
            </a>
          )}
          , {size(bytes)},{' '}
          <a href={`${pathOf('sheets', upload.id)}?rows=all&q=${encodeURIComponent(name)}`}>rows that name {name}</a>{' '}
          {onRemove !== null && (
            <Ask
              of={file}
              button="Remove"
              label={`Remove ${name}`}
              title={`Remove ${name}?`}
              confirm="Remove it"
              action={() => onRemove({ name, bytes, file })}
            >
              <p>
                The document is removed here, and no payment has it. Rows that name it then need it again.
                {(upload.state === 'planned' || upload.state === 'approved') &&
                  ' The plan and its approvals then no longer count.'}
              </p>
            </Ask>
          )}
        </li>
      ))}
    </ul>
  );
}
