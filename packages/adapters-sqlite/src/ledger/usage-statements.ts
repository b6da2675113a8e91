import type { Ending, Instant, RequestFacts, ReservationId, ServiceTokens, UtcDay } from '@tollgate/core';
import { type ChargedParts, flagToColumn, storableText, storableTextOrNull, storableUnits } from '@tollgate/sql-common';
import type { NamedValues, SqliteConnection, SqliteStatement } from '../sqlite-connection.js';

/** What one request adds to the sums of a day. */
interface RollUpPart {
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly charged: ServiceTokens;
  readonly day: UtcDay;
  /** -1 takes back what was added before, when a request turns out to have ended otherwise. */
  readonly times: 1 | -1;
}

type Column = ColumnOf<RollUpPart>;

const ACCOUNT: Column = ['account_id', ({ facts }) => facts.accountId];
const DAY: Column = ['day', ({ day }) => day];
const RATE: Column = ['usd_rate', ({ facts }) => facts.usdPerServiceToken];

/** What a row of the sums by model and key is found by. */
const DAY_KEYS: readonly Column[] = [
  ACCOUNT, DAY, ['model', ({ ending }) => ending.service?.servedBy ?? ''], ['key_id', ({ facts }) => facts.keyId ?? ''], RATE,
];

/** What a row of the sums by user is found by. */
const USER_DAY_KEYS: readonly Column[] = [ACCOUNT, DAY, ['attribution', ({ facts }) => storableText(facts.attribution ?? '')], RATE];

/** What is summed up. */
const SUMS: readonly Column[] = [
  ['requests', ({ times }) => times],
  ['uncached_prompt_tokens', ({ ending, times }) => times * ending.usage.uncachedPromptTokens],
  ['cached_prompt_tokens', ({ ending, times }) => times * ending.usage.cachedPromptTokens],
  ['cache_creation_tokens', ({ ending, times }) => times * ending.usage.cacheCreationTokens],
  ['reasoning_tokens', ({ ending, times }) => times * ending.usage.reasoningTokens],
  ['visible_output_tokens', ({ ending, times }) => times * ending.usage.visibleOutputTokens],
  ['charge', ({ charged, times }) => BigInt(times) * charged.toUnits()],
];

type Value = NamedValues[string];

/** A column, and what it holds of what is inserted. */
type ColumnOf<Source> = readonly [name: string, valueOf: (source: Source) => Value];

interface InsertionTarget<Source> {
  readonly name: string;
  readonly columns: readonly ColumnOf<Source>[];
  /** What happens to a row whose key is there already; empty: it is refused. */
  readonly conflict: string;
}

/**
 * Inserts rows, each of whose values is taken from what the row stands for. They are handed to SQLite by position, which it takes in a third
 * less time than by name, and go straight there: to make an object with so many names first takes a microsecond more.
 */
class RowInsertion<Source> {
  private readonly statement: SqliteStatement<[readonly Value[]]>;
  private readonly valuesOf: readonly ((source: Source) => Value)[];

  constructor(connection: SqliteConnection, { name, columns, conflict }: InsertionTarget<Source>) {
    const names = columns.map(([column]) => column).join(', ');
    this.valuesOf = columns.map(([, valueOf]) => valueOf);
    this.statement = connection.prepare(`INSERT INTO ${name} (${names}) VALUES (${columns.map(() => '?').join(', ')})${conflict}`);
  }

  run(source: Source): void {
    this.statement.run(this.valuesOf.map((valueOf) => valueOf(source)));
  }
}

/** One ended reservation: everything its record, or its late settlement, is made of. */
interface EndedReservation {
  readonly id: ReservationId;
  readonly facts: RequestFacts;
  readonly ending: Ending;
  readonly parts: ChargedParts;
  /** That of the record: a late settlement belongs to it too, whenever the request really ended. */
  readonly day: UtcDay;
  readonly settledAt: Instant | null;
}

const ENDING_COLUMNS: readonly ColumnOf<EndedReservation>[] = [
  ['reservation_id', ({ id }) => id],
  ['account_id', ({ facts }) => facts.accountId],
  ['end_reason', ({ ending }) => ending.reason],
  ['served_by', ({ ending }) => ending.service?.servedBy ?? null],
  ['upstream_id', ({ ending }) => ending.service?.upstreamId ?? null],
  ['fallback_used', ({ ending }) => flagToColumn(ending.service?.fallbackUsed ?? false)],
  ['price_prompt', ({ ending }) => ending.service?.price.promptToken ?? null],
  ['price_cached_prompt', ({ ending }) => ending.service?.price.cachedPromptToken ?? null],
  ['price_cache_creation', ({ ending }) => ending.service?.price.cacheCreationToken ?? null],
  ['price_output', ({ ending }) => ending.service?.price.outputToken ?? null],
  ['uncached_prompt_tokens', ({ ending }) => ending.usage.uncachedPromptTokens],
  ['cached_prompt_tokens', ({ ending }) => ending.usage.cachedPromptTokens],
  ['cache_creation_tokens', ({ ending }) => ending.usage.cacheCreationTokens],
  ['reasoning_tokens', ({ ending }) => ending.usage.reasoningTokens],
  ['visible_output_tokens', ({ ending }) => ending.usage.visibleOutputTokens],
  ['usage_source', ({ ending }) => ending.usage.source],
  ['reasoning_withheld', ({ ending }) => flagToColumn(ending.usage.reasoningWithheld)],
  ['first_output_at', ({ ending }) => ending.firstOutputAt],
  ['ended_at', ({ ending }) => ending.endedAt],
  ['day', ({ day }) => day],
  ['settled_at', ({ settledAt }) => settledAt],
  ['charge', ({ parts }) => parts.charged.toUnits()],
  ['write_off', ({ parts }) => storableUnits(parts.writeOff.toUnits())],
];

/** Of a usage record. */
const RECORD_COLUMNS: readonly ColumnOf<EndedReservation>[] = [
  ...ENDING_COLUMNS,
  ['request_id', ({ facts }) => facts.requestId],
  ['key_id', ({ facts }) => facts.keyId],
  ['format', ({ facts }) => facts.format],
  ['streamed', ({ facts }) => flagToColumn(facts.streamed)],
  ['requested_model', ({ facts }) => storableText(facts.requestedModel)],
  ['attribution', ({ facts }) => storableTextOrNull(facts.attribution)],
  ['usd_rate', ({ facts }) => facts.usdPerServiceToken],
  ['started_at', ({ facts }) => facts.startedAt],
];

/** Of a late settlement, which leaves to the record what was known of the request before. */
const LATE_COLUMNS = ENDING_COLUMNS;

/** Every statement that records usage. */
export interface UsageStatements {
  readonly insertRecord: RowInsertion<EndedReservation>;
  readonly insertLate: RowInsertion<EndedReservation>;
  readonly addToDay: RowInsertion<RollUpPart>;
  readonly addToUserDay: RowInsertion<RollUpPart>;
}

function namesOf(columns: readonly ColumnOf<RollUpPart>[]): readonly string[] {
  return columns.map(([name]) => name);
}

/** Adds what is to be summed to the sums that are there already. */
function rollUp(connection: SqliteConnection, name: string, keys: readonly ColumnOf<RollUpPart>[]): RowInsertion<RollUpPart> {
  const additions = namesOf(SUMS).map((column) => `${column} = ${column} + excluded.${column}`);
  const conflict = ` ON CONFLICT (${namesOf(keys).join(', ')}) DO UPDATE SET ${additions.join(', ')}`;
  return new RowInsertion(connection, { name, columns: [...keys, ...SUMS], conflict });
}

/** Prepared once, since they are what every settlement runs. */
export function prepareUsage(connection: SqliteConnection): UsageStatements {
  return {
    insertRecord: new RowInsertion(connection, { name: 'usage_records', columns: RECORD_COLUMNS, conflict: '' }),
    insertLate: new RowInsertion(connection, { name: 'late_settlements', columns: LATE_COLUMNS, conflict: '' }),
    addToDay: rollUp(connection, 'usage_daily', DAY_KEYS),
    addToUserDay: rollUp(connection, 'usage_daily_users', USER_DAY_KEYS),
  };
}

/** Adds a request to the sums by model and key, and to those by user where it names one; what is left of a day is that of requests which name none. */
export function addToRollUps(usage: UsageStatements, part: RollUpPart): void {
  usage.addToDay.run(part);
  if (part.facts.attribution !== null) usage.addToUserDay.run(part);
}
