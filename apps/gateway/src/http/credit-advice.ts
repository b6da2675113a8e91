import type { Settings } from '@tollgate/adapters-config';
import type { CatalogueSource } from '@tollgate/core';
import type { MailLanguage } from '@tollgate/identity';
import type { PublicAddress } from './public-address.js';

interface CreditAdviceParts {
  readonly payments: Settings['payments']['provider']['kind'];
  readonly address: Pick<PublicAddress, 'origin'>;
  /** False without the installation's secret: vouchers need it. */
  readonly redeemsVouchers: boolean;
  readonly catalogue: CatalogueSource;
  /** Value of `BRAND_NAME`. */
  readonly product: string;
  /** Value of `CREDIT_LINE`. */
  readonly creditLine: string | null;
  /** Language of the reader; English by default. */
  readonly language?: MailLanguage | null;
}

interface Offer {
  readonly sells: boolean;
  readonly product: string;
  readonly page: string;
}

function offerText({ sells, product, page }: Offer, language: MailLanguage | null): string {
  if (language === 'de') return sells ? `Laden Sie Guthaben auf Ihr Konto von ${product}: ${page}` : `Lösen Sie einen Gutschein für Ihr Konto von ${product} ein: ${page}`;
  return sells ? `Add credit to your ${product} account at ${page}` : `Redeem a voucher for your ${product} account at ${page}`;
}

/** How an owner gets credit: the page that sells it or takes vouchers, and then the operator's own line; `null` if there is neither. */
export function creditAdvice({ payments, address, redeemsVouchers, catalogue, product, creditLine, language = null }: CreditAdviceParts): string | null {
  const { packages, custom } = catalogue.current().creditOffer;
  const sells = payments === 'sandbox' || (payments === 'stripe' && (packages.length > 0 || custom !== null));
  const advice = sells || redeemsVouchers ? offerText({ sells, product, page: `${address.origin}/dashboard/billing` }, language) : null;
  const lines = [advice, creditLine].filter((line) => line !== null);
  return lines.length === 0 ? null : lines.join(' ');
}
