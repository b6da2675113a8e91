import { Boxes, ChartColumn, History, KeyRound, LayoutDashboard, type LucideIcon, MessagesSquare, Settings, Wallet, Webhook } from 'lucide-react';
import { shell } from '#texts/shell';

/** A page: address, name, icon, and the letter that opens the page after `g`. */
type OwnPage = readonly [to: string, label: string, icon: LucideIcon, key: string];

export interface PageGroup<Page> {
  /** `null` for the first group. */
  readonly name: string | null;
  readonly pages: readonly Page[];
}

const { pages, groups } = shell;

export const OWN_GROUPS = [
  { name: null, pages: [['/overview', pages.overview, LayoutDashboard, 'o']] },
  { name: groups.build, pages: [['/playground', pages.playground, MessagesSquare, 'p'], ['/models', pages.models, Boxes, 'm'], ['/keys', pages.keys, KeyRound, 'k'], ['/webhooks', pages.webhooks, Webhook, 'w']] },
  { name: groups.money, pages: [['/usage', pages.usage, ChartColumn, 'u'], ['/billing', pages.billing, Wallet, 'b']] },
  { name: groups.account, pages: [['/activity', pages.activity, History, 'a'], ['/account', pages.account, Settings, 's']] },
] as const satisfies readonly PageGroup<OwnPage>[];

export const OWN_PAGES = OWN_GROUPS.flatMap(({ pages: inGroup }) => [...inGroup]);
