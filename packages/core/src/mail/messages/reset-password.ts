import type { MailContent } from '../mail.js';
import { composeMessage, linkTerms } from './compose-message.js';
import { dashboardLink, siteOf } from './dashboard-link.js';
import type { LinkMessage } from './link-message.js';

/** To a person who has asked for a new password. */
export function resetPasswordMessage({ baseUrl, token, lifetimeMilliseconds }: LinkMessage): MailContent {
  return composeMessage({
    subject: 'Reset your password',
    beforeLink: [`A password reset was requested for your Tollgate account at ${siteOf(baseUrl)}.`, 'To choose a new password, open this link:'],
    link: { label: 'Choose a new password', url: dashboardLink(baseUrl, 'reset', token) },
    afterLink: [
      linkTerms(lifetimeMilliseconds),
      'With the new password you are signed out everywhere, and your passkeys and second factors are removed. You can set them up again afterwards.',
      'If you did not request this, ignore this message. Your password stays as it is.',
    ],
  });
}
