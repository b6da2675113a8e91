import { ALL_ACCOUNTS, type Instant, MILLISECONDS_PER_HOUR } from '@tollgate/core';
import { compilable, type Queries, rowsOf } from '@tollgate/sql-common';
import { sql } from 'kysely';
import type { GroupCommit } from '../durability/group-commit.js';
import type { SqliteScriptRunner } from '../reading/sqlite-script-runner.js';
import type { SqliteConnection, SqliteStatement } from '../file/sqlite-connection.js';
import { type Place, SEGMENT_BYTES, type TextSegments } from './text-segments.js';

/** Rows whose texts are moved together: a few mebibytes at most. */
const ROWS_PER_MOVE = 16;
/** Beside twice what is stored, the files may take this much. */
const ALLOWANCE_BYTES = 2 * SEGMENT_BYTES;

interface PlacedSeq {
  readonly seq: bigint;
  readonly position: bigint;
  readonly length: bigint;
}

interface Statements {
  readonly anyIn: SqliteStatement<[segment: number]>;
  readonly someIn: SqliteStatement<[segment: number, most: number], PlacedSeq>;
  readonly move: SqliteStatement<[segment: number, position: number, seq: bigint, from: number, fromPosition: bigint]>;
  readonly drop: SqliteStatement<[seq: bigint, segment: number]>;
}

function prepare(connection: SqliteConnection): Statements {
  return {
    anyIn: connection.prepare('SELECT 1 FROM stored_responses WHERE segment = ? LIMIT 1'),
    someIn: connection.prepare('SELECT seq, position, length FROM stored_responses WHERE segment = ? LIMIT ?'),
    move: connection.prepare('UPDATE stored_responses SET segment = ?, position = ? WHERE seq = ? AND segment = ? AND position = ?'),
    drop: connection.prepare('DELETE FROM stored_responses WHERE seq = ? AND segment = ?'),
  };
}

/** What responses in files are stored with. */
export interface ResponseFileParts {
  readonly connection: SqliteConnection;
  readonly commits: GroupCommit;
  readonly queries: Queries;
  readonly runner: SqliteScriptRunner;
  readonly segments: TextSegments;
}

/** Bytes that are stored in each file. */
type Fill = ReadonlyMap<number, number>;

/** Removes the files of texts that are stored no longer. Files that are filled too thinly are emptied into the current one. */
export class SegmentCleaner {
  readonly #statements: Statements;
  /** The current file, and since when it is known. */
  #current: { readonly segment: number; readonly since: Instant } | null = null;
  /** The latest file that was complete when the fill was last looked at. */
  #lookedAt = 0;

  constructor(private readonly parts: ResponseFileParts) {
    this.#statements = prepare(parts.connection);
  }

  /** Removes empty files. Looks at how the others are filled once more of them are complete. */
  async clean(now: Instant): Promise<void> {
    const { segments } = this.parts;
    this.#completeAfterAnHour(now);
    for (const segment of segments.complete.keys()) if (this.#statements.anyIn.get(segment) === undefined) await segments.remove(segment);
    const latest = Math.max(0, ...segments.complete.keys());
    if (latest <= this.#lookedAt || totalOf(segments.complete) <= ALLOWANCE_BYTES) return;
    if (!await this.#emptyThinnest()) this.#lookedAt = latest;
  }

  /** What has expired is gone an hour later even where few responses are stored. */
  #completeAfterAnHour(now: Instant): void {
    const { segments } = this.parts;
    const { current } = segments;
    if (current !== null && current === this.#current?.segment && now - this.#current.since >= MILLISECONDS_PER_HOUR) segments.completeCurrent();
    else if (current !== this.#current?.segment) this.#current = current === null ? null : { segment: current, since: now };
  }

  /** One file at a time, so that other sweeps need not wait for long. Returns whether there was one to empty. */
  async #emptyThinnest(): Promise<boolean> {
    const { segments } = this.parts;
    const fill = await this.#fill();
    const [thinnest] = [...segments.complete.keys()].toSorted((one, other) => (fill.get(one) ?? 0) - (fill.get(other) ?? 0));
    if (thinnest === undefined || totalOf(segments.complete) <= 2 * totalOf(fill) + ALLOWANCE_BYTES) return false;
    const written = new Set<number>();
    for (let moved: readonly Place[] | null = []; moved !== null; moved = await this.#moveSome(thinnest)) for (const { segment } of moved) written.add(segment);
    // What has been on the disk for hours must not be lost with the power now.
    await segments.sync(written);
    await segments.remove(thinnest);
    return true;
  }

  async #fill(): Promise<Fill> {
    const { queries, runner } = this.parts;
    const rows = await runner.readInSharedThread(ALL_ACCOUNTS, () => rowsOf(compilable(queries, sql<{ readonly segment: bigint; readonly bytes: bigint }>`
      select segment, sum(length) as bytes from stored_responses where segment is not null group by segment
    `)));
    return new Map(rows.map(({ segment, bytes }) => [Number(segment), Number(bytes)]));
  }

  /** Gives the new places; `null` if nothing was left to move. A response whose text cannot be read is lost, and so is its row. */
  async #moveSome(segment: number): Promise<readonly Place[] | null> {
    const { segments, commits } = this.parts;
    const rows = this.#statements.someIn.all(segment, ROWS_PER_MOVE);
    if (rows.length === 0) return null;
    const texts = await segments.read(rows.map(({ position, length }) => ({ segment, position: Number(position), length: Number(length) })));
    const places: Place[] = [];
    const addAgain = (text: Buffer | null | undefined): Place | null => {
      if (text === null || text === undefined) return null;
      const place = segments.add([text]);
      places.push(place);
      return place;
    };
    try {
      const moves = rows.map((row, index) => ({ row, to: addAgain(texts[index]) }));
      const missed = await commits.runAhead(() => moves.flatMap(({ row, to }) => this.#move(row, segment, to)));
      await segments.erase(missed);
    } finally {
      for (const place of places) segments.settle(place);
    }
    return places;
  }

  /** Gives the new place if the response was removed meanwhile: its text must not stay there. */
  #move({ seq, position }: PlacedSeq, from: number, to: Place | null): readonly Place[] {
    if (to === null) this.#statements.drop.run(seq, from);
    else if (this.#statements.move.run(to.segment, to.position, seq, from, position).changes === 0) return [to];
    return [];
  }
}

function totalOf(bytes: Fill): number {
  let total = 0;
  for (const each of bytes.values()) total += each;
  return total;
}
