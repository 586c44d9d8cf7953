/** Explains the hard words of a page where they are used, and all words on a page of their own. */
import { useId, useState } from 'preact/hooks';
import { hardWords, type Word, words } from './hard-words.ts';
import { Fact, Title } from './parts.tsx';
import { rowWords } from './words.ts';

export function Words(props: { readonly of?: readonly Word[]; readonly facts?: readonly (string | null)[] }) {
  const id = useId();
  const [asked, setAsked] = useState<string | null>(null);
  const found = hardWords(props.of ?? [], props.facts);
  if (found.length === 0) return null;
  const means = found.find(([word]) => word === asked)?.[1];
  return (
    <div class="hint noprint">
      What is{' '}
      {found.map(([word]) => (
        <button
          type="button"
          class="small"
          key={word}
          aria-expanded={asked === word}
          aria-controls={id}
          onClick={() => setAsked(asked === word ? null : word)}
        >
          {word}?
        </button>
      ))}
      <p id={id} role="status">
        {means !== undefined && `${asked}: ${means}`}
      </p>
    </div>
  );
}

const meanings = (of: readonly (readonly [string, string])[]) => (
  <dl class="facts">
    {of.map(([word, means]) => (
      <Fact key={word} name={word}>
        {means}
      </Fact>
    ))}
  </dl>
);

export function Glossary() {
  return (
    <>
      <Title page="Words">What the words mean</Title>
      {meanings(words)}
      <h2>What a row is called</h2>
      {meanings(rowWords.map(({ word, means }) => [word, means] as const))}
    </>
  );
}
