import { createHash, randomBytes } from 'node:crypto';
import type { AccountId, PersonalText, PersonId } from '@tollgate/core';
import type { Queries } from '../script/queries.js';
import { changesOf, type Script } from '../script/script.js';
import { storableText } from '../text/storable-text.js';

/** A personal text of an entry as it is stored, beside the entry. */
export interface AuditTextRow {
  readonly entry: bigint;
  readonly field: string;
  readonly owner: string;
  readonly salt: string;
  readonly text: string;
}

const SALT_BYTES = 16;

/** What an entry holds of a text: too little to find the text by, once its salt is erased. */
type TextDigest = readonly [field: string, owner: string, digest: string];

function digestOf({ field, owner, salt, text }: AuditTextRow): TextDigest {
  return [field, owner, createHash('sha256').update(salt + text).digest('hex')];
}

/** The texts of an entry to be stored, each with a salt of its own. */
export function textRows(entry: bigint, texts: readonly PersonalText[]): readonly AuditTextRow[] {
  return texts.map(({ field, owner, text }) => ({
    entry, field, owner: storableText(owner), salt: randomBytes(SALT_BYTES).toString('hex'), text: storableText(text),
  }));
}

/** What the chain covers of the texts of an entry. */
export function digestsOf(rows: readonly AuditTextRow[]): string {
  return JSON.stringify(rows.map(digestOf));
}

/** Whether every text that is there is as it was written; those that have been erased are not looked for. */
export function areTextsSound(digests: string | null, rows: readonly AuditTextRow[]): boolean {
  const written = new Set(digests === null ? [] : (JSON.parse(digests) as readonly TextDigest[]).map((digest) => JSON.stringify(digest)));
  return rows.every((row) => written.has(JSON.stringify(digestOf(row))));
}

/** The texts of several entries, by entry. */
export function textsByEntry(rows: readonly AuditTextRow[]): ReadonlyMap<bigint, readonly AuditTextRow[]> {
  const byEntry = new Map<bigint, AuditTextRow[]>();
  for (const row of rows) byEntry.set(row.entry, [...(byEntry.get(row.entry) ?? []), row]);
  return byEntry;
}

/** Erases the texts of people and accounts from the trail, which stays whole. Comes after the last entry that may have any. */
export function* eraseAuditTexts(queries: Queries, owners: readonly (PersonId | AccountId)[]): Script<void> {
  yield* changesOf(queries.deleteFrom('audit_texts').where('owner', 'in', owners));
}
