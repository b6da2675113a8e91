interface EndingColumn {
  readonly name: string;
  readonly type: 'text' | 'bigint' | 'smallint';
}

/** What an operation says of how a request ended, as columns of usage records and late settlements; charge and write-off are decided here. */
const ENDING_1: readonly EndingColumn[] = [
  { name: 'end_reason', type: 'text' },
  { name: 'served_by', type: 'text' },
  { name: 'fallback_used', type: 'smallint' },
  { name: 'price_prompt', type: 'text' },
  { name: 'price_cached_prompt', type: 'text' },
  { name: 'price_cache_creation', type: 'text' },
  { name: 'price_output', type: 'text' },
  { name: 'uncached_prompt_tokens', type: 'bigint' },
  { name: 'cached_prompt_tokens', type: 'bigint' },
  { name: 'cache_creation_tokens', type: 'bigint' },
  { name: 'reasoning_tokens', type: 'bigint' },
  { name: 'visible_output_tokens', type: 'bigint' },
  { name: 'usage_source', type: 'text' },
  { name: 'first_output_at', type: 'bigint' },
  { name: 'ended_at', type: 'bigint' },
];
const ENDING_2: readonly EndingColumn[] = [...ENDING_1, { name: 'reasoning_withheld', type: 'smallint' }];
const ENDING_3: readonly EndingColumn[] = [...ENDING_2, { name: 'upstream_id', type: 'text' }, { name: 'settled_at', type: 'bigint' }];

/** Released versions of the functions for endings; each one writes the columns of its time. */
export type FunctionVersion = 1 | 2 | 3;

const ENDINGS: Readonly<Record<FunctionVersion, readonly EndingColumn[]>> = { 1: ENDING_1, 2: ENDING_2, 3: ENDING_3 };

export const TOKEN_COLUMNS = [
  'uncached_prompt_tokens', 'cached_prompt_tokens', 'cache_creation_tokens', 'reasoning_tokens', 'visible_output_tokens',
] as const;

/** The columns by name, for the head of an insertion. */
export function endingNames(version: FunctionVersion): string {
  return ENDINGS[version].map(({ name }) => name).join(', ');
}

/** The same columns out of a JSON object. */
export function endingFrom(object: string, version: FunctionVersion): string {
  return ENDINGS[version].map(({ name, type }) => (type === 'text' ? `${object}->>'${name}'` : `(${object}->>'${name}')::${type}`)).join(', ');
}

/** Token counts out of a JSON object, each with something around it. */
export function tokensFrom(object: string, around: (count: string) => string): string {
  return TOKEN_COLUMNS.map((name) => around(`(${object}->>'${name}')::bigint`)).join(', ');
}
