/** Items in one page of a list. */
export interface PageSize {
  /** Unless the caller says otherwise. */
  readonly usual: number;
  /** The maximum that a caller may ask for; pages of the dashboard do. */
  readonly most: number;
}

const DASHBOARD: PageSize = { usual: 50, most: 100 };
const ADMIN: PageSize = { usual: 50, most: 100 };

/** By list, and by the door at which it is read. */
export const PAGE_SIZES = {
  usage: { api: { usual: 20, most: 100 }, admin: ADMIN, dashboard: DASHBOARD, commandLine: { usual: 100, most: 1_000 } },
  /** An account has few active keys, and any number of revoked ones. */
  keys: { api: { usual: 1_000, most: 1_000 }, admin: ADMIN, dashboard: DASHBOARD },
  inputItems: { api: { usual: 20, most: 100 } },
  accounts: { admin: ADMIN, dashboard: DASHBOARD, commandLine: { usual: 100, most: 1_000 } },
  audit: { dashboard: DASHBOARD, commandLine: { usual: 50, most: 100 } },
  activity: { dashboard: DASHBOARD },
  moneyActs: { admin: ADMIN, dashboard: DASHBOARD },
  blocks: { dashboard: DASHBOARD },
  mail: { dashboard: DASHBOARD },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<'api' | 'admin' | 'dashboard' | 'commandLine', PageSize>>>>>;
