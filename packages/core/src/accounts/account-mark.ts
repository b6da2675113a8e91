import type { AccountId, ApiKeyId, PersonId } from '../primitives/primitives.js';
import type { KeyMark } from './operator-lookups.js';

/** A search term for accounts. */
export type AccountMark =
  | { readonly kind: 'email'; readonly email: string }
  | { readonly kind: 'account'; readonly id: AccountId }
  | { readonly kind: 'person'; readonly id: PersonId }
  | { readonly kind: 'key'; readonly key: KeyMark };

/** Last four characters of a key, alone or in a hint (`sk-Ab…wXyZ`). */
const KEY_ENDING = /^(?:sk-[A-Za-z0-9]{2}…)?([A-Za-z0-9]{4})$/;

/** `null` if the text matches no kind of search term. */
export function readAccountMark(text: string): AccountMark | null {
  const name = text.trim();
  if (name.includes('@')) return { kind: 'email', email: name };
  if (name.startsWith('acct_')) return { kind: 'account', id: name as AccountId };
  if (name.startsWith('person_')) return { kind: 'person', id: name as PersonId };
  if (name.startsWith('key_')) return { kind: 'key', key: { kind: 'id', id: name as ApiKeyId } };
  const ending = KEY_ENDING.exec(name)?.[1];
  return ending === undefined ? null : { kind: 'key', key: { kind: 'ending', ending } };
}
