import type { Instant } from '../../time/instant.js';
import type { MailContent } from '../mail.js';
import { composeMessage, momentText } from './compose-message.js';
import { dashboardUrl, siteOf } from './dashboard-link.js';

/** To a person whose password was changed, so that a change by anyone else shows. */
export function passwordChangedMessage({ baseUrl, at }: { readonly baseUrl: string; readonly at: Instant }): MailContent {
  return composeMessage({
    subject: 'Your password was changed',
    beforeLink: [
      `The password of your Tollgate account at ${siteOf(baseUrl)} was changed on ${momentText(at)}. All other sessions were signed out.`,
      'If you changed it, you need not do anything. If you did not, ask for a new password on this page at once, and tell the operators:',
    ],
    link: { label: 'Open Tollgate', url: dashboardUrl(baseUrl) },
    afterLink: [],
  });
}
