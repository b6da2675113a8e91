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

/** Those whose name or id contains the text, in any case. */
function named<Item extends Named>(items: readonly Item[], text: string): readonly Item[] {
  const folded = text.toLowerCase();
  return items.filter(({ id, name }) => `${name ?? ''}\n${id}`.toLowerCase().includes(folded)).slice(0, MAX_FINDS_OF_A_KIND);
}

interface Searched {
  readonly keys: readonly (Named & { readonly hint: string })[];
  readonly models: readonly (Named & { readonly name: string })[];
  /** Already found by the gateway. */
  readonly accounts: readonly { readonly id: string; readonly name: string; readonly email: string }[];
}

/** None for an empty text. */
export function findsFor(text: string, { keys, models, accounts }: Searched): readonly Find[] {
  if (text === '') return [];
  return [
    ...accounts.map(({ id, name, email }) => ({ id, label: name === '' ? email : name, description: shell.palette.account(email), to: `/operator/accounts/${id}` })),
    ...named(keys, text).map(({ id, name, hint }) => ({ id, label: name ?? hint, description: shell.palette.key(hint), to: `/keys/${id}` })),
    ...named(models, text).map(({ id, name }) => ({ id: `model ${id}`, label: name, description: shell.palette.model, to: `/models/${encodeURIComponent(id)}` })),
  ];
}
