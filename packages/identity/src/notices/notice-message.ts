import { costOfMillion, type ModelNotice, type ModelSlug, type PriceChange, type PriceNotice, type ShutdownNotice, TOKEN_RATES, type TokenRate, utcDayOf } from '@tollgate/core';
import { composeMessage, type MessageParts } from '../mail/compose-message.js';
import { dashboardUrl, type MailSite, siteOf, tokensWord } from '../mail/dashboard-links.js';
import type { MailLanguage } from '../mail/mail-language.js';
import { dayText } from '../mail/mail-times.js';
import type { MailContent } from '../mail/mail.js';

/** Accounts are notified of models that they have used within this many days. */
export const NOTICE_USE_DAYS = 30;

interface NoticeContent {
  readonly notice: ModelNotice;
  readonly used: ReadonlySet<ModelSlug>;
  readonly usdPerServiceToken: TokenRate;
}

function modelsLink({ baseUrl }: MailSite) {
  return { label: 'Open the models', url: `${dashboardUrl(baseUrl)}/models` };
}

const GERMAN_RATES: Readonly<Record<(typeof TOKEN_RATES)[number]['name'], string>> = {
  prompt: 'Eingabe', cached_prompt: 'Eingabe aus dem Cache', cache_creation: 'in den Cache geschriebene Eingabe', output: 'Ausgabe',
};

function riseText(model: ModelSlug, { before, price }: PriceChange, { usdPerServiceToken, language }: Pick<NoticeContent, 'usdPerServiceToken'> & Pick<MailSite, 'language'>): string {
  const costs = TOKEN_RATES.filter(({ field }) => before[field] !== price[field]).map(({ name, field }) => {
    const [old, now] = [costOfMillion(before[field], usdPerServiceToken), costOfMillion(price[field], usdPerServiceToken)];
    if (language === 'de') return `${GERMAN_RATES[name]} ${now.svcTokens} (${now.usd} USD) statt ${old.svcTokens} (${old.usd} USD)`;
    return `${name.replaceAll('_', ' ')} ${now.svcTokens} (${now.usd} USD) instead of ${old.svcTokens} (${old.usd} USD)`;
  });
  return `${model}: ${costs.join(', ')}.`;
}

function priceParts({ from, rises }: PriceNotice, { used, usdPerServiceToken }: NoticeContent, site: MailSite): MessageParts {
  const day = utcDayOf(from);
  const prices = [...rises].filter(([model]) => used.has(model)).map(([model, change]) => riseText(model, change, { usdPerServiceToken, language: site.language }));
  return {
    name: 'price-change', values: { day: dayText(day, site.language), prices },
    subject: `Prices change on ${day}`,
    beforeLink: [
      `From ${day} on (UTC), models that your ${site.product} account at ${siteOf(site.baseUrl)} has used in the last ${NOTICE_USE_DAYS} days have new prices. A million tokens cost, in ${tokensWord(site)}:`,
      ...prices,
      'Requests that begin before then are charged at the present prices. All prices are on this page:',
    ],
    link: modelsLink(site), afterLink: [],
  };
}

function successionText({ successor, forwards }: ShutdownNotice['shutdown'], language?: MailLanguage): string {
  if (language === 'de') {
    if (successor === null) return 'Anfragen an das Modell werden danach abgelehnt.';
    return forwards ? `Danach beantwortet ${successor} die Anfragen, zu seinem eigenen Preis.` : `Anfragen an das Modell werden danach abgelehnt. Verwenden Sie stattdessen ${successor}.`;
  }
  if (successor === null) return 'Requests for it are refused from then on.';
  return forwards ? `From then on, ${successor} serves requests for it, at its own price.` : `Requests for it are refused from then on. Use ${successor} instead.`;
}

function shutdownParts({ model, shutdown }: ShutdownNotice, site: MailSite): MessageParts {
  const day = utcDayOf(shutdown.at);
  return {
    name: 'model-shutdown', values: { day: dayText(day, site.language), model, successor: successionText(shutdown, site.language) },
    subject: `The model ${model} is shut down on ${day}`,
    beforeLink: [
      `Your ${site.product} account at ${siteOf(site.baseUrl)} has used the model ${model} in the last ${NOTICE_USE_DAYS} days. It is served until ${day} begins (UTC).`,
      successionText(shutdown),
      'All models are on this page:',
    ],
    link: modelsLink(site), afterLink: [],
  };
}

export function noticeMessage(content: NoticeContent, site: MailSite): MailContent {
  const { notice } = content;
  return composeMessage(notice.kind === 'price' ? priceParts(notice, content, site) : shutdownParts(notice, site), site);
}
