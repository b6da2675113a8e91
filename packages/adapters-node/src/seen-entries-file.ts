import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

interface SeenEntry {
  readonly number: number;
  readonly fingerprint: string;
}

interface SeenEntries {
  readonly ledger: SeenEntry | null;
  readonly audit: SeenEntry | null;
}

/** What a gateway has seen of its database, stored outside the database. */
export interface SeenHistory {
  readonly seen: SeenEntries;
  /** Newest entries before the database was set back, and the RFC 3339 time of the discovery; `null` if it was never set back. */
  readonly setBack: { readonly at: string; readonly seen: SeenEntries } | null;
}

const NOTHING_SEEN: SeenHistory = { seen: { ledger: null, audit: null }, setBack: null };
const OWNER_ONLY = 0o600;

/** A missing or unreadable file counts as empty. */
export async function readSeenHistory(file: string): Promise<SeenHistory> {
  try {
    const { seen, setBack } = JSON.parse(await readFile(file, 'utf8')) as SeenHistory;
    return { seen: { ledger: seen.ledger, audit: seen.audit }, setBack };
  } catch {
    return NOTHING_SEEN;
  }
}

/** Writes atomically; only the owner can read the file. */
export async function writeSeenHistory(file: string, history: SeenHistory): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const part = `${file}.part`;
  const handle = await open(part, 'w', OWNER_ONLY);
  try {
    await handle.writeFile(JSON.stringify(history));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(part, file);
}
