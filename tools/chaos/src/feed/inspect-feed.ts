import type { DatabaseView, Row } from '../books/database-view.js';
import { compareReader, faultsOfNumbers, type ReaderFinding, type StoredEvent } from './compare-feed.js';
import type { FeedReader } from './feed-readers.js';

export interface FeedFindings {
  readonly events: number;
  /** Number of events whose transactions were kept open. */
  readonly held: number;
  /** Number of acts of money that writers acknowledged. */
  readonly acknowledged: number;
  readonly readers: readonly ReaderFinding[];
  /** Finding about the naive reader; `null` if there was none. */
  readonly naive: ReaderFinding | null;
  readonly violations: readonly string[];
}

interface FeedEvidence {
  readonly cursors: readonly FeedReader[];
  readonly naive: FeedReader | null;
  readonly acknowledged: readonly string[];
}

const EVENTS = 'select id, account_id, account_sequence, position from events order by seq';
const BOOKED = "select data from events where type = 'balance.booked'";
const ENTRIES = "select count(*) from ledger_entries where kind in ('top-up', 'correction')";
const HELD = `select count(*) from events where type = 'account.changed' and data = '{"changed":[]}'`;

function numberIn(cell: string | null | undefined): number | null {
  return cell === null || cell === undefined ? null : Number(cell);
}

function storedIn([id, accountId, accountSequence, position]: Row): StoredEvent {
  return { id: id ?? '', accountId: accountId ?? null, accountSequence: numberIn(accountSequence), position: numberIn(position) };
}

function faultsOf({ reader, missed, doubled, unknown, disordered }: ReaderFinding): readonly string[] {
  const faults = { missed, doubled, 'read although they are not stored': unknown, 'read after a later one': disordered };
  return Object.entries(faults).filter(([, count]) => count > 0).map(([fault, count]) => `${reader}: ${count} events were ${fault}`);
}

/** Violations: there are more or fewer events than acts of money, or an acknowledged act has no event. */
function faultsOfBookings(data: readonly string[], entries: number, acknowledged: readonly string[]): readonly string[] {
  const references = new Set(data.map((text) => (JSON.parse(text) as { readonly reference: string }).reference));
  const absent = acknowledged.filter((reference) => !references.has(reference));
  return [
    ...data.length === entries ? [] : [`${data.length} events tell of ${entries} acts of money`],
    ...absent.length === 0 ? [] : [`${absent.length} confirmed acts have no event, ${absent[0]} among them`],
  ];
}

/** Inspects the feed when the database is at rest and all readers are at its end. */
export async function inspectFeed(view: DatabaseView, { cursors, naive, acknowledged }: FeedEvidence): Promise<FeedFindings> {
  const [events = [], booked = [], [[entries] = []] = [], [[held] = []] = []] = await view.read([EVENTS, BOOKED, ENTRIES, HELD]);
  const stored = events.map(storedIn);
  const readers = cursors.map(({ name, seen }) => compareReader(name, seen, stored));
  const naiveFinding = naive === null ? null : compareReader(naive.name, naive.seen, stored);
  return {
    events: stored.length, held: Number(held), acknowledged: acknowledged.length, readers, naive: naiveFinding,
    violations: [
      ...readers.flatMap(faultsOf), ...faultsOfNumbers(stored), ...faultsOfBookings(booked.map(([data]) => data ?? '{}'), Number(entries), acknowledged),
      ...naiveFinding?.missed === 0 ? ['the reader by number missed nothing, so the run shows nothing'] : [],
    ],
  };
}
