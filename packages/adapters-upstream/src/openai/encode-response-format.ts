import type { GenerationRequest } from '@tollgate/core';
import { JsonText, type Printable, printObject } from '@tollgate/json-text';
import type { OpenaiOptions } from '../upstream-definition.js';

/** Servers insist on a name. */
const UNNAMED = 'response';

/** `response_format`: the schema only for servers that enforce it, since others refuse a request that has one. */
export function encodeResponseFormat({ responseFormat, outputSchema }: GenerationRequest, { jsonSchema }: OpenaiOptions): Printable | undefined {
  if (responseFormat === 'text') return undefined;
  if (jsonSchema === 'object' || outputSchema === null) return { type: 'json_object' };
  const { name, description, strict, schema } = outputSchema;
  return printObject({
    type: 'json_schema',
    json_schema: printObject({
      name: name ?? UNNAMED,
      description: description ?? undefined,
      strict: strict ?? undefined,
      schema: new JsonText(schema.text),
    }),
  });
}
