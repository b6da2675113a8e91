import {
  type AccountId, type Instant, type KeepResponse, RESPONSE_CHAIN_MAXIMUM, RESPONSE_SWEEP_BYTES, RESPONSE_SWEEP_MAXIMUM, type ResponseChain, type ResponseStore,
  STORED_BYTES_OF_REQUEST_MAXIMUM, STORED_RESPONSE_MAXIMUM_BYTES, STORED_RESPONSES_MAXIMUM, STORED_RESPONSES_MAXIMUM_BYTES, type StoredResponse,
} from '@tollgate/core';
import { type Selectable, sql } from 'kysely';
import { storableText } from './schema/columns.js';
import type { StoredResponseTable } from './schema/database-schema.js';
import { changesOf, compilable, firstOf, type Queries, rowsOf, type Script, type ScriptRunner, type StepRunner } from './script.js';

/** Responses in any SQL database. A removal that is run again after its answer was lost says that there was none. */
export class SqlResponseStore implements ResponseStore {
  constructor(private readonly scripts: ResponseScripts, private readonly runner: StepRunner & Pick<ScriptRunner, 'read'>) {}

  async keep(response: KeepResponse): Promise<boolean> {
    const bytes = Buffer.byteLength(response.inputItems) + Buffer.byteLength(response.outputItems) + Buffer.byteLength(response.body);
    if (bytes > STORED_RESPONSE_MAXIMUM_BYTES) return false;
    await this.runner.steps(() => this.scripts.keep(response, bytes));
    return true;
  }

  find(accountId: AccountId, id: string, at: Instant): Promise<StoredResponse | null> {
    return this.runner.read(() => this.scripts.find(accountId, id, at));
  }

  async findAll(accountId: AccountId, ids: readonly string[], at: Instant): Promise<readonly StoredResponse[]> {
    return ids.length === 0 ? [] : this.runner.read(() => this.scripts.findAll(accountId, ids, at));
  }

  chain(accountId: AccountId, id: string, at: Instant): Promise<ResponseChain> {
    return this.runner.read(() => this.scripts.chain(accountId, id, at));
  }

  remove(accountId: AccountId, id: string, at: Instant): Promise<boolean> {
    return this.runner.steps(() => this.scripts.remove(accountId, id, at));
  }

  sweep(now: Instant): Promise<number> {
    return this.runner.steps(() => this.scripts.sweep(now));
  }
}

type ResponseRow = Pick<Selectable<StoredResponseTable>, 'id' | 'previous_id' | 'input_items' | 'output_items' | 'body'>;

/** Also the bytes of the response and of those that continue it. */
interface LinkRow extends ResponseRow {
  readonly bytes_so_far: bigint;
}

const RESPONSE_COLUMNS = ['id', 'previous_id', 'input_items', 'output_items', 'body'] as const;

function responseOf({ id, previous_id: previousId, input_items: inputItems, output_items: outputItems, body }: ResponseRow): StoredResponse {
  return { id, previousId, inputItems, outputItems, body };
}

/** What is done to responses, in queries each of which is right by itself. Ids are what clients send: some are no text that a database takes. */
export class ResponseScripts {
  constructor(private readonly queries: Queries) {}

  * keep({ accountId, id, previousId, inputItems, outputItems, body, expiresAt }: KeepResponse, bytes: number): Script<void> {
    yield* changesOf(this.queries.insertInto('stored_responses').values({
      account_id: accountId, id, previous_id: previousId, bytes, expires_at: expiresAt, input_items: inputItems, output_items: outputItems, body,
    }).onConflict((conflict) => conflict.columns(['account_id', 'id']).doNothing()));
    yield* this.removeExcess(accountId);
  }

  * find(accountId: AccountId, id: string, at: Instant): Script<StoredResponse | null> {
    const row = yield* firstOf(this.queries.selectFrom('stored_responses').select(RESPONSE_COLUMNS)
      .where('account_id', '=', accountId).where('id', '=', storableText(id)).where('expires_at', '>', BigInt(at)));
    return row === null ? null : responseOf(row);
  }

  * findAll(accountId: AccountId, ids: readonly string[], at: Instant): Script<readonly StoredResponse[]> {
    const rows = yield* rowsOf(this.queries.selectFrom('stored_responses').select(RESPONSE_COLUMNS)
      .where('account_id', '=', accountId).where('id', 'in', ids.map(storableText)).where('expires_at', '>', BigInt(at)));
    const found = new Map(rows.map((row) => [row.id, row]));
    return ids.flatMap((id) => {
      const row = found.get(id);
      return row === undefined ? [] : [responseOf(row)];
    });
  }

  /**
   * The texts are read only if the chain is whole: if a first response is among those that were followed, with all their bytes.
   * Of a chain that is too large, the one response that exceeds the bound is read.
   */
  * chain(accountId: AccountId, id: string, at: Instant): Script<ResponseChain> {
    const most = sql.lit(STORED_BYTES_OF_REQUEST_MAXIMUM);
    const rows = yield* rowsOf(compilable(this.queries, sql<LinkRow>`
      with recursive links (seq, previous_id, place, bytes) as (
        select seq, previous_id, 1, bytes from stored_responses where account_id = ${accountId} and id = ${storableText(id)} and expires_at > ${BigInt(at)}
        union all
        select earlier.seq, earlier.previous_id, links.place + 1, links.bytes + earlier.bytes from links
        join stored_responses as earlier on earlier.account_id = ${accountId} and earlier.id = links.previous_id and earlier.expires_at > ${BigInt(at)}
        where links.place < ${sql.lit(RESPONSE_CHAIN_MAXIMUM)} and links.bytes <= ${most}
      )
      select id, response.previous_id, input_items, output_items, body, links.bytes as bytes_so_far
      from links join stored_responses as response on response.seq = links.seq
      where links.bytes > ${most} or exists (select 1 from links as link where link.previous_id is null and link.bytes <= ${most})
      order by links.place desc
    `));
    const [first] = rows;
    if (first === undefined) return { outcome: 'missing' };
    return first.bytes_so_far > STORED_BYTES_OF_REQUEST_MAXIMUM ? { outcome: 'too-large' } : { outcome: 'found', responses: rows.map(responseOf) };
  }

  * remove(accountId: AccountId, id: string, at: Instant): Script<boolean> {
    const changes = yield* changesOf(this.queries.deleteFrom('stored_responses')
      .where('account_id', '=', accountId).where('id', '=', storableText(id)).where('expires_at', '>', BigInt(at)));
    return changes > 0;
  }

  * sweep(now: Instant): Script<number> {
    return yield* changesOf(compilable(this.queries, sql`
      delete from stored_responses where seq in (
        select seq from (
          select seq, sum(bytes) over (order by expires_at, seq rows unbounded preceding) - bytes as bytes_before from (
            select seq, expires_at, bytes from stored_responses where expires_at <= ${BigInt(now)}
            order by expires_at, seq limit ${sql.lit(RESPONSE_SWEEP_MAXIMUM)}
          ) as expired
        ) as counted where bytes_before < ${sql.lit(RESPONSE_SWEEP_BYTES)}
      )
    `));
  }

  /** The delete statements decide for themselves what exceeds a bound: what another process keeps or removes meanwhile costs no other response. */
  private* removeExcess(accountId: AccountId): Script<void> {
    const total = yield* firstOf(compilable(this.queries, sql<{ readonly responses: bigint; readonly bytes: bigint | null }>`
      select count(*) as responses, cast(sum(bytes) as bigint) as bytes from stored_responses where account_id = ${accountId}
    `));
    if ((total?.bytes ?? 0n) > STORED_RESPONSES_MAXIMUM_BYTES) yield* this.removeBeyondBytes(accountId);
    if ((total?.responses ?? 0n) > STORED_RESPONSES_MAXIMUM) yield* this.removeBeyondCount(accountId);
  }

  private* removeBeyondCount(accountId: AccountId): Script<void> {
    yield* changesOf(compilable(this.queries, sql`
      delete from stored_responses where account_id = ${accountId} and seq <= (
        select seq from stored_responses where account_id = ${accountId} order by seq desc limit 1 offset ${sql.lit(STORED_RESPONSES_MAXIMUM)}
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
        ) as counted where bytes_so_far > ${sql.lit(STORED_RESPONSES_MAXIMUM_BYTES)}
      )
    `));
  }
}
