import type { AccountId, ChainSize, Instant, KeepResponse, ResponseChain, ResponseStore, StoredResponse } from '@tollgate/core';
import { type ResponseEraser, responseOf, type ResponseRoom, type ResponseRow, ResponseScripts } from '@tollgate/sql-common';
import { ScriptExecutor } from '../reading/script-executor.js';
import type { SqliteConnection, SqliteStatement } from '../file/sqlite-connection.js';
import { decodeRecord, encodeRecord } from './response-record.js';
import { type ResponseFileParts, SegmentCleaner } from './segment-cleaner.js';
import type { Place } from './text-segments.js';

/** Where the texts of a response are; `segment` is `null` for one that an earlier version kept in its row. */
interface PlaceColumns {
  readonly segment: bigint | null;
  readonly position: bigint;
  readonly length: bigint;
}

type PlacedRow = ResponseRow & PlaceColumns;

const PLACE_COLUMNS = ['segment', 'position', 'length'] as const;

/** Accounts whose room is remembered. */
export const MAX_ROOMS = 10_000;

interface Statements {
  readonly insert: SqliteStatement<[accountId: string, id: string, previousId: string | null, bytes: number, expiresAt: number, segment: number, position: number, length: number]>;
  readonly some: SqliteStatement<[accountId: string, most: number], PlaceColumns & { readonly seq: bigint }>;
  readonly remove: SqliteStatement<[seq: bigint], PlaceColumns>;
}

function prepare(connection: SqliteConnection): Statements {
  return {
    insert: connection.prepare(`
      INSERT INTO stored_responses (account_id, id, previous_id, bytes, expires_at, input_items, output_items, body, segment, position, length)
      VALUES (?, ?, ?, ?, ?, '', '', '', ?, ?, ?) ON CONFLICT DO NOTHING`),
    some: connection.prepare('SELECT seq, segment, position, length FROM stored_responses WHERE account_id = ? LIMIT ?'),
    remove: connection.prepare('DELETE FROM stored_responses WHERE seq = ? RETURNING segment, position, length'),
  };
}

/** Responses of a database file: their texts are in files beside it, and rows say where. Only one process at a time may keep responses. */
export class SqliteResponseStore implements ResponseStore, ResponseEraser {
  readonly #statements: Statements;
  readonly #scripts: ResponseScripts<PlacedRow>;
  readonly #executor: ScriptExecutor;
  readonly #cleaner: SegmentCleaner;
  /** What accounts may keep at least, after the latest commit. */
  readonly #rooms = new Map<AccountId, ResponseRoom>();

  constructor(private readonly parts: ResponseFileParts) {
    this.#statements = prepare(parts.connection);
    this.#scripts = new ResponseScripts(parts.queries, 'caller', PLACE_COLUMNS);
    this.#executor = new ScriptExecutor(parts.connection);
    this.#cleaner = new SegmentCleaner(parts);
  }

  /** The texts are written before the row that refers to them. Both outlive the process; the last ones may be lost with the power. */
  async keep(response: KeepResponse): Promise<boolean> {
    const { segments, commits } = this.parts;
    const record = encodeRecord(response);
    if (record === null) return false;
    const { textBytes } = record;
    const place = segments.add(record.pieces);
    try {
      const room = await commits.runAhead(() => this.#insert(response, textBytes, place));
      if (this.#rooms.size >= MAX_ROOMS) this.#rooms.clear();
      if (room !== null) this.#rooms.set(response.accountId, room);
    } finally {
      segments.settle(place);
    }
    return true;
  }

  /** Counts the account's responses if it may have too many, and gives the room that there is then. */
  #insert({ accountId, id, previousId, expiresAt }: KeepResponse, bytes: number, { segment, position, length }: Place): ResponseRoom | null {
    this.#statements.insert.run(accountId, id, previousId, bytes, expiresAt, segment, position, length);
    const room = this.#rooms.get(accountId);
    if (room === undefined || room.responses < 1 || room.bytes < bytes) return this.#executor.run(this.#scripts.makeRoom(accountId));
    this.#rooms.set(accountId, { responses: room.responses - 1, bytes: room.bytes - bytes });
    return null;
  }

  async find(accountId: AccountId, id: string, at: Instant): Promise<StoredResponse | null> {
    const [response] = await this.findAll(accountId, [id], at);
    return response ?? null;
  }

  sizeOf(accountId: AccountId, ids: readonly string[], at: Instant): Promise<number> {
    return this.parts.runner.read(() => this.#scripts.sizeOf(accountId, ids, at));
  }

  chainSize(accountId: AccountId, id: string, at: Instant): Promise<ChainSize> {
    return this.parts.runner.read(() => this.#scripts.chainSize(accountId, id, at));
  }

  async findAll(accountId: AccountId, ids: readonly string[], at: Instant): Promise<readonly StoredResponse[]> {
    if (ids.length === 0) return [];
    const { responses } = await this.#lookTwice(accountId, async () => ({ rows: await this.parts.runner.read(() => this.#scripts.findAll(accountId, ids, at)) }));
    return responses.filter((response) => response !== null);
  }

  async chain(accountId: AccountId, id: string, at: Instant): Promise<ResponseChain> {
    const { looked, responses } = await this.#lookTwice(accountId, async () => {
      const chain = await this.parts.runner.read(() => this.#scripts.chain(accountId, id, at));
      return chain.outcome === 'found' ? chain : { ...chain, rows: [] };
    });
    if (looked.outcome !== 'found') return { outcome: looked.outcome };
    const whole = responses.filter((response) => response !== null);
    return whole.length < responses.length ? { outcome: 'missing' } : { outcome: 'found', responses: whole };
  }

  async remove(accountId: AccountId, id: string, at: Instant): Promise<boolean> {
    const { commits, segments } = this.parts;
    const removed = await commits.run(() => {
      const row = this.#executor.run(this.#scripts.find(accountId, id, at));
      if (row !== null) this.#executor.run(this.#scripts.remove(accountId, id, at));
      return row;
    });
    if (removed !== null) await segments.erase(placesOf([removed]));
    return removed !== null;
  }

  /** Also removes the files that nothing refers to any more. */
  async sweep(now: Instant): Promise<number> {
    const swept = await this.parts.runner.steps(() => this.#scripts.sweep(now));
    if (swept === 0) await this.#cleaner.clean(now);
    return swept;
  }

  /** The texts first: a process that dies in between leaves rows by which the next one finds them. Those that were moved meanwhile are erased where they are then. */
  async eraseSome(accountId: AccountId, most: number): Promise<number> {
    const { commits, segments } = this.parts;
    const rows = this.#statements.some.all(accountId, most);
    await segments.erase(placesOf(rows));
    const removed = await commits.run(() => rows.flatMap(({ seq }) => this.#statements.remove.all(seq)));
    const erased = new Set(rows.map(({ segment, position }) => `${segment}:${position}`));
    await segments.erase(placesOf(removed.filter(({ segment, position }) => !erased.has(`${segment}:${position}`))));
    return rows.length;
  }

  /** Rows and their responses. It looks again if a text is gone: the cleaner may have moved it in between. */
  async #lookTwice<Looked extends { readonly rows: readonly PlacedRow[] }>(accountId: AccountId, look: () => Promise<Looked>): Promise<{ readonly looked: Looked; readonly responses: readonly (StoredResponse | null)[] }> {
    const looked = await look();
    const responses = await this.#read(accountId, looked.rows);
    if (!responses.includes(null)) return { looked, responses };
    const again = await look();
    return { looked: again, responses: await this.#read(accountId, again.rows) };
  }

  /** The response of each row; `null` where its texts are gone. */
  async #read(accountId: AccountId, rows: readonly PlacedRow[]): Promise<readonly (StoredResponse | null)[]> {
    const placed = rows.filter(({ segment }) => segment !== null);
    const records = await this.parts.segments.read(placesOf(placed));
    const recordOf = new Map(placed.map((row, index) => [row, records[index] ?? null]));
    return rows.map((row) => {
      const record = recordOf.get(row);
      if (record === undefined) return responseOf(row);
      return record === null ? null : decodeRecord(record, accountId, { id: row.id, previousId: row.previous_id });
    });
  }
}

function placesOf(rows: readonly PlaceColumns[]): readonly Place[] {
  return rows.flatMap(({ segment, position, length }) => (segment === null ? [] : { segment: Number(segment), position: Number(position), length: Number(length) }));
}
