import { shell } from '#texts/shell';

/** A row of the palette that opens an address below `/dashboard`. */
export interface Find {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly to: string;
}

interface Named {
  readonly id: string;
  readonly name: string | null;
}

const MAX_FINDS_OF_A_KIND = 5;

/** Items whose name or id contains the text, ignoring case. */
function named<Item extends Named>(items: readonly Item[], text: string): readonly Item[] {
  const folded = text.toLowerCase();
  return items.filter(({ id, name }) => `${name ?? ''}\n${id}`.toLowerCase().includes(folded)).slice(0, MAX_FINDS_OF_A_KIND);
}

interface NamedKey extends Named {
  readonly hint: string | null;
}

interface Searched {
  /** The newest keys of the person. */
  readonly keys: readonly NamedKey[];
  /** Keys that the gateway has already found, among all keys of the person or, for operators, of everybody. */
  readonly foundKeys: readonly NamedKey[];
  readonly isOperator: boolean;
  readonly models: readonly (Named & { readonly name: string })[];
  /** Accounts that the gateway has already found. */
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly email: string }[];
}

function keyFinds(text: string, { keys, foundKeys, isOperator }: Pick<Searched, 'keys' | 'foundKeys' | 'isOperator'>): readonly Find[] {
  const own = new Set(keys.map(({ id }) => id));
  const others = foundKeys.filter(({ id }) => !own.has(id));
  return [...named(keys, text), ...others].slice(0, MAX_FINDS_OF_A_KIND).map(({ id, name, hint }) => ({
    id, label: name ?? hint ?? id, description: shell.palette.key(hint ?? id), to: isOperator && !own.has(id) ? `/operator/usage?key_id=${id}` : `/keys/${id}`,
  }));
}

/** Rows that match the text; none for an empty text. */
export function findsFor(text: string, { models, accounts, ...keys }: Searched): readonly Find[] {
  if (text === '') return [];
  return [
    ...accounts.map(({ id, name, email }) => ({ id, label: name === '' ? email : name, description: shell.palette.account(email), to: `/operator/accounts/${id}` })),
    ...keyFinds(text, keys),
    ...named(models, text).map(({ id, name }) => ({ id: `model ${id}`, label: name, description: shell.palette.model, to: `/models/${encodeURIComponent(id)}` })),
  ];
}
