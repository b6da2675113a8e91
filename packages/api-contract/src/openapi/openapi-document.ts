import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

export type Operation = Readonly<Record<string, unknown>>;

/** The parts of an OpenAPI 3.1 document that the gateway itself reads. */
export interface OpenApiDocument {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  /** Operations by path, then by method. */
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>>; readonly securitySchemes: Readonly<Record<string, object>> };
  readonly [member: string]: unknown;
}

/** The schemas of one document. Schemas with an id in their metadata become components, and every use refers to them. */
export class DocumentSchemas {
  readonly #components = new Map<string, JsonSchema>();

  /** `input`: as a client sends it. `output`: as a client receives it. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { $schema: _dialect, '~standard': _standard, $defs = {}, ...described } = referringToComponents(z.toJSONSchema(schema, { io, unrepresentable: 'any', override: ({ jsonSchema }) => simplify(jsonSchema) }));
    for (const [name, component] of Object.entries($defs)) this.#components.set(name, component);
    return described;
  }

  add(name: string, schema: JsonSchema): JsonSchema {
    this.#components.set(name, schema);
    return { $ref: COMPONENT + name };
  }

  /** All components so far, by name. */
  get components(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#components].toSorted(([first], [second]) => (first < second ? -1 : 1)));
  }
}

const COMPONENT = '#/components/schemas/';

function referringToComponents(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/$defs/', `"${COMPONENT}`)) as JsonSchema;
}

/** Removes keywords that only validation needs. */
function simplify(schema: JsonSchema): void {
  delete schema.readOnly;
  if (schema.format === 'date-time') delete schema.pattern;
}

/** What every surface accepts as `Idempotency-Key`: printable ASCII characters. */
export const IDEMPOTENCY_KEY_SCHEMA = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' } as const;

/** One parameter for each member of the schema. */
export function parametersIn(place: 'path' | 'query', schema: z.ZodType | undefined, schemas: DocumentSchemas): readonly object[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.schemaOf(schema, 'input');
  return Object.entries(properties).map(([name, described]) => {
    const { description, ...rest } = described as JsonSchema;
    return { name, in: place, required: place === 'path' || required.includes(name), ...(description === undefined ? {} : { description }), schema: rest };
  });
}

export function jsonContent(schema: JsonSchema): object {
  return { 'application/json': { schema } };
}
