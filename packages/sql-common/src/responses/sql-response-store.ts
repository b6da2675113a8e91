import {
  type AccountId, type ChainSize, type Instant, type KeepResponse, MAX_RESPONSE_CHAIN, RESPONSE_SWEEP_BYTES, MAX_RESPONSE_SWEEP, type ResponseChain, type ResponseStore,
  MAX_STORED_BYTES_OF_REQUEST, MAX_STORED_RESPONSE_BYTES, STORED_RESPONSES_LEFT, STORED_RESPONSES_LEFT_BYTES, MAX_STORED_RESPONSES, MAX_STORED_RESPONSES_BYTES,
  type StoredResponse,
} from '@tollgate/core';
import { type Compilable, type RawBuilder, type Selectable, sql } from 'kysely';
import { type LeaseClock, presentBy } from '../script/lease-clock.js';
import { storableText } from '../schema/columns.js';
import type { StoredResponseTable } from '../schema/database-schema.js';
import { changesOf, compilable, firstOf, type Queries, rowsOf, type Script, type ScriptRunner, type StepRunner } from '../script/script.js';

/** Where a database treats what is stored or erased unlike other writes. */
export interface ResponseRunners {
  /** What it stores may be lost with the power. */
  readonly keeping: StepRunner;
  /** What it deletes is overwritten in the file. */
  readonly erasing: StepRunner;
}

/** Responses in any SQL database. A removal that is run again after its answer was lost says that there was none. */
export class SqlResponseStore implements ResponseStore, ResponseEraser {
  constructor(
    private readonly scripts: ResponseScripts,
    private readonly runner: StepRunner & Pick<ScriptRunner, 'read'>,
    private readonly own: ResponseRunners = { keeping: runner, erasing: runner },
  ) {}

  async keep(response: KeepResponse): Promise<boolean> {
    const bytes = response.inputItems.length + Buffer.byteLength(response.outputItems) + Buffer.byteLength(response.body);
    if (bytes > MAX_STORED_RESPONSE_BYTES) return false;
    await this.own.keeping.steps(() => this.scripts.keep(response, bytes));
    return true;
  }

  async find(accountId: AccountId, id: string, at: Instant): Promise<StoredResponse | null> {
    const row = await this.runner.read(() => this.scripts.find(accountId, id, at));
    return row === null ? null : responseOf(row);
  }

  sizeOf(accountId: AccountId, ids: readonly string[], at: Instant): Promise<number> {
    return this.runner.read(() => this.scripts.sizeOf(accountId, ids, at));
  }

  chainSize(accountId: AccountId, id: string, at: Instant): Promise<ChainSize> {
    return this.runner.read(() => this.scripts.chainSize(accountId, id, at));
  }

  async findAll(accountId: AccountId, ids: readonly string[], at: Instant): Promise<readonly StoredResponse[]> {
    return ids.length === 0 ? [] : (await this.runner.read(() => this.scripts.findAll(accountId, ids, at))).map(responseOf);
  }

  async chain(accountId: AccountId, id: string, at: Instant): Promise<ResponseChain> {
    const chain = await this.runner.read(() => this.scripts.chain(accountId, id, at));
    return chain.outcome === 'found' ? { outcome: 'found', responses: chain.rows.map(responseOf) } : chain;
  }

  remove(accountId: AccountId, id: string, at: Instant): Promise<boolean> {
    return this.own.erasing.steps(() => this.scripts.remove(accountId, id, at));
  }

  sweep(now: Instant): Promise<number> {
    return this.runner.steps(() => this.scripts.sweep(now));
  }

  eraseSome(accountId: AccountId, most: number): Promise<number> {
    return this.own.erasing.steps(() => this.scripts.removeSome(accountId, most));
  }
}

/** Erases the responses of accounts that are deleted. */
export interface ResponseEraser {
  /** Erases at most so many responses, expired ones too; returns how many. Fewer than `most` means that none is left. */
  eraseSome(accountId: AccountId, most: number): Promise<number>;
}

type ResponseRow = Pick<Selectable<StoredResponseTable>, 'id' | 'previous_id' | 'input_items' | 'output_items' | 'body'>;

/** Also the bytes of the response and of those that continue it. */
interface LinkRow {
  readonly bytes_so_far: bigint;
}

const COLUMNS = sql.join(['id', 'previous_id', 'input_items', 'output_items', 'body'].map((column) => sql.ref(`response.${column}`)));

type ChainRows = Exclude<ResponseChain, { readonly outcome: 'found' }> | { readonly outcome: 'found'; readonly rows: readonly ResponseRow[] };

function responseOf({ id, previous_id: previousId, input_items: inputItems, output_items: outputItems, body }: ResponseRow): StoredResponse {
  return { id, previousId, inputItems, outputItems, body };
}

/** What is done to responses, in queries each of which is right by itself. Ids are what clients send: some are no text that a database takes. */
export class ResponseScripts {
  /** @param clock judges what a sweep removes. */
  constructor(private readonly queries: Queries, private readonly clock: LeaseClock) {}

  * keep({ accountId, id, previousId, inputItems, outputItems, body, expiresAt }: KeepResponse, bytes: number): Script<void> {
    yield* changesOf(this.queries.insertInto('stored_responses').values({
      account_id: accountId, id, previous_id: previousId, bytes, expires_at: expiresAt,
      input_items: new TextDecoder().decode(inputItems), output_items: outputItems, body,
    }).onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing()));
    yield* this.makeRoom(accountId);
  }

  * find(accountId: AccountId, id: string, at: Instant): Script<ResponseRow | null> {
    return yield* firstOf(this.findAny(accountId, [id], at));
  }

  * findAll(accountId: AccountId, ids: readonly string[], at: Instant): Script<readonly ResponseRow[]> {
    const rows = yield* rowsOf(this.findAny(accountId, ids, at));
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  * sizeOf(accountId: AccountId, ids: readonly string[], at: Instant): Script<number> {
    if (ids.length === 0) return 0;
    const row = yield* firstOf(compilable(this.queries, sql<{ readonly bytes: bigint | null }>`
      select cast(sum(bytes) as bigint) as bytes from stored_responses
      where account_id = ${accountId} and id in (${sql.join(ids.map(storableText))}) and expires_at > ${BigInt(at)}
    `));
    return Number(row?.bytes ?? 0n);
  }

  * chainSize(accountId: AccountId, id: string, at: Instant): Script<ChainSize> {
    const row = yield* firstOf(compilable(this.queries, sql<{ readonly bytes: bigint | null; readonly first_links: bigint }>`
      with recursive links (seq, previous_id, place, bytes) as (${this.links(accountId, id, at)})
      select cast(max(bytes) as bigint) as bytes, count(case when previous_id is null then 1 end) as first_links from links
    `));
    const bytes = Number(row?.bytes ?? 0n);
    if (bytes > MAX_STORED_BYTES_OF_REQUEST) return { outcome: 'too-large' };
    return (row?.first_links ?? 0n) > 0n ? { outcome: 'found', bytes } : { outcome: 'missing' };
  }

  /** A response and those that it continues, each with the bytes up to it, as far as one request may bring them in. */
  private links(accountId: AccountId, id: string, at: Instant): RawBuilder<unknown> {
    return sql`
      select seq, previous_id, 1, bytes from stored_responses where account_id = ${accountId} and id = ${storableText(id)} and expires_at > ${BigInt(at)}
      union all
      select earlier.seq, earlier.previous_id, links.place + 1, links.bytes + earlier.bytes from links
      join stored_responses as earlier on earlier.account_id = ${accountId} and earlier.id = links.previous_id and earlier.expires_at > ${BigInt(at)}
      where links.place < ${sql.lit(MAX_RESPONSE_CHAIN)} and links.bytes <= ${sql.lit(MAX_STORED_BYTES_OF_REQUEST)}
    `;
  }

  private findAny(accountId: AccountId, ids: readonly string[], at: Instant): Compilable<ResponseRow> {
    return compilable(this.queries, sql<ResponseRow>`
      select ${COLUMNS} from stored_responses as response
      where account_id = ${accountId} and id in (${sql.join(ids.map(storableText))}) and expires_at > ${BigInt(at)}
    `);
  }

  /**
   * The texts are read only if the chain is whole: if a first response is among those that were followed, with all their bytes.
   * Of a chain that is too large, the one response that exceeds the bound is read.
   */
  * chain(accountId: AccountId, id: string, at: Instant): Script<ChainRows> {
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
    return first.bytes_so_far > MAX_STORED_BYTES_OF_REQUEST ? { outcome: 'too-large' } : { outcome: 'found', rows };
  }

  * remove(accountId: AccountId, id: string, at: Instant): Script<boolean> {
    const changes = yield* changesOf(this.queries.deleteFrom('stored_responses')
      .where('account_id', '=', accountId).where('id', '=', storableText(id)).where('expires_at', '>', BigInt(at)));
    return changes > 0;
  }

  * removeSome(accountId: AccountId, most: number): Script<number> {
    const some = this.queries.selectFrom('stored_responses').select('seq').where('account_id', '=', accountId).limit(most);
    return yield* changesOf(this.queries.deleteFrom('stored_responses').where('seq', 'in', some));
  }

  * sweep(now: Instant): Script<number> {
    return yield* changesOf(compilable(this.queries, sql`
      delete from stored_responses where seq in (
        select seq from (
          select seq, sum(bytes) over (order by expires_at, seq rows unbounded preceding) - bytes as bytes_before from (
            select seq, expires_at, bytes from stored_responses where expires_at <= ${presentBy(this.clock, now)}
            order by expires_at, seq limit ${sql.lit(MAX_RESPONSE_SWEEP)}
          ) as expired
        ) as counted where bytes_before < ${sql.lit(RESPONSE_SWEEP_BYTES)}
      )
    `));
  }

  /** Removes an account's oldest responses if it exceeds a bound. */
  private* makeRoom(accountId: AccountId): Script<void> {
    const total = yield* firstOf(compilable(this.queries, sql<{ readonly responses: bigint; readonly bytes: bigint | null }>`
      select count(*) as responses, cast(sum(bytes) as bigint) as bytes from stored_responses where account_id = ${accountId}
    `));
    if (Number(total?.responses ?? 0n) > MAX_STORED_RESPONSES) yield* this.removeBeyondCount(accountId);
    if (Number(total?.bytes ?? 0n) > MAX_STORED_RESPONSES_BYTES) yield* this.removeBeyondBytes(accountId);
  }

  /** The statements decide for themselves what exceeds a bound: what another process keeps or removes meanwhile costs no other response. */
  private* removeBeyondCount(accountId: AccountId): Script<void> {
    yield* changesOf(compilable(this.queries, sql`
      delete from stored_responses where account_id = ${accountId} and seq <= (
        select seq from stored_responses where account_id = ${accountId} order by seq desc limit 1 offset ${sql.lit(STORED_RESPONSES_LEFT)}
      )
    `));
  }

  /** Sums up from the newest response on. */
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
