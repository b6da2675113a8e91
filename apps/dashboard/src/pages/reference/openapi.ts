/** A JSON Schema of the described API, as far as the page shows it. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly 'x-event-data'?: Schema;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

export interface Operation {
  readonly operationId: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface OpenApi {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** Routes by tag, in the order of the document. */
export function routesByTag({ paths, servers }: OpenApi, untagged: string): readonly (readonly [tag: string, routes: readonly Route[]])[] {
  const root = (servers[0]?.url ?? '').replace(/\/$/, '');
  const byTag = new Map<string, Route[]>();
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const tag = operation.tags?.[0] ?? untagged;
      byTag.set(tag, [...byTag.get(tag) ?? [], { method: method.toUpperCase(), path: root + path, operation }]);
    }
  }
  return [...byTag];
}

/** The name of the component that a schema refers to; `null` for an inline schema. */
export function componentOf({ $ref }: Schema): string | null {
  return $ref?.split('/').at(-1) ?? null;
}

interface TypeWords {
  readonly any: string;
  readonly or: string;
  readonly listOf: (type: string) => string;
}

/** A schema's type in a few words: `list of Model`, `string or null`, `"asc" or "desc"`. */
export function typeOf(schema: Schema, words: TypeWords): string {
  const component = componentOf(schema);
  if (component !== null) return component;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return [...new Set(choices.map((choice) => typeOf(choice, words)))].join(words.or);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(words.or);
  if (schema.items !== undefined) return words.listOf(typeOf(schema.items, words));
  if (schema.type === undefined) return words.any;
  return [schema.type].flat().join(words.or);
}

/** The members that a schema declares itself, including those of inline list items and alternatives; not those of components that it refers to. */
export function membersOf(schema: Schema): readonly (readonly [name: string, member: Schema, isRequired: boolean])[] {
  const inner = [schema.items, ...schema.anyOf ?? [], ...schema.oneOf ?? []].filter((part) => part !== undefined);
  const own = Object.entries(schema.properties ?? {}).map(([name, member]) => [name, member, schema.required?.includes(name) === true] as const);
  return [...own, ...inner.flatMap(membersOf)];
}
