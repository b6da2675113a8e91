import type { Instant } from '../../time/instant.js';
import type { MailContent } from '../mail.js';
import { composeMessage, momentText } from './compose-message.js';
import { dashboardUrl, siteOf } from './dashboard-link.js';

/** What became of a person's second factors. */
export type FactorChange = 'totp-added' | 'totp-removed' | 'recovery-codes-renewed' | 'recovery-code-used' | 'passkey-added' | 'passkey-removed';

const WORDS: Readonly<Record<FactorChange, readonly [subject: string, event: string]>> = {
  'totp-added': ['An authenticator app was added', 'An authenticator app was added to your Tollgate account'],
  'totp-removed': ['Your authenticator app was removed', 'The authenticator app of your Tollgate account, with its recovery codes, was removed'],
  'recovery-codes-renewed': ['Your recovery codes were replaced', 'The recovery codes of your Tollgate account were replaced by new ones'],
  'recovery-code-used': ['A recovery code was used', 'A recovery code of your Tollgate account was used'],
  'passkey-added': ['A passkey was added', 'A passkey was added to your Tollgate account'],
  'passkey-removed': ['A passkey was removed', 'A passkey of your Tollgate account was removed'],
};

/** To a person whose second factors were changed, so that a change by anyone else shows. */
export function factorChangedMessage({ baseUrl, change, at }: { readonly baseUrl: string; readonly change: FactorChange; readonly at: Instant }): MailContent {
  const [subject, event] = WORDS[change];
  return composeMessage({
    subject,
    beforeLink: [
      `${event} at ${siteOf(baseUrl)} on ${momentText(at)}.`,
      'If this was you, you need not do anything. If it was not, ask for a new password on this page at once, which also removes every second factor, and tell the operators:',
    ],
    link: { label: 'Open Tollgate', url: dashboardUrl(baseUrl) },
    afterLink: [],
  });
}
