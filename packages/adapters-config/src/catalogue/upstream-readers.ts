import type { Model, UpstreamDefinition } from '@tollgate/core';

/** Ids of the upstreams with each capability: reading documents, and enforcing JSON Schemas of replies. */
export interface UpstreamReaders {
  readonly documents: ReadonlySet<string>;
  readonly schemas: ReadonlySet<string>;
}

export function readersAmong(upstreams: readonly UpstreamDefinition[]): UpstreamReaders {
  const idsOf = (reads: (upstream: UpstreamDefinition) => boolean): ReadonlySet<string> => new Set(upstreams.filter(reads).map(({ id }) => id));
  return {
    documents: idsOf(({ kind }) => kind === 'anthropic'),
    schemas: idsOf((upstream) => upstream.kind === 'sandbox' || upstream.options?.jsonSchema === 'schema'),
  };
}

/** A model has a capability if at least one of its upstreams has it. */
export function readingOf(upstreamIds: readonly string[], { documents, schemas }: UpstreamReaders): Pick<Model, 'readsDocuments' | 'readsSchemas'> {
  return {
    ...(upstreamIds.some((id) => documents.has(id)) ? { readsDocuments: true } : {}),
    ...(upstreamIds.some((id) => schemas.has(id)) ? { readsSchemas: true } : {}),
  };
}
