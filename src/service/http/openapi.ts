/** Makes the OpenAPI 3.1 document from the table of routes, so that both always agree. */
import { z } from 'zod';
import type { Each } from '../../base/words.ts';
import { wireWords } from '../../messages/field-words.ts';
import { errorBody } from '../../wire/page.ts';
import type { Route } from './routes.ts';

type Json = { [key: string]: unknown };

type Described = Each<'title version url', string>;

export function openApiOf(routes: readonly Route[], { title, version, url }: Described): Json {
  const paths: { [path: string]: Json } = {};
  for (const route of routes) {
    const path = route.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description:
        'Amounts are whole numbers in the destination currency; times are ISO 8601 in UTC with milliseconds; ids are UUIDs. Lists end with an offsetMarker of null.',
    },
    servers: [{ url }],
    tags: [...new Set(routes.map(groupOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Error: jsonSchema(errorBody, 'output') },
      securitySchemes: {
        tenantToken: { type: 'http', scheme: 'bearer', description: 'From POST /token.' },
        userToken: { type: 'http', scheme: 'bearer', description: 'From POST /tokens/user.' },
      },
    },
  };
}

export const groupOf = ({ path }: { readonly path: string }): string => /^\/(\w[\w.-]*)/.exec(path)?.[1] ?? 'service';

const securityOf: { readonly [W in Route['who']]: readonly Json[] } = {
  public: [],
  tenant: [{ tenantToken: [] }],
  user: [{ userToken: [] }],
  'tenant or user': [{ tenantToken: [] }, { userToken: [] }],
  'tenant-or-that-user': [{ tenantToken: [] }, { userToken: [] }],
};

function operationOf(route: Route): Json {
  const { section, summary } = route;
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replaceAll(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [groupOf(route)],
    summary,
    ...(section === null ? {} : { description: `Interface ${section}.` }),
    security: securityOf[route.who],
    parameters: [...pathParameters(route), ...queryParameters(route)],
    ...(route.form === undefined ? {} : body('multipart/form-data', formSchema(route.form))),
    ...(route.body === undefined ? {} : body('application/json', jsonSchema(route.body, 'input'))),
    responses: {
      [route.status]: { description: 'Done', content: answerOf(route) },
      ...(route.existingStatus === undefined
        ? {}
        : { [route.existingStatus]: { description: 'It is there already', content: answerOf(route) } }),
      default: { description: 'Refused', content: jsonContent({ $ref: '#/components/schemas/Error' }) },
    },
  };
}

function pathParameters({ path }: Route): Json[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
}

function queryParameters({ query }: Route): Json[] {
  if (query === undefined) return [];
  const { properties = {}, required = [] } = jsonSchema(query, 'input') as {
    properties?: { [name: string]: Json };
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: Object.keys(schema).length === 0 ? { type: 'string' } : schema,
  }));
}

const body = (type: string, schema: Json): Json => ({
  requestBody: { required: true, content: { [type]: { schema } } },
});

function formSchema(form: NonNullable<Route['form']>): Json {
  const properties = Object.entries(form).map(([name, what]) => [
    name,
    { type: 'string', ...(what === 'file' ? { contentMediaType: 'application/octet-stream' } : {}) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties), required: Object.keys(form) };
}

function answerOf({ answer }: Route): Json {
  if (answer === 'file') return { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } };
  return jsonContent(jsonSchema(answer, 'output'));
}

const jsonContent = (schema: Json): Json => ({ 'application/json': { schema } });

const sayFields: NonNullable<z.core.ToJSONSchemaParams['override']> = ({ jsonSchema: made }) => {
  if (made.description !== undefined) made.description = wireWords(made.description);
};

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const settings = { io, unrepresentable: 'any', override: sayFields } as const;
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, settings) as Json;
  return made;
}
