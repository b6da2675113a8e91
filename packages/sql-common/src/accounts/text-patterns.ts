import { PostgresAdapter } from 'kysely';
import type { Queries } from '../script/queries.js';

export function isPostgres(queries: Queries): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * Lower-case and upper-case spellings of a character that are single characters. They form a character class, which means the same on both databases;
 * SQLite's `like` folds only ASCII, and PostgreSQL's `ilike` depends on the locale.
 */
function spellingsOf(character: string): string {
  const spellings = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  return [...spellings].filter((spelling) => Array.from(spelling).length === 1).join('');
}

function hasCases(spellings: string): boolean {
  return Array.from(spellings).length > 1;
}

/** True if the text is ASCII; its upper-case and lower-case spellings then are, too. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** Pattern for SQLite's `glob` that matches texts containing `text`, in upper or lower case. */
export function globOf(text: string): string {
  const parts = Array.from(text, (character) => {
    const spellings = spellingsOf(character);
    return hasCases(spellings) || '*?['.includes(character) ? `[${spellings}]` : character;
  });
  return `*${parts.join('')}*`;
}

/** Pattern for PostgreSQL's `~` that matches texts containing `text`, in upper or lower case. */
export function regexpOf(text: string): string {
  return Array.from(text, (character) => {
    const spellings = spellingsOf(character);
    return hasCases(spellings) ? `[${spellings}]` : character.replace(/[\\^$.[\]|()?*+{}]/, String.raw`\$&`);
  }).join('');
}
