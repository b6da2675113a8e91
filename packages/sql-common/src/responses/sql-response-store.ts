import {
  type AccountId, type ChainSize, type Instant, type KeepResponse, MAX_RESPONSE_CHAIN, RESPONSE_SWEEP_BYTES, MAX_RESPONSE_SWEEP, type ResponseChain, type ResponseStore,
  MAX_STORED_BYTES_OF_REQUEST, MAX_STORED_RESPONSE_BYTES, STORED_RESPONSES_LEFT, STORED_RESPONSES_LEFT_BYTES, MAX_STORED_RESPONSES, MAX_STORED_RESPONSES_BYTES,
  type StoredResponse,
} from '@tollgate/core';
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { type LeaseClock, presentBy } from '../script/lease-clock.js';
import { storableText } from '../schema/storable-text.js';
import type { StoredResponseTable } from '../schema/database-schema.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import { compilable, lockingKeyShare, type Queries } from '../script/queries.js';
import type { ScriptRunner, StepRunner } from '../script/script-runner.js';

interface ResponseStoreParts {
  readonly queries: Queries;
  readonly runner: StepRunner & Pick<ScriptRunner, 'read'>;
  /** Runs writes that a power failure may lose. */
  readonly keeping: StepRunner;
  /** Runs deletions whose data is overwritten in the file. */
  readonly erasing: StepRunner;
  /** Clock by which sweeps decide what has expired. */
  readonly clock: LeaseClock;
}

type ResponseRow = Pick<Selectable<StoredResponseTable>, 'id' | 'previous_id' | 'input_items' | 'output_items' | 'body'>;

/** Sum of the bytes of a chain's responses, from the requested one back to this one. */
interface LinkRow {
  readonly bytes_so_far: bigint;
}

const COLUMNS = sql.join(['id', 'previous_id', 'input_items', 'output_items', 'body'].map((column) => sql.ref(`response.${column}`)));

function responseOf({ id, previous_id: previousId, input_items: inputItems, output_items: outputItems, body }: ResponseRow): StoredResponse {
  return { id, previousId, inputItems, outputItems, body };
}

/**
 * Runs without transactions, because each query leaves a consistent state. Ids are from clients, so they may contain characters that databases do not
 * accept. If the answer to a removal is lost, its repetition returns false.
 */
export class SqlResponseStore implements ResponseStore {
  private readonly queries: Queries;

  constructor(private readonly parts: ResponseStoreParts) {
    this.queries = parts.queries;
  }

  async keep(response: KeepResponse): Promise<boolean> {
    const bytes = response.inputItems.length + Buffer.byteLength(response.outputItems) + Buffer.byteLength(response.body);
    if (bytes > MAX_STORED_RESPONSE_BYTES) return false;
    await this.parts.keeping.steps(() => this.insert(response, bytes));
    return true;
  }

  async find(accountId: AccountId, id: string, at: Instant): Promise<StoredResponse | null> {
    const [response = null] = await this.findAll(accountId, [id], at);
    return response;
  }

  sizeOf(accountId: AccountId, ids: readonly string[], at: Instant): Promise<number> {
    return this.parts.runner.read(() => this.sumOf(accountId, ids, at));
  }

  chainSize(accountId: AccountId, id: string, at: Instant): Promise<ChainSize> {
    return this.parts.runner.read(() => this.sumOfChain(accountId, id, at));
  }

  async findAll(accountId: AccountId, ids: readonly string[], at: Instant): Promise<readonly StoredResponse[]> {
    if (ids.length === 0) return [];
    const rows = await this.parts.runner.read(() => rowsOf(compilable(this.queries, sql<ResponseRow>`
      select ${COLUMNS} from stored_responses as response
      where account_id = ${accountId} and id in (${sql.join(ids.map(storableText))}) and expires_at > ${BigInt(at)}
    `)));
    const found = new Map(rows.map((row) => [row.id, responseOf(row)]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  chain(accountId: AccountId, id: string, at: Instant): Promise<ResponseChain> {
    return this.parts.runner.read(() => this.readChain(accountId, id, at));
  }

  remove(accountId: AccountId, id: string, at: Instant): Promise<boolean> {
    return this.parts.erasing.steps(() => this.delete(accountId, id, at));
  }

  sweep(now: Instant): Promise<number> {
    return this.parts.runner.steps(() => this.deleteExpired(now));
  }

  /**
   * Erases at most `most` responses of a deleted account, including expired ones. Returns their number, which is less than `most` when no response is
   * left.
   */
  eraseSome(accountId: AccountId, most: number): Promise<number> {
    const some = this.queries.selectFrom('stored_responses').select('seq').where('account_id', '=', accountId).limit(most);
    return this.parts.erasing.steps(() => changesOf(this.queries.deleteFrom('stored_responses').where('seq', 'in', some)));
  }

  private* insert({ accountId, id, previousId, inputItems, outputItems, body, expiresAt }: KeepResponse, bytes: number): Script<void> {
    // A deletion changes the account's address, which is unique. So either it waits for this statement and erases the response, or this statement
    // waits for the deletion and stores nothing.
    // PostgreSQL infers no types of selected parameters.
    yield* changesOf(compilable(this.queries, sql`
      with owner as (select status from accounts where id = ${accountId} ${lockingKeyShare(this.queries)})
      insert into stored_responses (account_id, id, previous_id, bytes, expires_at, input_items, output_items, body)
      select ${accountId}, ${id}, ${previousId}, cast(${BigInt(bytes)} as bigint), cast(${BigInt(expiresAt)} as bigint), ${new TextDecoder().decode(inputItems)}, ${outputItems}, ${body}
      where not exists (select 1 from owner where status = 'deleted')
      on conflict (account_id, id) do nothing
    `));
    yield* this.makeRoom(accountId);
  }

  private* sumOf(accountId: AccountId, ids: readonly string[], at: Instant): Script<number> {
    if (ids.length === 0) return 0;
    const row = yield* firstOf(compilable(this.queries, sql<{ readonly bytes: bigint | null }>`
      select cast(sum(bytes) as bigint) as bytes from stored_responses
      where account_id = ${accountId} and id in (${sql.join(ids.map(storableText))}) and expires_at > ${BigInt(at)}
    `));
    return Number(row?.bytes ?? 0n);
  }

  private* sumOfChain(accountId: AccountId, id: string, at: Instant): Script<ChainSize> {
    const row = yield* firstOf(compilable(this.queries, sql<{ readonly bytes: bigint | null; readonly first_links: bigint }>`
      with recursive links (seq, previous_id, place, bytes) as (${this.links(accountId, id, at)})
      select cast(max(bytes) as bigint) as bytes, count(case when previous_id is null then 1 end) as first_links from links
    `));
    const bytes = Number(row?.bytes ?? 0n);
    if (bytes > MAX_STORED_BYTES_OF_REQUEST) return { outcome: 'too-large' };
    return (row?.first_links ?? 0n) > 0n ? { outcome: 'found', bytes } : { outcome: 'missing' };
  }

  /**
   * Selects a response and those that it continues, within the bounds of one request. Each row has the sum of bytes from the given response back to
   * its own.
   */
  private links(accountId: AccountId, id: string, at: Instant): RawBuilder<unknown> {
    return sql`
      select seq, previous_id, 1, bytes from stored_responses where account_id = ${accountId} and id = ${storableText(id)} and expires_at > ${BigInt(at)}
      union all
      select earlier.seq, earlier.previous_id, links.place + 1, links.bytes + earlier.bytes from links
      join stored_responses as earlier on earlier.account_id = ${accountId} and earlier.id = links.previous_id and earlier.expires_at > ${BigInt(at)}
      where links.place < ${sql.lit(MAX_RESPONSE_CHAIN)} and links.bytes <= ${sql.lit(MAX_STORED_BYTES_OF_REQUEST)}
    `;
  }

  /** Reads the texts of a complete chain only. If the chain is too large, reads only the response that exceeds the bound. */
  private* readChain(accountId: AccountId, id: string, at: Instant): Script<ResponseChain> {
    const most = sql.lit(MAX_STORED_BYTES_OF_REQUEST);
    const rows = yield* rowsOf(compilable(this.queries, sql<ResponseRow & LinkRow>`
      with recursive links (seq, previous_id, place, bytes) as (${this.links(accountId, id, at)})
      select ${COLUMNS}, links.bytes as bytes_so_far
      from links join stored_responses as response on response.seq = links.seq
      where links.bytes > ${most} or exists (select 1 from links as link where link.previous_id is null and link.bytes <= ${most})
      order by links.place desc
    `));
    const [first] = rows;
    if (first === undefined) return { outcome: 'missing' };
    return first.bytes_so_far > MAX_STORED_BYTES_OF_REQUEST ? { outcome: 'too-large' } : { outcome: 'found', responses: rows.map(responseOf) };
  }

  private* delete(accountId: AccountId, id: string, at: Instant): Script<boolean> {
    const changes = yield* changesOf(this.queries.deleteFrom('stored_responses')
      .where('account_id', '=', accountId).where('id', '=', storableText(id)).where('expires_at', '>', BigInt(at)));
    return changes > 0;
  }

  private* deleteExpired(now: Instant): Script<number> {
    return yield* changesOf(compilable(this.queries, sql`
      delete from stored_responses where seq in (
        select seq from (
          select seq, sum(bytes) over (order by expires_at, seq rows unbounded preceding) - bytes as bytes_before from (
            select seq, expires_at, bytes from stored_responses where expires_at <= ${presentBy(this.parts.clock, now)}
            order by expires_at, seq limit ${sql.lit(MAX_RESPONSE_SWEEP)}
          ) as expired
        ) as counted where bytes_before < ${sql.lit(RESPONSE_SWEEP_BYTES)}
      )
    `));
  }

  /** Removes the oldest responses of an account that exceeds a bound. */
  private* makeRoom(accountId: AccountId): Script<void> {
    const total = yield* firstOf(compilable(this.queries, sql<{ readonly responses: bigint; readonly bytes: bigint | null }>`
      select count(*) as responses, cast(sum(bytes) as bigint) as bytes from stored_responses where account_id = ${accountId}
    `));
    if (Number(total?.responses ?? 0n) > MAX_STORED_RESPONSES) yield* this.removeBeyondCount(accountId);
    if (Number(total?.bytes ?? 0n) > MAX_STORED_RESPONSES_BYTES) yield* this.removeBeyondBytes(accountId);
  }

  /** The statement checks the bound itself, so that concurrent writes do not remove more than necessary. */
  private* removeBeyondCount(accountId: AccountId): Script<void> {
    yield* changesOf(compilable(this.queries, sql`
      delete from stored_responses where account_id = ${accountId} and seq <= (
        select seq from stored_responses where account_id = ${accountId} order by seq desc limit 1 offset ${sql.lit(STORED_RESPONSES_LEFT)}
      )
    `));
  }

  /** Removes the oldest responses, so that the bytes of the newest ones are within the bound. */
  private* removeBeyondBytes(accountId: AccountId): Script<void> {
    yield* changesOf(compilable(this.queries, sql`
      delete from stored_responses where account_id = ${accountId} and seq in (
        select seq from (
          select seq, sum(bytes) over (order by seq desc rows unbounded preceding) as bytes_so_far from stored_responses
          where account_id = ${accountId}
        ) as counted where bytes_so_far > ${sql.lit(STORED_RESPONSES_LEFT_BYTES)}
      )
    `));
  }
}
