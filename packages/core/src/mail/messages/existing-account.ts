import type { MailContent } from '../mail.js';
import { composeMessage } from './compose-message.js';
import { dashboardUrl, siteOf } from './dashboard-link.js';

/** To an address that was used to sign up and has an account already. */
export function existingAccountMessage({ baseUrl }: { readonly baseUrl: string }): MailContent {
  return composeMessage({
    subject: 'You already have an account',
    beforeLink: [`This address was used to sign up for Tollgate at ${siteOf(baseUrl)}. It has an account there already, so nothing was changed.`, 'You can sign in here:'],
    link: { label: 'Sign in', url: dashboardUrl(baseUrl) },
    afterLink: ['If you have forgotten your password, you can ask for a new one on that page.', 'If you did not try to sign up, you need not do anything.'],
  });
}
