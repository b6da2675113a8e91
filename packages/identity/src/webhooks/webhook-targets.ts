import type { WebhookOwner } from '@tollgate/core';

/** A text that continues "url: ". */
export type WebhookUrlProblem =
  | 'must be an https:// address' | 'must have no user name and no password' | 'must have no part after #' | 'must be a public address on the internet';

/** Which addresses a webhook may have. */
export interface WebhookTargets {
  /** `null` if the address is acceptable. Does not resolve names: that is done at every delivery. */
  problemOf(url: string, owner: WebhookOwner): WebhookUrlProblem | null;
}
