/** Numbers of items. */
export interface PageSize {
  /** Default. */
  readonly usual: number;
  /** Maximum that a caller may ask for. Pages of the dashboard ask for this maximum. */
  readonly most: number;
}

const DASHBOARD: PageSize = { usual: 50, most: 100 };
const ADMIN: PageSize = { usual: 50, most: 100 };

export const PAGE_SIZES = {
  usage: { api: { usual: 20, most: 100 }, admin: ADMIN, dashboard: DASHBOARD, commandLine: { usual: 100, most: 1_000 } },
  /** An account has few active keys, but any number of revoked ones. */
  keys: { api: { usual: 1_000, most: 1_000 }, admin: ADMIN, dashboard: DASHBOARD },
  inputItems: { api: { usual: 20, most: 100 } },
  accounts: { admin: ADMIN, dashboard: DASHBOARD, commandLine: { usual: 100, most: 1_000 } },
  audit: { dashboard: DASHBOARD, commandLine: { usual: 50, most: 100 } },
  activity: { dashboard: DASHBOARD },
  moneyActs: { admin: ADMIN, dashboard: DASHBOARD },
  statements: { admin: ADMIN, dashboard: DASHBOARD, commandLine: { usual: 100, most: 1_000 } },
  events: { admin: { usual: 100, most: 1_000 }, commandLine: { usual: 100, most: 1_000 } },
  blocks: { dashboard: DASHBOARD },
  mail: { dashboard: DASHBOARD, commandLine: { usual: 50, most: 100 } },
  payments: { admin: ADMIN, dashboard: DASHBOARD, commandLine: { usual: 50, most: 100 } },
  vouchers: { admin: ADMIN, dashboard: DASHBOARD, commandLine: { usual: 50, most: 100 } },
  webhookDeliveries: { admin: ADMIN, dashboard: DASHBOARD, commandLine: { usual: 50, most: 100 } },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<'api' | 'admin' | 'dashboard' | 'commandLine', PageSize>>>>>;
