import type { AuditFault, AuditTrailVerification } from '@tollgate/core';
import { AUDIT_ENTRY_COLUMNS, AUDIT_TEXT_COLUMNS } from '../schema/column-lists.js';
import { firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import { areTextsSound, auditHash, type AuditRow, type AuditTextRow, FIRST_PREVIOUS_HASH, textsByEntry } from './append-audit-entry.js';

/** Maximum entries verified at a time. Each takes about ten microseconds on the thread that serves requests. */
const ENTRIES_PER_READ = 250;

/** Number of entries that were written, and the hash of the last one. The entries must match both. */
interface Anchor {
  readonly entries: bigint;
  readonly head: string;
}

/** Progress of a verification: the entries verified so far, and the fault of the next one, if it has one. */
interface Followed {
  readonly entries: bigint;
  readonly hash: string;
  readonly fault: AuditFault | null;
}

type StoredEntry = AuditRow & { readonly hash: string };
type TextsByEntry = ReadonlyMap<bigint, readonly AuditTextRow[]>;

function faultOf({ entries, hash }: Followed, row: StoredEntry, anchor: Anchor): AuditFault | null {
  if (row.seq !== entries + 1n) return 'missing';
  if (row.seq > anchor.entries) return 'added';
  const isSound = row.hash === auditHash(hash, row) && (row.seq !== anchor.entries || row.hash === anchor.head);
  return isSound ? null : 'altered';
}

/** Consecutive entries, with their personal texts that have not been erased. */
interface Stretch {
  readonly rows: readonly StoredEntry[];
  readonly texts: TextsByEntry;
}

/** Verifies consecutive entries. Stops before the first one with a fault. */
function follow(start: Followed, { rows, texts }: Stretch, anchor: Anchor): Followed {
  let followed = start;
  for (const row of rows) {
    const fault = faultOf(followed, row, anchor) ?? (areTextsSound(row.texts, texts.get(row.seq) ?? []) ? null : 'altered');
    if (fault !== null) return { ...followed, fault };
    followed = { entries: row.seq, hash: row.hash, fault: null };
  }
  return followed;
}

/** Verifies all entries, and compares the last one with the anchor, which is in another table. */
export class AuditChain {
  constructor(private readonly queries: Queries) {}

  * verify(): Script<AuditTrailVerification> {
    const anchor = yield* firstOf(this.queries.selectFrom('audit_anchor').select(['entries', 'head']));
    // Without an anchor, every entry counts as added.
    const { entries, fault } = yield* this.followAll(anchor ?? { entries: 0n, head: FIRST_PREVIOUS_HASH });
    const written = Number(anchor?.entries ?? 0n);
    if (fault === null && Number(entries) === written) return { entries: written, firstBrokenEntry: null, fault: null };
    return { entries: written, firstBrokenEntry: Number(entries) + 1, fault: fault ?? 'cut-off' };
  }

  private* followAll(anchor: Anchor): Script<Followed> {
    let followed: Followed = { entries: 0n, hash: FIRST_PREVIOUS_HASH, fault: null };
    for (;;) {
      const rows = yield* rowsOf(this.queries.selectFrom('audit_entries').select(AUDIT_ENTRY_COLUMNS)
        .where('seq', '>', followed.entries).orderBy('seq').limit(ENTRIES_PER_READ));
      followed = follow(followed, { rows, texts: yield* this.textsOf(rows) }, anchor);
      if (followed.fault !== null || rows.length < ENTRIES_PER_READ) return followed;
    }
  }

  private* textsOf(rows: readonly StoredEntry[]): Script<TextsByEntry> {
    const [first, last] = [rows[0], rows.at(-1)];
    if (first === undefined || last === undefined) return new Map();
    const texts = yield* rowsOf(this.queries.selectFrom('audit_texts').select(AUDIT_TEXT_COLUMNS).where('entry', '>=', first.seq).where('entry', '<=', last.seq));
    return textsByEntry(texts);
  }
}
