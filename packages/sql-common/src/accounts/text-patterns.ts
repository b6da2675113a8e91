import { PostgresAdapter } from 'kysely';
import type { Queries } from '../script/queries.js';

export function isPostgres(queries: Queries): boolean {
  return queries.getExecutor().adapter instanceof PostgresAdapter;
}

/**
 * The spellings of a character in any case that are single characters. SQLite's `like` folds only ASCII, and PostgreSQL's `ilike` depends on the
 * database's locale; a character class means the same in both.
 */
function spellingsOf(character: string): string {
  const spellings = new Set([character, character.toLowerCase(), character.toUpperCase()]);
  return [...spellings].filter((spelling) => Array.from(spelling).length === 1).join('');
}

function hasCases(spellings: string): boolean {
  return Array.from(spellings).length > 1;
}

/** True if all spellings of the text are ASCII. */
export function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** For SQLite's `glob`: texts that contain `text` in any case. */
export function globOf(text: string): string {
  const parts = Array.from(text, (character) => {
    const spellings = spellingsOf(character);
    return hasCases(spellings) || '*?['.includes(character) ? `[${spellings}]` : character;
  });
  return `*${parts.join('')}*`;
}

/** For PostgreSQL's `~`: texts that contain `text` in any case. */
export function regexpOf(text: string): string {
  return Array.from(text, (character) => {
    const spellings = spellingsOf(character);
    return hasCases(spellings) ? `[${spellings}]` : character.replace(/[\\^$.[\]|()?*+{}]/, String.raw`\$&`);
  }).join('');
}
