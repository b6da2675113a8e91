import type { MailContent } from '../mail.js';
import { composeMessage, linkTerms } from './compose-message.js';
import { dashboardLink, siteOf } from './dashboard-link.js';
import type { LinkMessage } from './link-message.js';

/** To the present address of a person who has asked to change it. */
export function confirmAddressChangeMessage({ baseUrl, token, lifetimeMilliseconds, newAddress }: LinkMessage & { readonly newAddress: string }): MailContent {
  return composeMessage({
    subject: 'Confirm the change of your e-mail address',
    beforeLink: [
      `A change of the e-mail address of your Tollgate account at ${siteOf(baseUrl)} to ${newAddress} was requested.`,
      'If you want this change, open this link. A second message then goes to the new address:',
    ],
    link: { label: 'Confirm the change', url: dashboardLink(baseUrl, 'change-email', token) },
    afterLink: [linkTerms(lifetimeMilliseconds), 'If you did not request this, do not open the link, and change your password: the person who requested it knows your password.'],
  });
}
