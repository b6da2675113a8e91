import { type AccountId, type Instant, isStoreAway, type ModelSlug, type PriceListId } from '@tollgate/core';
import type { MailLanguage, NoticeAudience, NoticePass, NoticeRecipient, NoticeRecords, StoredMail } from '@tollgate/identity';
import { storeMail } from '../identity/store-mail.js';
import { changesOf, firstOf, rowsOf, type Script } from '../script/script.js';
import type { Queries } from '../script/queries.js';
import type { ScriptRunner } from '../script/script-runner.js';

/** Maximum accounts examined per read, which keeps it short. */
const ACCOUNTS_PER_PASS = 50;

interface Considered {
  readonly recipients: readonly NoticeRecipient[];
  readonly next: AccountId | null;
}

interface Tried {
  /** `store-away`: the mails of all others would fail too. */
  readonly outcome: 'stored' | 'repeated' | 'changed' | 'full' | 'failed' | 'store-away';
  readonly failure?: unknown;
}

interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly language: string | null;
}

export class SqlNoticeRecords implements NoticeRecords {
  constructor(private readonly queries: Queries, private readonly runner: ScriptRunner) {}

  async storeMails(audience: NoticeAudience, after: AccountId | null, compose: (recipient: NoticeRecipient) => StoredMail): Promise<NoticePass> {
    const { recipients, next } = await this.runner.read(() => this.consider(audience, after));
    const failures: unknown[] = [];
    let mails = 0;
    for (const recipient of recipients) {
      const { outcome, failure } = await this.tryToStore(audience.notice, recipient, compose);
      if (failure !== undefined) failures.push(failure);
      if (outcome === 'full' || outcome === 'store-away') return { mails, next: after, outcome, failures };
      if (outcome === 'stored') mails += 1;
    }
    return { mails, next, outcome: 'considered', failures };
  }

  async accountsByPriceList(): Promise<ReadonlyMap<PriceListId, number>> {
    const rows = await this.runner.read(() => rowsOf(this.queries.selectFrom('accounts').select(['price_list', ({ fn }) => fn.countAll<bigint>().as('accounts')])
      .where('price_list', 'is not', null).where('status', '<>', 'deleted').groupBy('price_list')));
    return new Map(rows.flatMap(({ price_list: list, accounts }) => (list === null ? [] : [[list as PriceListId, Number(accounts)] as const])));
  }

  async prune(before: Instant): Promise<void> {
    await this.runner.write(() => changesOf(this.queries.deleteFrom('model_notices').where('mailed_at', '<', BigInt(before))));
  }

  private async tryToStore(notice: string, recipient: NoticeRecipient, compose: (recipient: NoticeRecipient) => StoredMail): Promise<Tried> {
    try {
      return { outcome: await this.runner.write(() => this.store(notice, recipient, compose(recipient))) };
    } catch (thrown) {
      if (isStoreAway(thrown)) return { outcome: 'store-away', failure: thrown };
      return { outcome: 'failed', failure: new Error(`the notice ${notice} to ${recipient.accountId} could not be stored`, { cause: thrown }) };
    }
  }

  private* consider(audience: NoticeAudience, after: AccountId | null): Script<Considered> {
    const accounts = yield* this.accountsAfter(audience, after);
    const last = accounts.length === ACCOUNTS_PER_PASS ? accounts.at(-1) : undefined;
    const next = last === undefined ? null : last.id as AccountId;
    if (accounts.length === 0) return { recipients: [], next };
    const ids = accounts.map(({ id }) => id);
    const told = yield* rowsOf(this.queries.selectFrom('model_notices').select('account_id').where('notice', '=', audience.notice).where('account_id', 'in', ids));
    const usages = yield* rowsOf(this.queries.selectFrom('usage_daily').select(['account_id', 'model']).distinct()
      .where('account_id', 'in', ids).where('day', '>=', audience.usedSince).where('model', 'in', audience.models));
    const known = new Set(told.map((row) => row.account_id));
    return { recipients: accounts.filter(({ id }) => !known.has(id)).flatMap((account) => recipientOf(account, usages)), next };
  }

  private* accountsAfter({ lists }: NoticeAudience, after: AccountId | null): Script<readonly AccountRow[]> {
    const served = this.served().leftJoin('people', 'people.account_id', 'accounts.id').select(['accounts.id', 'accounts.email', 'people.language'])
      .$if(after !== null, (accounts) => accounts.where('accounts.id', '>', after ?? ''))
      .orderBy('accounts.id').limit(ACCOUNTS_PER_PASS);
    if (lists === null) return yield* rowsOf(served);
    if ('only' in lists) return yield* rowsOf(served.where('price_list', '=', lists.only));
    if (lists.othersThan.length === 0) return yield* rowsOf(served);
    return yield* rowsOf(served.where((account) => account.or([account('price_list', 'is', null), account('price_list', 'not in', lists.othersThan)])));
  }

  private served() {
    return this.queries.selectFrom('accounts').where('accounts.status', '=', 'active').where('accounts.blocked', '=', 0n).where('accounts.email_verified', '=', 1n);
  }

  private* store(notice: string, { accountId, to }: NoticeRecipient, mail: StoredMail): Script<'stored' | 'repeated' | 'changed' | 'full'> {
    const { queries } = this;
    if ((yield* firstOf(this.served().select('id').where('id', '=', accountId).where('email', '=', to))) === null) return 'changed';
    const told = yield* firstOf(queries.selectFrom('model_notices').select('account_id').where('account_id', '=', accountId).where('notice', '=', notice));
    if (told !== null) return 'repeated';
    const stored = yield* storeMail(queries, mail);
    if (stored === 'full' || stored === 'dropped') return 'full';
    yield* changesOf(queries.insertInto('model_notices').values({ account_id: accountId, notice, mailed_at: mail.storedAt }));
    return stored;
  }
}

function recipientOf({ id, email, language }: AccountRow, usages: readonly { readonly account_id: string; readonly model: string }[]): readonly NoticeRecipient[] {
  const used = usages.filter((usage) => usage.account_id === id).map(({ model }) => model as ModelSlug);
  return used.length === 0 ? [] : [{ accountId: id as AccountId, to: email, language: language as MailLanguage | null, used: new Set(used) }];
}
