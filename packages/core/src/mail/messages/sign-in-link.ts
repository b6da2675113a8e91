import type { MailContent } from '../mail.js';
import { composeMessage, linkTerms } from './compose-message.js';
import { dashboardLink, siteOf } from './dashboard-link.js';
import type { LinkMessage } from './link-message.js';

/** To a person who signs in by a link. */
export function signInLinkMessage({ baseUrl, token, lifetimeMilliseconds }: LinkMessage): MailContent {
  return composeMessage({
    subject: 'Your sign-in link',
    beforeLink: [`Open this link to sign in to Tollgate at ${siteOf(baseUrl)}:`],
    link: { label: 'Sign in', url: dashboardLink(baseUrl, 'link', token) },
    afterLink: [`${linkTerms(lifetimeMilliseconds)} Do not forward it: anyone who opens it is signed in as you.`, 'If you did not ask for it, ignore this message.'],
  });
}
