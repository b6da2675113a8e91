/** Paths of the pages for signing in and up, and of the reference. Only `/two-factor` needs a session. */
export const ENTRY_PAGES = ['/sign-in', '/sign-up', '/forgot', '/verify', '/reset', '/invite', '/link', '/change-email', '/two-factor', '/reference'] as const;

export const ACCOUNT_TABS = ['plan', 'profile', 'notifications', 'security', 'sessions', 'deletion'] as const;
export const OPERATOR_ACCOUNT_TABS = ['ledger', 'statements', 'requests', 'keys', 'limits', 'notes', 'audit', 'sessions', 'mail', 'owner'] as const;

export interface Subjects {
  readonly keyId: string;
  readonly requestId: string;
  readonly model: string;
}

/** Paths of an owner's pages, below `/dashboard`. */
export function ownerPages({ keyId, requestId, model }: Subjects): readonly string[] {
  return ['/overview', '/keys', `/keys/${keyId}`, '/usage', `/usage/${requestId}`, '/models', `/models/${model}`, '/playground', '/billing', '/webhooks', '/activity', '/account'];
}

/** Paths of an operator's pages, below `/dashboard`. */
export function operatorPages(accountId: string, requestId?: string): readonly string[] {
  return [
    '/operator/overview', '/operator/live', '/operator/accounts', `/operator/accounts/${accountId}`, '/operator/usage', ...(requestId === undefined ? [] : [`/operator/usage/${requestId}`]), '/operator/upstreams',
    '/operator/incidents', '/operator/blocklists', '/operator/machines', '/operator/webhooks', '/operator/payments', '/operator/vouchers', '/operator/price-lists', '/operator/books', '/operator/audit', '/operator/mail',
  ];
}
