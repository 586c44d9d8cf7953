/** Shows the API description as one HTML page without scripts. */
import { groupOf } from './openapi.ts';
import type { Route } from './routes.ts';

type Json = { readonly [key: string]: unknown };

const whoWords: { readonly [W in Route['who']]: string } = {
  public: 'no token',
  tenant: 'a tenant token',
  user: 'a user token',
  'tenant or user': 'a tenant token or a user token',
  'tenant-or-that-user': 'a tenant token, or the token of that very user',
};

const style = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { margin-top: 2.5rem; } h3 { font: 600 1rem ui-monospace, monospace; margin: 1.5rem 0 0; }
section { border-top: 1px solid var(--line); } p { margin: .25rem 0; } nav a { margin-right: 1rem; }
table { border-collapse: collapse; margin: .5rem 0; width: 100%; } caption { text-align: left; font-weight: 600; }
th, td { text-align: left; vertical-align: top; padding: .2rem .75rem .2rem 0; border-bottom: 1px solid var(--line); }
td:first-child { font-family: ui-monospace, monospace; } .note { opacity: .75; }`;

/** `document` must come from `openApiOf` for the same routes. */
export function pageOf(routes: readonly Route[], document: Json, title: string): string {
  const groups = Map.groupBy(routes, groupOf);
  const links = [...groups.keys()].map((name) => `<a href="#${escaped(name)}">${escaped(name)}</a>`);
  const sections = Array.from(
    groups,
    ([name, members]) =>
      `<h2 id="${escaped(name)}">${escaped(name)}</h2>${members.map((route) => sectionOf(route, document)).join('')}`,
  );
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${style}</style><body><h1>${escaped(title)}</h1><p>Every call but the public ones carries <code>Authorization: Bearer TOKEN</code>. Errors are <code>{ "message": … }</code>. For programs: <a href="openapi.json">openapi.json</a>.</p><nav aria-label="Resources">${links.join('')}</nav>${sections.join('')}</body></html>`;
}

function sectionOf(route: Route, document: Json): string {
  const { section, summary } = route;
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
  const operation = at(document, 'paths', path, route.method.toLowerCase());
  const parameters = (operation.parameters ?? []) as readonly (Json & { readonly schema: Json })[];
  const sent = Object.values(at(operation, 'requestBody', 'content'))[0] as Json | undefined;
  const answered = Object.values(at(operation, 'responses', String(route.status), 'content'))[0] as Json | undefined;
  return [
    `<section><h3>${escaped(route.name)}</h3><p>${escaped(summary)}.</p>`,
    `<p class="note">Takes ${whoWords[route.who]}; answers ${route.status}${section === null ? '' : `; interface ${escaped(section)}`}.</p>`,
    table(
      'Parameters',
      parameters.map(({ name, required, schema }) => ({ name: String(name), required: required === true, schema })),
    ),
    table('Body', fieldsOf(at(sent ?? {}, 'schema'))),
    table('Answer', fieldsOf(at(answered ?? {}, 'schema'))),
    '</section>',
  ].join('');
}

interface Field {
  readonly name: string;
  readonly required: boolean;
  readonly schema: Json;
}

function fieldsOf(schema: Json, prefix = ''): Field[] {
  if (schema.type === 'array') return fieldsOf(at(schema, 'items'), `${prefix}[]`);
  const required = (schema.required ?? []) as readonly string[];
  const properties = Object.entries((schema.properties ?? {}) as { readonly [name: string]: Json });
  if (properties.length === 0) return prefix === '' ? [] : [{ name: prefix, required: false, schema }];
  return properties.flatMap(([name, inner]) => {
    const full = prefix === '' ? name : `${prefix}.${name}`;
    const inside = fieldsOf(inner, full);
    const nested = inside.some((field) => field.name !== full);
    return nested ? inside : [{ name: full, required: required.includes(name), schema: inner }];
  });
}

function table(caption: string, fields: readonly Field[]): string {
  if (fields.length === 0) return '';
  const rows = fields.map(
    ({ name, required, schema }) =>
      `<tr><td>${escaped(name)}</td><td>${escaped(typeWords(schema))}</td><td>${required ? 'required' : ''}${escaped(noteOf(schema))}</td></tr>`,
  );
  return `<table><caption>${caption}</caption>${rows.join('')}</table>`;
}

const noteOf = ({ description }: Json) => (typeof description === 'string' ? description : '');

function typeWords(schema: Json): string {
  const choices = (schema.anyOf ?? schema.oneOf) as readonly Json[] | undefined;
  if (choices !== undefined) return choices.map(typeWords).join(' or ');
  if (schema.enum !== undefined) return (schema.enum as readonly unknown[]).join(', ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const { format, pattern } = schema as { readonly format?: string; readonly pattern?: string };
  const type = [(schema.type ?? 'any') as string | readonly string[]].flat().join(' or ');
  if (format !== undefined) return `${type} (${format})`;
  return pattern === undefined ? type : `${type}, ${pattern}`;
}

const at = (value: Json, ...path: readonly string[]): Json =>
  path.reduce<Json>((inner, key) => (inner[key] as Json | undefined) ?? {}, value);

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
