import type { MailContent } from '../mail.js';
import { composeMessage, linkTerms } from './compose-message.js';
import { dashboardLink, siteOf } from './dashboard-link.js';
import type { LinkMessage } from './link-message.js';

/** To an address that was used to sign up. */
export function verifyAddressMessage({ baseUrl, token, lifetimeMilliseconds }: LinkMessage): MailContent {
  return composeMessage({
    subject: 'Confirm your e-mail address',
    beforeLink: [`This address was used to sign up for Tollgate at ${siteOf(baseUrl)}.`, 'To confirm that it is yours, open this link and enter the password you chose:'],
    link: { label: 'Confirm address', url: dashboardLink(baseUrl, 'verify', token) },
    afterLink: [
      linkTerms(lifetimeMilliseconds),
      'If you did not sign up, ignore this message, or open the link and choose “Not me”. The account cannot be used unless you confirm it.',
    ],
  });
}
