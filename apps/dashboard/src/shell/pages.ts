import { shell } from '#texts/shell';

/** Pages, each with the letter that opens it after `g`. */
export const OWN_PAGES = [
  ['/overview', shell.pages.overview, 'o'], ['/keys', shell.pages.keys, 'k'], ['/usage', shell.pages.usage, 'u'], ['/models', shell.pages.models, 'm'],
  ['/playground', shell.pages.playground, 'p'], ['/billing', shell.pages.billing, 'b'], ['/webhooks', shell.pages.webhooks, 'w'], ['/activity', shell.pages.activity, 'a'], ['/account', shell.pages.account, 's'],
] as const;

export const OPERATOR_PAGES = [
  ['/operator/live', shell.pages.live], ['/operator/accounts', shell.pages.accounts], ['/operator/usage', shell.pages.allUsage], ['/operator/upstreams', shell.pages.upstreams],
  ['/operator/incidents', shell.pages.incidents], ['/operator/blocklists', shell.pages.blocklists], ['/operator/machines', shell.pages.machines], ['/operator/payments', shell.pages.payments], ['/operator/vouchers', shell.pages.vouchers], ['/operator/webhooks', shell.pages.webhooks], ['/operator/books', shell.pages.books], ['/operator/audit', shell.pages.audit],
  ['/operator/mail', shell.pages.mail],
] as const;
