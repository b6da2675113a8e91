import type { Instant } from '../../time/instant.js';
import { rfc3339, utcDayOf } from '../../time/utc-calendar.js';
import type { MailContent } from '../mail.js';
import { composeMessage } from './compose-message.js';
import { dashboardUrl, siteOf } from './dashboard-link.js';

/** `2026-11-22 at 19:05 UTC` */
function momentText(at: Instant): string {
  return `${utcDayOf(at)} at ${rfc3339(at).slice(11, 16)} UTC`;
}

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
