import type { WebhookOwner } from '@tollgate/core';

/** Which addresses a webhook may have. */
export interface WebhookTargets {
  /** Continues "url: "; `null` if it is acceptable. Looks no name up: that is done at every delivery. */
  problemOf(url: string, owner: WebhookOwner): string | null;
}
