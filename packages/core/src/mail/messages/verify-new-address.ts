import type { MailContent } from '../mail.js';
import { composeMessage, linkTerms } from './compose-message.js';
import { dashboardLink, siteOf } from './dashboard-link.js';
import type { LinkMessage } from './link-message.js';

/** To the address that a person wants to have from now on. */
export function verifyNewAddressMessage({ baseUrl, token, lifetimeMilliseconds }: LinkMessage): MailContent {
  return composeMessage({
    subject: 'Confirm your new e-mail address',
    beforeLink: [`This address was entered as the new address of a Tollgate account at ${siteOf(baseUrl)}.`, 'To use it for that account from now on, open this link:'],
    link: { label: 'Confirm the new address', url: dashboardLink(baseUrl, 'change-email', token) },
    afterLink: [linkTerms(lifetimeMilliseconds), 'If you did not request this, ignore this message. The account keeps its present address.'],
  });
}
