import { join, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { z } from 'zod';
import { type Environment, ENVIRONMENT_FILE_NAME } from './environment-file.js';
import { readTextFile } from './text-file.js';
import type { Variable } from './variable.js';
import { VARIABLES } from './variables.js';

const KNOWN = Object.entries<Variable<z.ZodType, string | null>>(VARIABLES).flatMap(([name, { formerName }]) => (formerName === undefined ? [name] : [name, formerName]));
/** Maximum edit distance between an unknown name and the suggested one; for a short name, at most half its length. */
const MAX_CHANGES = 3;

/** Warnings, one line each, about names in the folder's `.env` that are neither settings nor mentioned by the catalogue file, as in `api_key_env`. */
export function unknownNamesIn(folder: string, environment: Environment): readonly string[] {
  const file = parseEnv(textOfFile(join(folder, ENVIRONMENT_FILE_NAME)));
  const unknown = Object.keys(file).filter((name) => !KNOWN.includes(name));
  const catalogue = textOfFile(resolve(folder, environment['CATALOG_FILE'] ?? file['CATALOG_FILE'] ?? ''));
  return unknown.filter((name) => !catalogue.includes(name)).map(warningOf);
}

/** The file's text; empty if the file is missing or unreadable, which is reported elsewhere. */
function textOfFile(path: string): string {
  try {
    return readTextFile(path);
  } catch {
    return '';
  }
}

function warningOf(name: string): string {
  const nearest = KNOWN.map((known) => ({ known, changes: editDistance(name.toUpperCase(), known) })).toSorted((a, b) => a.changes - b.changes)[0];
  const hint = nearest !== undefined && nearest.changes <= Math.min(MAX_CHANGES, Math.floor(name.length / 2)) ? `; did you mean ${nearest.known}?` : '';
  return `${ENVIRONMENT_FILE_NAME}: ${name} is no setting of Tollgate and has no effect${hint}`;
}

/** Levenshtein distance. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [position, letter] of Array.from(from).entries()) {
    const next = [position + 1];
    for (const [column, other] of Array.from(to).entries()) {
      next.push(Math.min((next[column] ?? 0) + 1, (row[column + 1] ?? 0) + 1, (row[column] ?? 0) + (letter === other ? 0 : 1)));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
