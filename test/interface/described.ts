/** Holds answers against the OpenAPI document that the service gives of itself. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';

export type CheckAnswer = (method: string, path: string, status: number, body: unknown) => void;

interface Operation {
  readonly responses: { readonly [status: string]: { readonly content: { readonly [type: string]: unknown } } };
}

interface Description {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
}

export async function openDescription(url: string): Promise<CheckAnswer> {
  const description = (await (await fetch(`${url}/openapi.json`)).json()) as Description;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(description, 'description');
  const templates = Object.keys(description.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  }));
  const validators = new Map<string, ValidateFunction>();

  function validatorAt(...pointer: string[]): ValidateFunction {
    const at = pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
    const known = validators.get(at);
    if (known !== undefined) return known;
    const made = ajv.compile({ $ref: `description#/${at}` });
    validators.set(at, made);
    return made;
  }

  return (method, path, status, body) => {
    const [bare = ''] = path.split('?');
    const found = templates.find(({ pattern }) => pattern.test(bare))?.template;
    const operation = found === undefined ? undefined : description.paths[found]?.[method.toLowerCase()];
    // What the service does not serve, and so does not describe.
    if (found === undefined || operation === undefined) return expect(status).toBe(404);
    const answered = String(status) in operation.responses ? String(status) : 'default';
    expect(status >= 400, `${method} ${path}: only refusals are left undescribed`).toBe(answered === 'default');
    const validate = validatorAt(
      'paths',
      found,
      method.toLowerCase(),
      'responses',
      answered,
      'content',
      'application/json',
      'schema',
    );
    validate(body);
    expect(validate.errors ?? [], `${method} ${path} answered ${status} ${JSON.stringify(body)}`).toEqual([]);
  };
}
