import { costOfMillion, type ModelNotice, type ModelSlug, type PriceChange, type PriceNotice, type ShutdownNotice, TOKEN_RATES, type TokenRate, utcDayOf } from '@tollgate/core';
import { composeMessage, type MessageParts } from '../mail/compose-message.js';
import { dashboardUrl, type MailSite, siteOf } from '../mail/dashboard-links.js';
import type { MailContent } from '../mail/mail.js';

/** An account is told of models that it has used in the last days. */
export const NOTICE_USE_DAYS = 30;

interface NoticeContent {
  readonly notice: ModelNotice;
  readonly used: ReadonlySet<ModelSlug>;
  readonly usdPerServiceToken: TokenRate;
}

type Parts = Omit<MessageParts, 'afterLink' | 'link'>;

function riseText(model: ModelSlug, { before, price }: PriceChange, usdPerServiceToken: TokenRate): string {
  const costs = TOKEN_RATES.filter(({ field }) => before[field] !== price[field]).map(({ name, field }) => {
    const [old, now] = [costOfMillion(before[field], usdPerServiceToken), costOfMillion(price[field], usdPerServiceToken)];
    return `${name.replaceAll('_', ' ')} ${now.svcTokens} (${now.usd} USD) instead of ${old.svcTokens} (${old.usd} USD)`;
  });
  return `${model}: ${costs.join(', ')}.`;
}

function priceParts({ from, rises }: PriceNotice, { used, usdPerServiceToken }: NoticeContent, site: MailSite): Parts {
  const day = utcDayOf(from);
  return {
    subject: `Prices change on ${day}`,
    beforeLink: [
      `From ${day} on (UTC), models that your ${site.product} account at ${siteOf(site.baseUrl)} has used in the last ${NOTICE_USE_DAYS} days have new prices. A million tokens cost, in service tokens:`,
      ...[...rises].filter(([model]) => used.has(model)).map(([model, change]) => riseText(model, change, usdPerServiceToken)),
      'Requests that begin before then are charged at the present prices. All prices are on this page:',
    ],
  };
}

function successionText({ successor, forwards }: ShutdownNotice['shutdown']): string {
  if (successor === null) return 'Requests for it are refused from then on.';
  return forwards ? `From then on, ${successor} serves requests for it, at its own price.` : `Requests for it are refused from then on. Use ${successor} instead.`;
}

function shutdownParts({ model, shutdown }: ShutdownNotice, site: MailSite): Parts {
  const day = utcDayOf(shutdown.at);
  return {
    subject: `The model ${model} is shut down on ${day}`,
    beforeLink: [
      `Your ${site.product} account at ${siteOf(site.baseUrl)} has used the model ${model} in the last ${NOTICE_USE_DAYS} days. It is served until ${day} begins (UTC).`,
      successionText(shutdown),
      'All models are on this page:',
    ],
  };
}

export function noticeMessage(content: NoticeContent, site: MailSite): MailContent {
  const { notice } = content;
  const parts = notice.kind === 'price' ? priceParts(notice, content, site) : shutdownParts(notice, site);
  return composeMessage({ ...parts, link: { label: 'Open the models', url: `${dashboardUrl(site.baseUrl)}/models` }, afterLink: [] });
}
