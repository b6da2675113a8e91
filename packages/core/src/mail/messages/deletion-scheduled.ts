import type { Instant } from '../../time/instant.js';
import type { MailContent } from '../mail.js';
import { composeMessage, momentText } from './compose-message.js';
import { dashboardUrl, siteOf } from './dashboard-link.js';

/** To the owner of an account whose deletion is scheduled: until when it can be cancelled, and what stays. */
export function deletionScheduledMessage({ baseUrl, dueAt }: { readonly baseUrl: string; readonly dueAt: Instant }): MailContent {
  return composeMessage({
    subject: 'Your account is going to be deleted',
    beforeLink: [
      `Your Tollgate account at ${siteOf(baseUrl)} is deleted on ${momentText(dueAt)}. Its keys are refused from now on. What is left of its balance expires with it.`,
      'Name, address and password are erased then. Usage records and bookings stay, with the user names that your requests carried, but without your name.',
      'Until then you can cancel the deletion. If you did not ask for it, cancel it, change your password and tell the operators:',
    ],
    link: { label: 'Open Tollgate', url: dashboardUrl(baseUrl) },
    afterLink: [],
  });
}
