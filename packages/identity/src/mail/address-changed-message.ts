import type { Instant } from '@tollgate/core';
import { composeMessage } from './compose-message.js';
import { dashboardUrl, type MailSite, siteOf } from './dashboard-links.js';
import { momentText } from './mail-times.js';
import type { MailContent } from './mail.js';

/** The address that receives the message. */
export type ChangedAddress = 'former' | 'new';

interface AddressChangeTexts {
  readonly subject: string;
  readonly event: string;
  readonly german: string;
  readonly next: string;
}

const ADDRESS_CHANGES: Readonly<Record<ChangedAddress, AddressChangeTexts>> = {
  former: {
    subject: 'Your account has another e-mail address now',
    event: 'An operator replaced this e-mail address of your account by another one',
    german: 'Ein Betreiber hat diese E-Mail-Adresse Ihres Kontos durch eine andere ersetzt',
    next: 'You can no longer sign in with this address, and all your sessions were ended. If you did not ask for this, tell the operators at once.',
  },
  new: {
    subject: 'This is the e-mail address of your account now',
    event: 'An operator made this the e-mail address of your account',
    german: 'Ein Betreiber hat diese Adresse zur E-Mail-Adresse Ihres Kontos gemacht',
    next: 'Sign in with this address from now on. Your password and second factors stay as they are, and all your sessions were ended. If you know nothing of this account, tell the operators.',
  },
};

/** The message to the former address does not name the new one, because another person may read it. */
export function addressChangedMessage({ address, at, ...site }: MailSite & { readonly address: ChangedAddress; readonly at: Instant }): MailContent {
  const { baseUrl, product } = site;
  const { subject, event, german, next } = ADDRESS_CHANGES[address];
  return composeMessage({
    name: 'address-changed', values: { event: site.language === 'de' ? german : event, time: momentText(at, site.language) },
    subject,
    beforeLink: [`${event} on ${momentText(at)}, at ${product} (${siteOf(baseUrl)}).`, next],
    link: { label: `Open ${product}`, url: dashboardUrl(baseUrl) },
    afterLink: [],
  }, site);
}
