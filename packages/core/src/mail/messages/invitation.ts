import type { MailContent } from '../mail.js';
import { composeMessage, linkTerms } from './compose-message.js';
import { dashboardLink, siteOf } from './dashboard-link.js';
import type { LinkMessage } from './link-message.js';

/** To a person whom an operator invites. */
export function invitationMessage({ baseUrl, token, lifetimeMilliseconds }: LinkMessage): MailContent {
  return composeMessage({
    subject: 'You are invited to Tollgate',
    beforeLink: [`The operators of ${siteOf(baseUrl)} invite you to open a Tollgate account.`, 'To accept and choose a password, open this link:'],
    link: { label: 'Accept the invitation', url: dashboardLink(baseUrl, 'invite', token) },
    afterLink: [linkTerms(lifetimeMilliseconds), 'If you did not expect this invitation, ignore this message.'],
  });
}
