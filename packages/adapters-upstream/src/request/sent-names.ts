import { hash } from 'node:crypto';

/** Maximum length of a name at all vendors. */
const MAX_SENT_NAME_CHARACTERS = 64;

const HASH_CHARACTERS = 16;
const FOREIGN_CHARACTER = /[^\w-]/;
const EVERY_FOREIGN_CHARACTER = /[^\w-]/g;

function hashOf(text: string, characters: number): string {
  return hash('sha256', text, 'hex').slice(0, characters);
}

/** A text of at most `limit` characters: the beginning and a hash. The same text gives the same result; different texts stay different. */
function cut(text: string, limit: number, beginning = text): string {
  const kept = limit - HASH_CHARACTERS - 1;
  return kept < 1 ? hashOf(text, limit) : `${beginning.slice(0, kept)}_${hashOf(text, HASH_CHARACTERS)}`;
}

/** True if every vendor accepts the name as it is. */
export function isSentName(name: string): boolean {
  return name.length <= MAX_SENT_NAME_CHARACTERS && !FOREIGN_CHARACTER.test(name);
}

/** The name in the characters and length that every vendor accepts. */
export function sentName(name: string): string {
  if (isSentName(name)) return name;
  return cut(name, MAX_SENT_NAME_CHARACTERS, name.slice(0, MAX_SENT_NAME_CHARACTERS).replace(EVERY_FOREIGN_CHARACTER, '_'));
}

/** The id in the length that the server accepts. */
export function sentId(id: string, limit: number): string {
  return id.length <= limit ? id : cut(id, limit);
}
