import {
  type AccountId, type CatalogueSource, type Clock, type Instant, later, MILLISECONDS_PER_DAY, type ModelNotice, noticesAt, type PriceListId, type UtcDay, utcDayOf,
} from '@tollgate/core';
import { type MailSite, siteIn } from '../mail/dashboard-links.js';
import { MAIL_LIFETIME_MILLISECONDS, type StoredMail } from '../mail/mail.js';
import type { IdentityIdGenerator } from '../tokens/identity-id-generator.js';
import { NOTICE_USE_DAYS, noticeMessage } from './notice-message.js';
import type { NoticeAudience, NoticePass, NoticeRecipient, NoticeRecords } from './notice-records.js';

/** How long sent notices are remembered; exceeds the time by which changes are announced in advance. */
const KEPT_MILLISECONDS = 400 * MILLISECONDS_PER_DAY;

export interface ModelNoticesParts {
  readonly records: NoticeRecords;
  readonly catalogue: CatalogueSource;
  readonly ids: IdentityIdGenerator;
  readonly clock: Clock;
  readonly priceNoticeMilliseconds: number;
  readonly site: () => MailSite;
  /** Called after messages were stored; triggers their delivery. */
  readonly onStored: () => void;
}

interface Position {
  readonly notices: readonly ModelNotice[];
  /** Last account that was considered for the first notice; `null` before the first account. */
  readonly after: AccountId | null;
}

export interface NoticeStep {
  /** `more`: call again, because more is to be done. `full`: the outbox takes no more mail. `store-away`: the store failed meanwhile. */
  readonly outcome: 'done' | 'more' | 'full' | 'store-away';
  readonly failures: NoticePass['failures'];
}

/** Mails owners about rising prices and ending models, if they used the models recently. */
export class ModelNotices {
  #position: Position | null = null;

  constructor(private readonly parts: ModelNoticesParts) {}

  /** Considers some accounts for one notice. */
  async step(): Promise<NoticeStep> {
    const { records, catalogue, clock, priceNoticeMilliseconds, onStored } = this.parts;
    const at = clock.now();
    const { notices, after } = this.#position ?? { notices: noticesAt(catalogue.current(), at, priceNoticeMilliseconds), after: null };
    const [notice, ...rest] = notices;
    if (notice === undefined) {
      await records.prune(later(at, -KEPT_MILLISECONDS));
      return { outcome: 'done', failures: [] };
    }
    const pass = await records.storeMails(this.audienceOf(notice, at), after, (recipient) => this.mailOf(notice, recipient, at));
    if (pass.mails > 0) onStored();
    const { outcome, failures } = pass;
    if (outcome !== 'considered') return { outcome, failures };
    this.#position = pass.next === null ? { notices: rest, after: null } : { notices, after: pass.next };
    if (this.#position.notices.length > 0) return { outcome: 'more', failures };
    this.#position = null;
    return { outcome: 'done', failures };
  }

  /** Price lists that accounts have but the catalogue lacks, with the number of accounts. */
  async missingPriceLists(): Promise<ReadonlyMap<PriceListId, number>> {
    const catalogue = this.parts.catalogue.current();
    return new Map([...await this.parts.records.accountsByPriceList()].filter(([list]) => catalogue.priceList(list) === null));
  }

  private audienceOf(notice: ModelNotice, at: Instant): NoticeAudience {
    const usedSince: UtcDay = utcDayOf(later(at, -NOTICE_USE_DAYS * MILLISECONDS_PER_DAY));
    if (notice.kind === 'shutdown') return { notice: notice.id, models: [notice.model], usedSince, lists: null };
    const lists = notice.list === null ? { othersThan: this.parts.catalogue.current().priceLists.map(({ id }) => id) } : { only: notice.list };
    return { notice: notice.id, models: [...notice.rises.keys()], usedSince, lists };
  }

  private mailOf(notice: ModelNotice, { accountId, to, language, used }: NoticeRecipient, at: Instant): StoredMail {
    const { ids, site, catalogue } = this.parts;
    const { usdPerServiceToken } = catalogue.current();
    return {
      ...noticeMessage({ notice, used, usdPerServiceToken }, siteIn(site(), language)), id: ids.mailId(), to, accountId, rank: 'verified', reference: `${notice.id}/${accountId}`,
      storedAt: at, expiresAt: later(at, MAIL_LIFETIME_MILLISECONDS),
    };
  }
}
