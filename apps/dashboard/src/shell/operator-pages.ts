import { Activity, Bot, ChartColumn, CreditCard, Gauge, type LucideIcon, Mail, Scale, ScrollText, Server, ShieldBan, Tags, Ticket, TriangleAlert, Users, Webhook } from 'lucide-react';
import { shell } from '#texts/shell';
import type { PageGroup } from './pages';

const { pages, groups } = shell;

export const OPERATOR_GROUPS = [
  { name: null, pages: [['/operator/overview', pages.overview, Gauge], ['/operator/live', pages.live, Activity]] },
  { name: groups.customers, pages: [['/operator/accounts', pages.accounts, Users], ['/operator/usage', pages.allUsage, ChartColumn], ['/operator/payments', pages.payments, CreditCard], ['/operator/vouchers', pages.vouchers, Ticket], ['/operator/price-lists', pages.priceLists, Tags]] },
  { name: groups.service, pages: [['/operator/upstreams', pages.upstreams, Server], ['/operator/incidents', pages.incidents, TriangleAlert], ['/operator/blocklists', pages.blocklists, ShieldBan], ['/operator/machines', pages.machines, Bot], ['/operator/webhooks', pages.webhooks, Webhook], ['/operator/mail', pages.mail, Mail]] },
  { name: groups.records, pages: [['/operator/books', pages.books, Scale], ['/operator/audit', pages.audit, ScrollText]] },
] as const satisfies readonly PageGroup<readonly [to: string, label: string, icon: LucideIcon]>[];

export const OPERATOR_PAGES = OPERATOR_GROUPS.flatMap(({ pages: inGroup }) => [...inGroup]);
